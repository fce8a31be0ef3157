"""Confidence intervals, and percentiles of a few values."""

from collections.abc import Sequence
from math import sqrt

_Z = 1.959964
"""The 97.5 % point of the normal distribution."""


def wilson(hits: int, n: int) -> tuple[float, float]:
    """Return the 95 % interval of a rate (Wilson, JASA 22, 1927)."""
    rate = hits / n
    middle = rate + _Z * _Z / (2 * n)
    spread = _Z * sqrt(rate * (1 - rate) / n + _Z * _Z / (4 * n * n))
    scale = 1 + _Z * _Z / n
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def percentile(ordered: Sequence[float], percent: int) -> float:
    """Return the nearest-rank percentile of ascending values."""
    rank = -(-len(ordered) * percent // 100)
    return ordered[max(rank, 1) - 1]
