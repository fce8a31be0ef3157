"""Counts checks into the trends: once each, however late or often a check ends.

The end of a check adds an entry to `TrendPending` in the same transaction. Counting deletes entries
and adds to the cells in one transaction, so a counter that is killed has done nothing
(docs/decisions/0610-trends-are-counted-from-an-outbox.md).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from django.apps import AppConfig
from django.db import DEFAULT_DB_ALIAS, connection, transaction
from psycopg2 import sql

from analysis.engine.codec import decode_text
from analysis.engine.signal_types import JudgeUse
from analysis.models import CountedCheck, ModelUse, TrendCell, TrendPending
from analysis.sql import load
from analysis.trends.metrics import (
    LAYOUT,
    LENGTH,
    NOTHING_FOUND,
    PLACES,
    TIMES,
    Dimension,
    Facts,
    Grain,
    bucket_of,
    positions,
    series_of,
)

AT_ONCE = 1_000
MOST_BATCHES = 50
_LOCK = 0x7472656E6473
"""The advisory lock that a counter holds until its transaction ends ("trends" in ASCII)."""
_TAKE, _FACTS = load("take_pending"), load("trend_facts")
_ADD, _ADD_CLAIMS, _ADD_JUDGES = load("add_trends"), load("add_claims"), load("add_judges")
_REBUILD = load("rebuild_trends")
_FAILED_PLACE = PLACES["checks"].start + 1
_SUMMED = ("decided", "unavailable", "calls", "tokens")
_MOST_NAME = 160
_CHANGES = ("policy", "places", "nothing_found")
_TABLE = TrendCell._meta.db_table
CellKey = tuple[UUID, Dimension, Grain, datetime, str]


@dataclass(frozen=True, slots=True)
class CountedRow:
    """A check, its facts, and whether it is counted (1) or no longer counted (-1)."""

    check_id: UUID
    facts: Facts
    delta: int


def await_counting(checks: Iterable[UUID], *, failed: bool, delta: int = 1) -> None:
    """Queue failed (1) or requeued (-1) checks for counting, in the caller's transaction.

    `finish_check.sql` does the same for checks that are done.
    """
    TrendPending.objects.bulk_create(
        TrendPending(check_id=check, failed=failed, delta=delta) for check in checks
    )


def count_waiting(*, wait: bool = False) -> int:
    """Count pending entries in up to MOST_BATCHES transactions; return how many were counted.

    If somebody else is counting, return 0 at once, or with `wait` after they finish.
    """
    total = 0
    for _ in range(MOST_BATCHES):
        batch_count = count_batch(wait=wait)
        total += batch_count
        if batch_count < AT_ONCE:
            break
    return total


@transaction.atomic
def count_batch(*, limit: int = AT_ONCE, wait: bool = False) -> int:
    """Count up to `limit` entries in one transaction; return how many.

    If somebody else is counting, return 0 at once, or with `wait` after they finish.
    """
    with connection.cursor() as cursor:
        if wait:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        else:
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_LOCK])
            if not cursor.fetchone()[0]:
                return 0
        cursor.execute(_TAKE, {"limit": limit})
        rows = cursor.fetchall()
        if not rows:
            return 0
        deltas = Counter[tuple[UUID, bool]]()
        for check_id, failed, delta in rows:
            deltas[check_id, failed] += delta
        ids = list({check_id for check_id, _ in deltas})
        cursor.execute(_FACTS, {"ids": ids, "nothing_found": list(NOTHING_FOUND)})
        facts = {row[0]: row for row in cursor.fetchall()}
        counted_rows = [
            CountedRow(check_id, _facts(facts[check_id], failed=failed), delta)
            for (check_id, failed), delta in deltas.items()
            if delta
        ]
        add_cells(sum_cells((item.facts, item.delta) for item in counted_rows))
        store_counted(counted_rows)
    return len(rows)


def _facts(row: tuple[Any, ...], *, failed: bool) -> Facts:
    """Parse a row of `trend_facts.sql`; the outcome is ignored if the entry says `failed`."""
    _, application_id, created_at, collections, source_model, *outcome = row
    names = tuple(str(name) for name in collections)
    if failed:
        return Facts(application_id, created_at, names, source_model, failed=True)
    policy, action, risk_score, rejection, decided_by, not_checked, worker, total, *more = outcome
    nothing_found, models, engine, claims, model_ms, judges, *kind = more
    answer_length, source_count, language = kind
    return Facts(
        application_id, created_at, names, source_model, failed=False, policy=str(policy),
        action=action, risk_score=risk_score, rejection=rejection, decided_by=decided_by or "",
        not_checked=tuple(not_checked), worker_ms=worker, total_ms=total, model_ms=model_ms,
        nothing_found=nothing_found, claims=claims,
        judges=decode_text(tuple[JudgeUse, ...], judges), answer_length=answer_length,
        source_count=source_count, language=language,
        models=(("engine", engine), *((signal, model) for signal, model in models)),
    )  # fmt: skip


def sum_cells(weighted: Iterable[tuple[Facts, int]]) -> dict[CellKey, list[int]]:
    """Add up the vectors of some checks by cell."""
    cells: dict[CellKey, list[int]] = defaultdict(lambda: [0] * LENGTH)
    for facts, weight in weighted:
        places, series = positions(facts), series_of(facts)
        for grain in Grain:
            bucket = bucket_of(facts.created_at, grain)
            for dimension, value in series:
                cell = cells[facts.application_id, dimension, grain, bucket, value]
                for place in places:
                    cell[place] += weight
    return {key: counts for key, counts in cells.items() if any(counts)}


def add_cells(cells: dict[CellKey, list[int]]) -> None:
    """Add vectors to their cells, in the caller's transaction."""
    if not cells:
        return
    applications, dimensions, grains, buckets, series = zip(*cells, strict=True)
    columns = {
        "applications": list(map(str, applications)),
        "dimensions": list(map(str, dimensions)),
        "grains": list(map(str, grains)),
        "buckets": list(buckets),
        "series": list(series),
        "counts": ["{" + ",".join(map(str, counts)) + "}" for counts in cells.values()],
    }
    with connection.cursor() as cursor:
        cursor.execute(_ADD, columns)


# What is stored beside the counts: the checks behind each figure; models, claims and judges by
# day. The counting transaction writes all of it, so that a list contains exactly the checks of its
# figure.


def store_counted(counted_rows: Sequence[CountedRow]) -> None:
    """Store these checks and delete those being retried, within the caller's transaction."""
    retried_ids = [item.check_id for item in counted_rows if item.delta < 0]
    if retried_ids:
        # A check that was counted as done in the meantime is kept.
        CountedCheck.objects.filter(pk__in=retried_ids, places__contains=[_FAILED_PLACE]).delete()
    new_rows = [item for item in counted_rows if item.delta > 0]
    CountedCheck.objects.bulk_create(
        [_row(item) for item in new_rows],
        update_conflicts=True,
        unique_fields=["check_record"],
        update_fields=_CHANGES,
    )
    new_facts = [item.facts for item in new_rows]
    uses = {
        (facts.application_id, _day(facts), signal, model)
        for facts in new_facts
        for signal, model in facts.models
    }
    ModelUse.objects.bulk_create(
        [
            ModelUse(
                application_id=application, day=day, signal=signal[:40], model=model[:_MOST_NAME]
            )
            for application, day, signal, model in sorted(uses)
        ],
        ignore_conflicts=True,
    )
    # Add claims, times and the judges' work on finished checks, each counted once, to their days of
    # submission.
    sums: dict[tuple[UUID, date], Counter[str]] = defaultdict(Counter)
    of_judges: dict[tuple[UUID, date, str], Counter[str]] = defaultdict(Counter)
    for facts in new_facts:
        # As in the buckets, a negative time (two clocks) counts as 0; failed checks have none.
        times = {name: max(0, round(time_of(facts) or 0)) for name, time_of in TIMES.items()}
        sums[facts.application_id, _day(facts)].update(claims=facts.claims, **times)
        for use in facts.judges:
            key = facts.application_id, _day(facts), use.judge[:_MOST_NAME]
            of_judges[key].update({name: getattr(use, name) for name in _SUMMED})
    _add(_ADD_CLAIMS, ("applications", "days"), sums, ("claims", *TIMES))
    _add(_ADD_JUDGES, ("applications", "days", "judges"), of_judges, _SUMMED)


def _row(counted_row: CountedRow) -> CountedCheck:
    facts = counted_row.facts
    series = series_of(facts)
    return CountedCheck(
        check_record_id=counted_row.check_id,
        application_id=facts.application_id,
        created_at=facts.created_at,
        source_model=next(value for name, value in series if name is Dimension.SOURCE_MODEL),
        policy=facts.policy,
        collections=[value for name, value in series if name is Dimension.COLLECTION],
        places=positions(facts),
        nothing_found=facts.nothing_found,
    )


def _day(facts: Facts) -> date:
    return facts.created_at.astimezone(UTC).date()


def _add(
    statement: str,
    keys: Sequence[str],
    sums: Mapping[Any, Counter[str]],
    names: Sequence[str],
) -> None:
    """Add sums by statement, whose parameters are columns: the parts of the keys, then the sums."""
    if not sums:
        return
    columns: dict[str, list[Any]] = {
        **{key: [str(each[at]) for each in sums] for at, key in enumerate(keys)},
        **{name: [counts[name] for counts in sums.values()] for name in names},
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, columns)


# Recounts of all checks: by a command, and after the positions in the vectors have changed. The
# layout of the stored vectors is the comment of their table, which backups keep; a table filled
# before that has no comment.


@transaction.atomic
def forget_counts() -> int:
    """Delete all counts and queue every check for counting; return how many wait."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        cursor.execute(_REBUILD)
        return int(cursor.rowcount)


def after_migration(sender: AppConfig, using: str, **_rest: Any) -> None:
    """Recount after `manage.py migrate` if needed; do nothing if tables are missing."""
    tables = {model._meta.db_table for model in sender.get_models()}
    if using == DEFAULT_DB_ALIAS and tables <= set(connection.introspection.table_names()):
        recount_if_moved()


@transaction.atomic
def recount_if_moved() -> int:
    """Queue all checks for counting if positions have moved; return how many wait."""
    if stored_layout() == LAYOUT:
        return 0
    pending = forget_counts() if TrendCell.objects.exists() else 0
    with connection.cursor() as cursor:
        comment = sql.SQL("COMMENT ON TABLE {} IS {}")
        cursor.execute(comment.format(sql.Identifier(_TABLE), sql.Literal(LAYOUT)))
    return pending


def stored_layout() -> str:
    """Return the layout of the stored vectors, or "" if none was recorded."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT obj_description(%s::regclass, 'pg_class')", [_TABLE])
        return cursor.fetchone()[0] or ""
