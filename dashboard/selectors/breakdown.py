"""The same few counts for each application, collection, source model or policy version."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connections, router

from analysis.models import TrendCell
from analysis.trends.metrics import BY_NAME, PLACES, Dimension

COUNTED = (
    ("checks", "done"), ("checks", "failed"), ("rejections", "any"), ("actions", "BLOCK"),
    ("actions", "WARN"), ("not_checked", "any"),
)  # fmt: skip
"""What is counted, as metric and key."""
MOST = 200
_PLACES = [PLACES[m].start + BY_NAME[m].keys.index(key) + 1 for m, key in COUNTED]
_SUMS = ", ".join(
    f"COALESCE(sum(counts[{place}]) FILTER (WHERE bucket {side} %(start)s), 0)"
    for side in (">=", "<")
    for place in _PLACES
)
_BROKEN_DOWN = """
SELECT {by}, {sums}
FROM analysis_trendcell
WHERE application_id = ANY(%(applications)s::uuid[]) AND dimension = %(dimension)s
  AND grain = 'day' AND bucket >= %(before)s AND bucket < %(end)s
  AND (%(value)s::text IS NULL OR value = %(value)s)
GROUP BY 1
ORDER BY 2 DESC, 1
LIMIT %(most)s
"""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many checks of COUNTED there were."""

    done: int
    failed: int
    rejected: int
    blocked: int
    warned: int
    not_checked: int

    @property
    def ended(self) -> int:
        return self.done + self.failed


@dataclass(frozen=True, slots=True)
class BreakdownRow:
    """One value (or application) in a period and in the one before."""

    value: str
    now: Counts
    before: Counts


def by_value(
    applications: Sequence[UUID],
    dimension: Dimension,
    *,
    before: datetime,
    start: datetime,
    end: datetime,
) -> list[BreakdownRow]:
    """Each value of a dimension, the most frequent first, at most MOST; days in UTC."""
    return _parted("value", applications, dimension, None, (before, start, end))


def by_application(
    applications: Sequence[UUID],
    dimension: Dimension,
    value: str,
    *,
    before: datetime,
    start: datetime,
    end: datetime,
) -> list[BreakdownRow]:
    """Each application (its id as text) with the checks of one value of a dimension."""
    times = (before, start, end)
    return _parted("application_id::text", applications, dimension, value, times)


def _parted(
    by: str,
    applications: Sequence[UUID],
    dimension: Dimension,
    value: str | None,
    times: tuple[datetime, datetime, datetime],
) -> list[BreakdownRow]:
    parameters = {
        "applications": [str(application) for application in applications],
        "dimension": str(dimension),
        "value": value,
        "before": times[0],
        "start": times[1],
        "end": times[2],
        "most": MOST,
    }
    with connections[router.db_for_read(TrendCell)].cursor() as cursor:
        cursor.execute(_BROKEN_DOWN.format(by=by, sums=_SUMS), parameters)
        rows = cursor.fetchall()
    width = len(COUNTED)
    return [
        BreakdownRow(value, Counts(*map(int, sums[:width])), Counts(*map(int, sums[width:])))
        for value, *sums in rows
        if any(sums)
    ]
