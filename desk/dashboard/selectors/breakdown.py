"""The same few counts for each application, collection, source model or policy version."""

from dataclasses import dataclass

from analysis.trends.metrics import BY_NAME, PLACES, Dimension
from desk.dashboard.selectors.rows import fetch_rows
from desk.reviews.figures.dashboard_filter import ALL, DashboardFilter

COUNTED = (
    ("checks", "done"), ("checks", "failed"), ("rejections", "any"), ("actions", "BLOCK"),
    ("actions", "WARN"), ("not_checked", "any"),
)  # fmt: skip
"""The counts, as metric and key."""
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
    """The numbers of checks by the outcomes in COUNTED."""

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


def by_value(filters: DashboardFilter, dimension: Dimension) -> list[BreakdownRow]:
    """Return each value of a dimension, the most frequent first, at most MOST; days in UTC."""
    return _broken_down("value", filters, dimension, None)


def by_application(filters: DashboardFilter) -> list[BreakdownRow]:
    """Return each application (its id as text) with its checks of the filtered part."""
    part = filters.part or ALL
    return _broken_down("application_id::text", filters, part.dimension, part.value)


def _broken_down(
    by: str, filters: DashboardFilter, dimension: Dimension, value: str | None
) -> list[BreakdownRow]:
    rows = fetch_rows(
        _BROKEN_DOWN.format(by=by, sums=_SUMS),
        filters.applications,
        dimension=str(dimension),
        value=value,
        before=filters.before.span.start,
        start=filters.span.start,
        end=filters.span.end,
        most=MOST,
    )
    width = len(COUNTED)
    return [
        BreakdownRow(value, Counts(*map(int, sums[:width])), Counts(*map(int, sums[width:])))
        for value, *sums in rows
        if any(sums)
    ]
