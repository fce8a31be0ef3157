"""A fixed-bucket histogram of times; two can be added, so any period has percentiles.

The bounds are Renard's R10 series (10 a decade, each about 1.26 times the one before), so that a
percentile read from the buckets is off by less than 26 % of its value.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

import numpy as np

_DECADE = (1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0)
BOUNDS = (*(step * 10.0**power for power in range(6) for step in _DECADE), 1_000_000.0)
"""Milliseconds, 1 to 1,000,000; bucket n holds BOUNDS[n-1] <= time < BOUNDS[n]."""
KEYS = ("0", *(f"{bound:g}" if bound < 100_000 else f"{bound:.0f}" for bound in BOUNDS))
"""The lower bound of each bucket in milliseconds."""
PERCENTILES = (50, 90, 95, 99)
_Counts = np.ndarray[Any, np.dtype[np.int64]]
_Times = np.ndarray[Any, np.dtype[np.float64]]
_LOW = np.array((0.0, *BOUNDS))
_HIGH = np.array((*BOUNDS, BOUNDS[-1]))


def bucket(milliseconds: float) -> int:
    """Return the bucket of a time; a negative time (two clocks) counts as 0."""
    return bisect_right(BOUNDS, milliseconds)


def percentiles(
    histograms: Sequence[Sequence[int]] | _Counts, percents: Sequence[float]
) -> list[list[float | None]]:
    """Return the milliseconds that each percentage (0-100) of a histogram stays at or below.

    None for an empty histogram. Values are assumed evenly spread inside a bucket; the last, open
    one returns its lower bound. All histograms at once, since a page needs thousands.
    """
    if not len(histograms):
        return []
    counts = np.asarray(histograms, dtype=np.int64)
    reached = counts.cumsum(axis=1)
    totals = reached[:, -1]
    some = totals > 0
    columns = [_column(counts, reached, percent / 100 * totals) for percent in percents]
    rows = np.round(np.stack(columns, axis=1), 2).tolist()
    return [row if full else [None] * len(percents) for row, full in zip(rows, some, strict=True)]


def _column(counts: _Counts, reached: _Counts, ranks: _Times) -> _Times:
    """Return the time at each histogram's rank; the value is arbitrary for empty histograms."""
    rows, last = np.arange(len(counts)), counts.shape[1] - 1
    at = np.minimum((reached < ranks[:, None]).sum(axis=1), last)
    inside = np.maximum(counts[rows, at], 1)
    share = 1 - (reached[rows, at] - ranks) / inside
    times: _Times = _LOW[at] + share * (_HIGH[at] - _LOW[at])
    return times
