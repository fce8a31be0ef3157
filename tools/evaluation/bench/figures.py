"""Figures from timings: pure functions."""

from collections.abc import Sequence
from dataclasses import dataclass

from lib.stats.intervals import percentile


@dataclass(frozen=True, slots=True)
class Latency:
    """Percentiles in milliseconds, and calls a second."""

    p50: float
    p95: float
    per_second: float
    count: int


def latency(milliseconds: Sequence[float], *, seconds: float) -> Latency:
    """Return percentiles (nearest rank) of timings that took `seconds` of wall time in all."""
    if not milliseconds:
        raise ValueError("nothing was timed")
    ordered = sorted(milliseconds)
    return Latency(
        p50=percentile(ordered, 50),
        p95=percentile(ordered, 95),
        per_second=len(ordered) / seconds,
        count=len(ordered),
    )
