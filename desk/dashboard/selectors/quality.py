"""Overturn, false-positive and false-negative rates with intervals, counted from the reviews."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from analysis.models import ReviewDecision
from desk.reviews.quality import QUALITY, QualityMetric
from desk.reviews.selectors.decision_counts import Labels, decided_within, labels
from lib.stats.bootstrap import wilson

MOST_DAYS = 100


@dataclass(frozen=True, slots=True)
class Rate:
    """A share with its 95% Wilson interval; all three None where nothing was decided."""

    metric: QualityMetric
    overturned: int
    of: int
    rate: float | None
    low: float | None
    high: float | None


def quality(applications: Sequence[UUID], *, start: datetime, end: datetime) -> tuple[Rate, ...]:
    """Return the rates over the reviews decided in [start, end); at most five queries.

    Raises ValueError for a period that is empty or longer than MOST_DAYS.
    """
    if start >= end:
        raise ValueError("The period ends before it begins.")
    if end - start > timedelta(days=MOST_DAYS):
        raise ValueError(f"The period is longer than {MOST_DAYS} days.")
    return rates(labels(decided_within(applications, start=start, end=end)))


def rates(labels: Labels) -> tuple[Rate, ...]:
    return tuple(_rate(metric, labels[metric.of]) for metric in QUALITY)


def _rate(metric: QualityMetric, counts: Counter[str]) -> Rate:
    overturned, of = counts[ReviewDecision.OVERTURNED], counts.total()
    if not of:
        return Rate(metric, 0, 0, None, None, None)
    low, high = wilson(overturned, of)
    return Rate(metric, overturned, of, overturned / of, low, high)
