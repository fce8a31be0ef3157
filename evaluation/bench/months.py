"""What a month costs: erased row by row, and what statements would cost were checks partitioned.

`erase_month` really erases, so it is for databases of benchmarks only. `by_month` makes a copy of
the checks in partitions, asks both, and drops the copy.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from time import perf_counter
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Min
from django.utils import timezone

from analysis.models import Check
from analysis.services.erasure import EVERYTHING, erase_checks
from analysis.services.months import drop_empty_months, first_id
from evaluation.bench import machine, storage

CHECKS, TRAIL = "analysis_check", "audit_trailentry"
WATCHED = (
    CHECKS,
    "analysis_annotatedanswer",
    "analysis_claim",
    "analysis_checkembedding",
    "analysis_checksearch",
    "analysis_review",
    TRAIL,
)
_COPY = f"{CHECKS}_by_month"
_LOCKED = """
SELECT count(*) FROM pg_locks JOIN pg_class AS c ON c.oid = relation
WHERE pid = pg_backend_pid() AND locktype = 'relation' AND relnamespace = 'public'::regnamespace
"""
# With the ids in them, since the product prepares no statements.
_STATEMENTS = {
    "claimed by a worker": (
        "UPDATE {table} SET epoch = epoch + 1 WHERE id IN ("
        " SELECT id FROM {table} WHERE id = ANY(ARRAY['{id}'::uuid]) AND attempts < 3"
        " AND state = 'done' FOR UPDATE SKIP LOCKED) RETURNING *"
    ),
    "claimed, its month told": (
        "UPDATE {table} SET epoch = epoch + 1 WHERE id = ANY(ARRAY['{id}'::uuid]) AND id IN ("
        " SELECT id FROM {table} WHERE id = ANY(ARRAY['{id}'::uuid]) AND attempts < 3"
        " AND state = 'done' FOR UPDATE SKIP LOCKED) RETURNING *"
    ),
    "a row that refers to it": "INSERT INTO {table}_child (check_id) VALUES ('{id}')",
    "one by its id": "SELECT * FROM {table} WHERE id = '{id}'",
    "overdue ones": (
        "SELECT id FROM {table} WHERE state = 'running' AND lease_until < now()"
        " ORDER BY id LIMIT 500"
    ),
    "newest of an application": (
        "SELECT id FROM {table} WHERE application_id = '{application}' ORDER BY id DESC LIMIT 51"
    ),
}
_AT_ONCE = 100
_MEGABYTE = 1_000_000
_COLUMNS = """
SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum)
FROM pg_attribute WHERE attrelid = 'analysis_check'::regclass AND attnum > 0 AND attname <> 'id'
"""
_REFILL = """
INSERT INTO analysis_check (id, {columns})
SELECT (left(id::text, 24) || left(md5(random()::text), 12))::uuid, {columns}
FROM analysis_check WHERE id >= %s AND id < %s ORDER BY id DESC LIMIT %s
"""


@dataclass(frozen=True, slots=True)
class Stage:
    """How large the tables were after a step of it, and how long the step took."""

    name: str
    seconds: float
    database_seconds: float | None
    megabytes: dict[str, float]


@dataclass(frozen=True, slots=True)
class StatementCost:
    """A statement on the table as it is, or on one with so many months: the least it took."""

    statement: str
    months: int
    planning_ms: float
    execution_ms: float
    locks: int


def oldest_month() -> tuple[UUID, UUID]:
    """The ids between which the first whole month of checks lies."""
    oldest = Check.objects.aggregate(oldest=Min("created_at"))["oldest"]
    if oldest is None:
        raise LookupError("There are no checks: see manage.py seed_desk.")
    first_day = oldest.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    month = (first_day + timedelta(days=32)).replace(day=1)
    return first_id(month), first_id((month + timedelta(days=32)).replace(day=1))


def erase_month(low: UUID, high: UUID, most: int | None = None) -> Iterator[Stage]:
    """Erase it whole, or its first checks, vacuum, drop its partitions, submit as many again."""
    of_month = Check.objects.filter(id__gte=low, id__lt=high, input_erased_at=None)
    ids = list(of_month.order_by("id").values_list("id")[:most])
    month = [check_id for (check_id,) in ids]
    yield Stage(f"{len(month):,} checks", 0, None, _megabytes())
    yield _stage("erased, by 100", lambda: _erase(month))
    yield _stage("vacuumed", _vacuum)
    yield _stage("partitions dropped", lambda: drop_empty_months(timezone.now()))
    yield _stage("as many checks submitted", lambda: _refill(high, len(month)))


def _stage(name: str, work: Any) -> Stage:
    backend = machine.backend()
    before, began = machine.processor(backend), perf_counter()
    work()
    seconds, after = perf_counter() - began, machine.processor(backend)
    database = None if before is None or after is None else after - before
    return Stage(name, seconds, database, _megabytes())


def _erase(month: Sequence[UUID]) -> None:
    for at in range(0, len(month), _AT_ONCE):
        some = month[at : at + _AT_ONCE]
        report = erase_checks(check_ids=some, parts=EVERYTHING, by="bench", reason="measured")
        if len(report.erased) != len(some):
            raise RuntimeError(f"{len(some) - len(report.erased)} were not erased")


def _vacuum() -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"VACUUM (ANALYZE) {', '.join(WATCHED)}")


def _refill(since: UUID, count: int) -> None:
    """Copies of the newest checks, each under an id of the same moment."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(_COLUMNS)
        statement = _REFILL.format(columns=cursor.fetchone()[0])
        cursor.execute(statement, [str(since), str(UUID(int=2**128 - 1)), count])


def _megabytes() -> dict[str, float]:
    sizes = {size.table: size.total / _MEGABYTE for size in storage.table_sizes()}
    return {table: sizes[table] for table in WATCHED}


def by_month(months: int, times: int) -> list[StatementCost]:
    """What the queue and the lists ask of checks, as they are and in so many partitions."""
    newest = Check.objects.filter(id__lte=first_id(timezone.now())).latest("id")
    ids = {"id": newest.id, "application": newest.application_id}
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            _make_copy(cursor, months)
            for table in (CHECKS, _COPY):
                cursor.execute(f"CREATE TABLE {table}_child (check_id uuid REFERENCES {table})")
        return [
            _cost_of(name, statement.format(table=table, **ids), parts, times)
            for table, parts in ((CHECKS, 0), (_COPY, months))
            for name, statement in _STATEMENTS.items()
        ]
    finally:
        with connection.cursor() as cursor:
            names = f"{CHECKS}_child, {_COPY}_child, {_COPY}"
            cursor.execute(f"DROP TABLE IF EXISTS {names}")


def _make_copy(cursor: Any, months: int) -> None:
    """The same columns, constraints and indexes, but for "one item once a batch"."""
    cursor.execute(
        f"CREATE TABLE {_COPY} (LIKE {CHECKS} INCLUDING DEFAULTS INCLUDING CONSTRAINTS,"
        " PRIMARY KEY (id)) PARTITION BY RANGE (id)"
    )
    end = datetime.now(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    high = first_id((end + timedelta(days=32)).replace(day=1))
    for number in range(months):
        low = first_id(end) if number < months - 1 else UUID(int=0)
        cursor.execute(
            f"CREATE TABLE {_COPY}_{number} PARTITION OF {_COPY} FOR VALUES FROM (%s) TO (%s)",
            [str(low), str(high)],
        )
        high, end = low, (end - timedelta(days=1)).replace(day=1)
    cursor.execute(
        "SELECT pg_get_indexdef(indexrelid) FROM pg_index"
        " WHERE indrelid = %s::regclass AND NOT indisunique",
        [CHECKS],
    )
    for (definition,) in cursor.fetchall():
        name = definition.split()[2]
        cursor.execute(
            definition.replace(name, f"{name}_m", 1).replace(f".{CHECKS} ", f".{_COPY} ")
        )
    cursor.execute(f"INSERT INTO {_COPY} SELECT * FROM {CHECKS}")  # noqa: S608 - names
    cursor.execute(f"ANALYZE {_COPY}")


def _cost_of(name: str, statement: str, months: int, times: int) -> StatementCost:
    planning, execution = [], []
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
        cursor.execute(_LOCKED)
        locks = cursor.fetchone()[0]
        for _ in range(times):
            cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF, SUMMARY, FORMAT JSON) {statement}")
            (plan,) = cursor.fetchone()[0]
            planning.append(plan["Planning Time"])
            execution.append(plan["Execution Time"])
        transaction.set_rollback(True)
    return StatementCost(name, months, min(planning), min(execution), locks)
