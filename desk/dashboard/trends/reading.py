"""Reads metrics from vectors of counts: thousands at once, since a page needs that many.

A vector is a row of a matrix: the counts of `checks`, then those of one metric or of all.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from analysis.trends import histogram
from analysis.trends.metrics import PLACES, Metric, MetricKind

Counts = np.ndarray[Any, np.dtype[np.int64]]
"""One vector, or a matrix with a vector in each row."""
_Shares = np.ndarray[Any, np.dtype[np.float64]]
_CHECKS = PLACES["checks"]
_NAMES = tuple(f"p{percent}" for percent in histogram.PERCENTILES)


class MetricReading(NamedTuple):
    """A metric's reading of some checks. (A tuple is created in a third of a dataclass's time.)

    `of` is the denominator. `counts` has the keys above 0; `shares` is None for percentiles and if
    `of` is 0; `percentiles` is None for all other metrics, in milliseconds.
    """

    of: int
    counts: dict[str, int]
    shares: dict[str, float] | None
    percentiles: dict[str, float | None] | None


def read(metric: Metric, vectors: Counts, start: int) -> list[MetricReading]:
    """Return the reading of each row for a metric whose counts begin at column `start`."""
    counts = vectors[:, start : start + len(metric.keys)]
    of = vectors[:, _CHECKS.start].copy()
    if metric.of_failed:
        of += vectors[:, _CHECKS.start + 1]
    if metric.kind is MetricKind.PERCENTILES:
        percentiles = histogram.percentiles(counts, histogram.PERCENTILES)
        pairs = zip(of.tolist(), percentiles, strict=True)
        return [MetricReading(n, {}, None, dict(zip(_NAMES, row, strict=True))) for n, row in pairs]
    return _shares(metric.keys, of, counts)


def matrix(texts: Sequence[str], width: int) -> Counts:
    """Parse arrays as PostgreSQL writes them ("{1,0,2}") into rows of `width` counts at once.

    Raises ValueError for anything else.
    """
    text = "".join(texts).replace("}{", ",").strip("{}")
    numbers = np.fromstring(text, dtype=np.int64, sep=",") if text else np.zeros(0, np.int64)
    return numbers.reshape(len(texts), width)


def added_up(keys: Counts, vectors: Counts) -> tuple[Counts, Counts]:
    """Return the distinct keys, ascending, and the sum of the rows of each.

    Zero sums are left out.
    """
    order = np.argsort(keys, kind="stable")
    unique_keys, starts = np.unique(keys[order], return_index=True)
    sums = np.add.reduceat(vectors[order], starts, axis=0) if len(unique_keys) else vectors
    some = sums.any(axis=1)
    return unique_keys[some], sums[some]


def rounded(shares: _Shares) -> _Shares:
    """Round each like Python's `round(share, 6)`; numpy's differs near a tie."""
    scaled = shares * 1e6
    results: _Shares = np.rint(scaled) / 1e6
    for at in np.flatnonzero(np.abs(scaled % 1 - 0.5) < 1e-6):
        results[at] = round(float(shares[at]), 6)
    return results


def _shares(keys: Sequence[str], of: Counts, counts: Counts) -> list[MetricReading]:
    """Return each row's counts above 0 and their shares; iterates only over them, as most are 0."""
    rows, columns = np.nonzero(counts)
    numbers = counts[rows, columns]
    shares = rounded(numbers / np.maximum(of[rows], 1))
    readings = [MetricReading(n, {}, {} if n else None, None) for n in of.tolist()]
    cells = zip(rows.tolist(), columns.tolist(), numbers.tolist(), shares.tolist(), strict=True)
    for row, column, number, share in cells:
        reading, key = readings[row], keys[column]
        reading.counts[key] = number
        if reading.shares is not None:
            reading.shares[key] = share
    return readings
