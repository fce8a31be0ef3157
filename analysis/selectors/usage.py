"""Usage of applications by day or month (UTC), from the counts of the trends."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.db import connection

from analysis.sql import load
from analysis.trends.metrics import PLACES

MOST_DAYS = 366
_USED = load("usage")
_CHECKS = PLACES["checks"]
_LAST = date(9999, 12, 30)
MonthlyCounts = tuple[int, int, int, int]
"""Checks, those that are done, those that have failed, claims."""


@dataclass(frozen=True, slots=True)
class DailyUse:
    """The checks submitted on one day. Checks erased since then still count."""

    day: date
    checks: int
    done: int
    failed: int
    claims: int


COLUMNS = tuple(field.name for field in fields(DailyUse))


def usage_of(application_id: UUID, first: date, last: date) -> Sequence[DailyUse]:
    """Return the days from `first` to `last` with any submission."""
    return [DailyUse(*row) for _, *row in _rows("day", [application_id], first, last)]


def used_by_month(
    application_ids: Collection[UUID], first: date
) -> Mapping[tuple[UUID, date], MonthlyCounts]:
    """Return usage by application and first day of the month (UTC) since `first`, in one query."""
    rows = _rows("month", application_ids, first, _LAST)
    return {(row[0], row[1]): row[2:] for row in rows}


def _rows(
    grain: str, application_ids: Collection[UUID], first: date, last: date
) -> list[tuple[Any, ...]]:
    parameters: dict[str, Any] = {
        "grain": grain,
        "applications": list(application_ids),
        "first": first,
        "behind": last + timedelta(days=1),
        # The database's own numbers of an array's elements begin at 1.
        "done": _CHECKS.start + 1,
        "failed": _CHECKS.start + 2,
    }
    with connection.cursor() as cursor:
        cursor.execute(_USED, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows
