"""Partitions of results: one for each month of submission, created ahead, dropped when empty.

Claims, results, words and vectors are stored in the partition of their check's month (UTC), which
its id reveals (docs/decisions/0750-results-by-month.md). Rows of months without a partition go to
`…_other`, so that nothing is ever refused.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from django.db import connection, transaction

MONTHLY = (
    "analysis_claim",  # before what it refers to
    "analysis_annotatedanswer",
    "analysis_checksearch",
    "analysis_checkembedding",
)
AHEAD = 3
CLOCKS_APART = timedelta(hours=1)
"""Ids hold the time of the machine that made them, `created_at` the database's."""
_ANALYZE_ONLY = 180_000
LOCK_WAIT = "3s"
"""A lock that is not had by then would hold up every check that ends: the next run tries again."""
_PARTITIONS = """
SELECT child.relname, substring(pg_get_expr(child.relpartbound, child.oid)
                                FROM $$TO \\('([0-9a-f-]{36})'\\)$$)::uuid AS before
FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
WHERE inhparent = %s::regclass
ORDER BY before
"""


@dataclass(frozen=True, slots=True)
class Partition:
    """A partition of a table: checks with ids below `before`, or None for `…_other`."""

    table: str
    name: str
    before: UUID | None


def partitions() -> list[Partition]:
    """Return all partitions, of each table the oldest first and `…_other` last."""
    rows = []
    with connection.cursor() as cursor:
        for table in MONTHLY:
            cursor.execute(_PARTITIONS, [table])
            rows += [Partition(table, name, before) for name, before in cursor.fetchall()]
    return rows


def make_months(first: date, last: date) -> int:
    """Create the missing partitions from `first` to `last`; return how many.

    Raises OperationalError if a lock is not obtained soon; then none was created.
    """
    # The first day of each month from `first` to `last`.
    numbers = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)
    months = [date(number // 12, number % 12 + 1, 1) for number in numbers]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, true)", [LOCK_WAIT])
        cursor.execute(
            "SELECT count(*) FILTER (WHERE watchdog_make_month(name::regclass, day))"
            " FROM unnest(%s::text[]) AS name, unnest(%s::date[]) AS day",
            [list(MONTHLY), months],
        )
        return int(cursor.fetchone()[0])


def make_next_months(now: datetime) -> int:
    """Create the partitions of this month and the AHEAD next ones."""
    months = now.year * 12 + now.month - 1 + AHEAD
    return make_months(now.date(), date(months // 12, months % 12 + 1, 1))


def drop_empty_months(now: datetime) -> list[str]:
    """Drop partitions of past months whose rows were all erased, which frees their disk space.

    Raises OperationalError if a lock is not obtained soon; earlier drops remain.
    """
    this_month = first_id(now.replace(day=1, hour=0, minute=0, second=0, microsecond=0))
    past = [
        partition
        for partition in partitions()
        if partition.before is not None and partition.before <= this_month
    ]
    return [partition.name for partition in past if _dropped(partition)]


def refresh_statistics() -> None:
    """Analyze the partitioned tables as a whole, which autovacuum does not."""
    # Before PostgreSQL 18 a table is not analysed without its partitions.
    alone = "ONLY" if connection.cursor().connection.server_version >= _ANALYZE_ONLY else ""
    with connection.cursor() as cursor:
        for table in MONTHLY:
            cursor.execute(f"ANALYZE {alone} {table}")


def first_id(moment: datetime, apart: timedelta = timedelta(0)) -> UUID:
    """Return the lowest UUIDv7 of a millisecond, moved by `apart`.

    Times before 1970 count as 1970.
    """
    milliseconds = int((moment.timestamp() + apart.total_seconds()) * 1000)
    return UUID(int=max(milliseconds, 0) << 80)


@transaction.atomic
def _dropped(partition: Partition) -> bool:
    """Drop a partition if it is empty, under a lock against writers; return whether it was."""
    with connection.cursor() as cursor:
        if not _is_empty(partition):
            return False
        cursor.execute("SELECT set_config('lock_timeout', %s, true)", [LOCK_WAIT])
        cursor.execute(f"LOCK TABLE {partition.name} IN ACCESS EXCLUSIVE MODE")
        if not _is_empty(partition):
            return False
        cursor.execute(f"ALTER TABLE {partition.table} DETACH PARTITION {partition.name}")
        cursor.execute(f"DROP TABLE {partition.name}")
    return True


def _is_empty(partition: Partition) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT NOT EXISTS (SELECT FROM {partition.name})")  # noqa: S608 - a name
        return bool(cursor.fetchone()[0])
