"""Percentiles of a few values."""

from collections.abc import Sequence


def percentile(ordered: Sequence[float], percent: int) -> float:
    """Return the nearest-rank percentile of ascending values."""
    rank = -(-len(ordered) * percent // 100)
    return ordered[max(rank, 1) - 1]
