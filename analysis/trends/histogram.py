"""A fixed-bucket histogram of times: two add up, so that percentiles of any period can be told.

The bounds are Renard's R10 series (10 a decade, each about 1.26 times the one before), so that a
percentile read from the buckets is off by less than 26 % of its value.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

_DECADE = (1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0)
BOUNDS = (*(step * 10.0**power for power in range(6) for step in _DECADE), 1_000_000.0)
"""Milliseconds, 1 to 1,000,000; bucket n holds BOUNDS[n-1] <= time < BOUNDS[n]."""
KEYS = ("0", *(f"{bound:g}" if bound < 100_000 else f"{bound:.0f}" for bound in BOUNDS))
"""The lower bound of each bucket in milliseconds."""
PERCENTILES = (50, 90, 95, 99)


def bucket(milliseconds: float) -> int:
    """The bucket of a time; what lies below 0 (two clocks) counts as 0."""
    return bisect_right(BOUNDS, milliseconds)


def percentile(counts: Sequence[int], percent: float) -> float | None:
    """The time in milliseconds that `percent` (0-100) of all stay at or below; None for none.

    Evenly spread inside its bucket; in the last, open one its lower bound.
    """
    return percentiles(counts, (percent,))[0]


def percentiles(counts: Sequence[int], percents: Sequence[float]) -> list[float | None]:
    """Several percentiles of the same times."""
    reached = list(accumulate(counts))
    if not reached or reached[-1] <= 0:
        return [None] * len(percents)
    ranks = (percent / 100 * reached[-1] for percent in percents)
    return [_at_rank(counts, reached, rank) for rank in ranks]


def _at_rank(counts: Sequence[int], reached: Sequence[int], rank: float) -> float:
    at = bisect_left(reached, rank)
    return _inside(at, 1 - (reached[at] - rank) / counts[at])


def _inside(at: int, share: float) -> float:
    low = BOUNDS[at - 1] if at else 0.0
    high = BOUNDS[at] if at < len(BOUNDS) else low
    return round(low + share * (high - low), 2)
