"""Reading the trends: the counts of a period, and what each metric says of them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from analysis.models import TrendPending
from analysis.trends import histogram
from analysis.trends.metrics import (
    LENGTH,
    PLACES,
    Dimension,
    Grain,
    Kind,
    Metric,
    Place,
    bucket_of,
    length_of,
)

MAX_BUCKETS = {Grain.HOUR: 14 * 24, Grain.DAY: 400}
MAX_SERIES = 10
MAX_WAITING = 10_000
_CHECKS = PLACES["checks"]
_NAMES = tuple(f"p{percent}" for percent in histogram.PERCENTILES)
_VALUES = """
SELECT value, sum(counts[%(done)s] + counts[%(dead)s])
FROM analysis_trendcell
WHERE application_id = ANY(%(applications)s::uuid[]) AND dimension = %(dimension)s
  AND grain = %(grain)s AND bucket >= %(start)s AND bucket < %(end)s
GROUP BY value
HAVING sum(counts[%(done)s] + counts[%(dead)s]) > 0
ORDER BY 2 DESC, 1
"""
_CELLS = """
SELECT value, bucket, counts[%(checks)s:%(checks_end)s] || counts[%(first)s:%(last)s]
FROM analysis_trendcell
WHERE application_id = ANY(%(applications)s::uuid[]) AND dimension = %(dimension)s
  AND grain = %(grain)s AND bucket >= %(start)s AND bucket < %(end)s
  AND value = ANY(%(values)s)
"""


class PeriodError(ValueError):
    """A period that cannot be shown, in words."""


@dataclass(frozen=True, slots=True)
class Period:
    """Whole buckets in UTC, [start, end)."""

    grain: Grain
    start: datetime
    end: datetime

    @classmethod
    def around(cls, grain: Grain, start: datetime, end: datetime) -> "Period":
        """The whole buckets that [start, end) touches. Raises PeriodError: empty or too long."""
        if start >= end:
            raise PeriodError("The period ends before it begins.")
        step = length_of(grain)
        first, last = bucket_of(start, grain), bucket_of(end, grain)
        whole = last if last == end else last + step
        buckets, most = (whole - first) // step, MAX_BUCKETS[grain]
        if buckets > most:
            raise PeriodError(
                f"The period has {buckets:,} {grain}s; at most {most} are shown at once. "
                "Take a shorter period" + (", or days." if grain is Grain.HOUR else ".")
            )
        return cls(grain, first, whole)


@dataclass(frozen=True, slots=True)
class Asked:
    """Which cells to read. `value` None: every value of the dimension, the most frequent first."""

    applications: tuple[UUID, ...]
    period: Period
    dimension: Dimension = Dimension.ALL
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What one metric says of some checks.

    `of` is the denominator. `counts` has the keys above 0; `shares` is None for percentiles and
    where `of` is 0; `percentiles` is None for all other metrics, in milliseconds.
    """

    of: int
    counts: dict[str, int]
    shares: dict[str, float] | None
    percentiles: dict[str, float | None] | None


@dataclass(frozen=True, slots=True)
class Series:
    """One value of the dimension: its vectors by bucket (only those with checks), and their sum."""

    value: str
    total: tuple[int, ...]
    by_bucket: dict[datetime, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Trend:
    """The series of a question; `left_out` values were less frequent than those shown.

    Vectors hold the counts of `checks` and then those of `metric`, or of all metrics where None.
    """

    metric: Metric | None
    series: tuple[Series, ...]
    left_out: int

    def read(self, metric: Metric, vector: Sequence[int]) -> Reading:
        """What a metric says of a vector. Raises KeyError for one whose counts were not read."""
        return self.read_all(metric, [vector])[0]

    def read_all(self, metric: Metric, vectors: Sequence[Sequence[int]]) -> list[Reading]:
        """What a metric says of each vector."""
        first, last = self._place(metric)
        counts = [vector[first:last] for vector in vectors]
        done, dead = _CHECKS.start, _CHECKS.start + 1
        of = [vector[done] + (vector[dead] if metric.of_dead else 0) for vector in vectors]
        if metric.kind is Kind.PERCENTILES:
            told = histogram.percentiles(counts, histogram.PERCENTILES)
            pairs = zip(of, told, strict=True)
            return [Reading(n, {}, None, dict(zip(_NAMES, row, strict=True))) for n, row in pairs]
        return [_shares(metric.keys, n, some) for n, some in zip(of, counts, strict=True)]

    def _place(self, metric: Metric) -> tuple[int, int]:
        if self.metric is None:
            place = PLACES[metric.name]
            return _CHECKS.end + place.start, _CHECKS.end + place.end
        if metric is not self.metric:
            raise KeyError(metric.name)
        return _CHECKS.end, _CHECKS.end + len(metric.keys)


def trend(asked: Asked, metric: Metric | None = None) -> Trend:
    """The cells asked for, added up over the applications: at most two queries.

    With a `metric` only its counts are read; None reads all, as a page with many figures needs.
    """
    values, left_out = _values(asked)
    vectors: dict[str, dict[datetime, list[int]]] = defaultdict(dict)
    for value, bucket, counts in _rows(asked, values, metric):
        held = vectors[value].get(bucket)
        added = counts if held is None else [a + b for a, b in zip(held, counts, strict=True)]
        vectors[value][bucket] = added
    series = (_series(value, vectors[value]) for value in values)
    return Trend(metric, tuple(one for one in series if one.by_bucket), left_out)


def waiting() -> int:
    """Checks that have ended and are not counted yet, of all applications; counts to 10,000."""
    return TrendPending.objects.values("pk")[:MAX_WAITING].count()


def _values(asked: Asked) -> tuple[list[str], int]:
    """The values shown, the most frequent first, and how many others there are."""
    if asked.value is not None or asked.dimension is Dimension.ALL:
        return [asked.value or ""], 0
    places = {"done": _CHECKS.start + 1, "dead": _CHECKS.start + 2}
    with connection.cursor() as cursor:
        cursor.execute(_VALUES, _parameters(asked) | places)
        found = [value for value, _ in cursor.fetchall()]
    return found[:MAX_SERIES], max(0, len(found) - MAX_SERIES)


def _rows(
    asked: Asked, values: list[str], metric: Metric | None
) -> list[tuple[str, datetime, list[int]]]:
    place = Place(0, LENGTH) if metric is None else PLACES[metric.name]
    # The database's own numbers of an array's elements begin at 1.
    slices = {
        "checks": _CHECKS.start + 1,
        "checks_end": _CHECKS.end,
        "first": place.start + 1,
        "last": place.end,
    }
    with connection.cursor() as cursor:
        cursor.execute(_CELLS, _parameters(asked) | slices | {"values": values})
        found: list[tuple[str, datetime, list[int]]] = cursor.fetchall()
    return found


def _parameters(asked: Asked) -> dict[str, Any]:
    return {
        "applications": [str(one) for one in asked.applications],
        "dimension": str(asked.dimension),
        "grain": str(asked.period.grain),
        "start": asked.period.start,
        "end": asked.period.end,
    }


def _series(value: str, by_bucket: dict[datetime, list[int]]) -> Series:
    kept = {at: tuple(by_bucket[at]) for at in sorted(by_bucket) if any(by_bucket[at])}
    total = tuple(map(sum, zip(*kept.values(), strict=True)))
    return Series(value, total, kept)


def _shares(keys: Sequence[str], of: int, counts: Sequence[int]) -> Reading:
    named = {key: n for key, n in zip(keys, counts, strict=True) if n}
    shares = {key: round(n / of, 6) for key, n in named.items()} if of else None
    return Reading(of, named, shares, None)
