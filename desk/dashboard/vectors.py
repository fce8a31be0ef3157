"""The counts of a period by the bins of a chart."""

from bisect import bisect_right
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import numpy as np

from analysis.trends.metrics import LENGTH, PLACES
from desk.dashboard.selectors.trends import Trend
from desk.dashboard.trends.reading import Counts
from desk.reviews.figures.dashboard_filter import Bin

_WIDTH = PLACES["checks"].end - PLACES["checks"].start + LENGTH


def by_bin(trend: Trend, bins: Sequence[Bin]) -> Counts:
    """Return the counts of all metrics for each bin; zeros if there were no checks."""
    summed: Counts = np.zeros((len(bins), _WIDTH), dtype=np.int64)
    starts = [item.span.start for item in bins]
    for series in trend.series:
        for at, vector in zip(series.buckets, series.vectors, strict=True):
            summed[place(starts, at)] += vector
    return summed


def place(starts: Sequence[datetime], at: datetime) -> int:
    """Return the index of the bin that contains a moment; bins are contiguous."""
    return bisect_right(starts, at) - 1


def total(vectors: Counts) -> Any:
    return vectors.sum(axis=0, keepdims=True)
