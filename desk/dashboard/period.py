"""The counts of a period, as tables and tiles read them."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from analysis.trends import histogram
from analysis.trends.metrics import BY_NAME
from desk.dashboard.page_parts import day
from desk.dashboard.selectors import trends
from desk.dashboard.selectors.trends import Trend
from desk.dashboard.trends.reading import Counts, MetricReading
from desk.dashboard.vectors import by_bin, total
from desk.reviews.figures import links
from desk.reviews.figures.dashboard_filter import ALL, Bin, DashboardFilter
from desk.reviews.figures.links import ONWARDS


@dataclass(frozen=True, slots=True)
class PeriodCounts:
    """The counts of a period: a row for each bin, and their sum."""

    filters: DashboardFilter
    bins: tuple[Bin, ...]
    trend: Trend
    vectors: Counts

    def over_time(self, metric: str) -> list[MetricReading]:
        """Return a metric's reading for each bin."""
        return self.trend.read_all(BY_NAME[metric], self.vectors)

    def whole(self, metric: str) -> MetricReading:
        return self.trend.read_all(BY_NAME[metric], total(self.vectors))[0]


def read_period(filters: DashboardFilter) -> PeriodCounts:
    """Return the counts of the filters' period, from the first bin with checks on."""
    span = filters.span
    part = filters.part or ALL
    buckets = trends.BucketRange.around(filters.grain, span.start, span.end)
    trend = trends.trend(
        trends.TrendQuery(filters.applications, buckets, part.dimension, part.value)
    )
    bins = tuple(filters.bins())
    vectors = by_bin(trend, bins)
    first = int(vectors.any(axis=1).argmax())  # 0 if no bin has any
    return PeriodCounts(filters, bins[first:], trend, vectors[first:])


def slower_checks(
    filters: DashboardFilter, metric: str, value: float | None, bin_: Bin | None = None
) -> str:
    """Return the link to the checks that took as long or longer, or ""."""
    if value is None:
        return ""
    key = histogram.KEYS[histogram.bucket(value)]
    return links.checks(filters, metric, key, ONWARDS, span=bin_.span if bin_ else None)


def days_before(filters: DashboardFilter) -> str:
    """Return the days of the preceding period, in words."""
    before = filters.before
    return _("%(first)s to %(last)s") % {"first": day(before.first), "last": day(before.last)}
