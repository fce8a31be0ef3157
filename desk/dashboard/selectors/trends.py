"""Reads the trends: the counts of a period and the readings of metrics."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import numpy as np

from analysis.models import TrendPending
from analysis.trends.metrics import (
    LENGTH,
    PLACES,
    Dimension,
    Grain,
    Metric,
    VectorSlice,
    bucket_of,
    length_of,
)
from desk.dashboard.selectors.rows import fetch_rows
from desk.dashboard.trends.reading import Counts, MetricReading, added_up, matrix, read

MAX_BUCKETS = {Grain.HOUR: 14 * 24, Grain.DAY: 400}
MAX_SERIES = 10
MAX_WAITING = 10_000
_CHECKS = PLACES["checks"]
_SECONDS = 1 << 40
"""More than the seconds of any bucket since 1970: a key is a place times this, and seconds."""
_VALUES = """
SELECT value, sum(counts[%(done)s] + counts[%(failed)s])
FROM analysis_trendcell
WHERE application_id = ANY(%(applications)s::uuid[]) AND dimension = %(dimension)s
  AND grain = %(grain)s AND bucket >= %(start)s AND bucket < %(end)s
GROUP BY value
HAVING sum(counts[%(done)s] + counts[%(failed)s]) > 0
ORDER BY 2 DESC, 1
"""
_CELLS = """
SELECT array_position(%(values)s::text[], value::text), extract(epoch FROM bucket)::bigint,
       (counts[%(checks)s:%(checks_end)s] || counts[%(first)s:%(last)s])::text
FROM analysis_trendcell
WHERE application_id = ANY(%(applications)s::uuid[]) AND dimension = %(dimension)s
  AND grain = %(grain)s AND bucket >= %(start)s AND bucket < %(end)s
  AND value = ANY(%(values)s)
"""


class PeriodError(ValueError):
    """Raised for a period that cannot be shown; the message says why."""


@dataclass(frozen=True, slots=True)
class BucketRange:
    """Whole buckets in UTC, [start, end)."""

    grain: Grain
    start: datetime
    end: datetime

    @classmethod
    def around(cls, grain: Grain, start: datetime, end: datetime) -> "BucketRange":
        """Return the buckets that [start, end) touches. Raises PeriodError if empty or too long."""
        if start >= end:
            raise PeriodError("The period ends before it begins.")
        step = length_of(grain)
        first, last = bucket_of(start, grain), bucket_of(end, grain)
        rounded_end = last if last == end else last + step
        buckets, most = (rounded_end - first) // step, MAX_BUCKETS[grain]
        if buckets > most:
            raise PeriodError(
                f"The period has {buckets:,} {grain}s; at most {most} are shown at once. "
                "Take a shorter period" + (", or days." if grain is Grain.HOUR else ".")
            )
        return cls(grain, first, rounded_end)


@dataclass(frozen=True, slots=True)
class TrendQuery:
    """A query for cells. `value` None: all values of the dimension, the most frequent first."""

    applications: tuple[UUID, ...]
    period: BucketRange
    dimension: Dimension = Dimension.ALL
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """The vectors of one value by bucket, oldest first; only buckets with checks."""

    value: str
    buckets: tuple[datetime, ...]
    vectors: Counts

    @property
    def total(self) -> Counts:
        """The sum of all vectors."""
        summed: Counts = self.vectors.sum(axis=0)
        return summed


@dataclass(frozen=True, slots=True)
class Trend:
    """The series found for a query; `left_out` less frequent values are not included.

    Vectors hold the counts of `checks` and then those of `metric`, or of all metrics where None.
    """

    metric: Metric | None
    series: tuple[Series, ...]
    left_out: int

    def read(self, metric: Metric, vector: Counts) -> MetricReading:
        """Return a metric's reading of a vector. Raises KeyError if its counts were not read."""
        return self.read_all(metric, vector[np.newaxis])[0]

    def read_all(self, metric: Metric, vectors: Counts) -> list[MetricReading]:
        """Return a metric's reading of each row."""
        return read(metric, vectors, self._start(metric))

    def _start(self, metric: Metric) -> int:
        if self.metric is None:
            return _CHECKS.end + PLACES[metric.name].start
        if metric is not self.metric:
            raise KeyError(metric.name)
        return _CHECKS.end


def trend(query: TrendQuery, metric: Metric | None = None) -> Trend:
    """Return the cells of the query, added up over applications; at most two queries.

    With a `metric` only its counts are read; None reads all, as a page with many figures needs.
    """
    values, left_out = _values(query)
    keys, vectors = added_up(*_cells(query, values, metric))
    places, seconds = np.divmod(keys, _SECONDS)
    moments = {item: datetime.fromtimestamp(item, UTC) for item in np.unique(seconds).tolist()}
    series = []
    for at, value in enumerate(values):
        first, last = np.searchsorted(places, (at, at + 1))
        if first < last:
            buckets = tuple(moments[item] for item in seconds[first:last].tolist())
            series.append(Series(value, buckets, vectors[first:last]))
    return Trend(metric, tuple(series), left_out)


def waiting() -> int:
    """Return how many ended checks await counting, over all applications; stops at 10,000."""
    return TrendPending.objects.values("pk")[:MAX_WAITING].count()


def _values(query: TrendQuery) -> tuple[list[str], int]:
    """Return the values shown, the most frequent first, and the number of others."""
    if query.value is not None or query.dimension is Dimension.ALL:
        return [query.value or ""], 0
    places = {"done": _CHECKS.start + 1, "failed": _CHECKS.start + 2}
    rows = fetch_rows(_VALUES, query.applications, **_parameters(query), **places)
    values = [value for value, _ in rows]
    return values[:MAX_SERIES], max(0, len(values) - MAX_SERIES)


def _cells(query: TrendQuery, values: list[str], metric: Metric | None) -> tuple[Counts, Counts]:
    """Return a key for each cell (index of its value, then bucket) and its counts.

    The counts are read as text and parsed at once: a list of numbers for each cell costs more than
    all the rest of the answer.
    """
    place = VectorSlice(0, LENGTH) if metric is None else PLACES[metric.name]
    # The database's own numbers of an array's elements begin at 1.
    slices = {
        "checks": _CHECKS.start + 1,
        "checks_end": _CHECKS.end,
        "first": place.start + 1,
        "last": place.end,
    }
    rows = fetch_rows(_CELLS, query.applications, **_parameters(query), **slices, values=values)
    keys = np.array([(at - 1) * _SECONDS + second for at, second, _ in rows], dtype=np.int64)
    width = _CHECKS.end - _CHECKS.start + place.end - place.start
    return keys, matrix([counts for _, _, counts in rows], width)


def _parameters(query: TrendQuery) -> dict[str, Any]:
    return {
        "dimension": str(query.dimension),
        "grain": str(query.period.grain),
        "start": query.period.start,
        "end": query.period.end,
    }
