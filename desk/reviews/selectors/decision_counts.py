"""Counts of review decisions by day or hour, and the decisions that count as labels.

Past days are read from `DecidedDay`, later ones from the reviews themselves, so that the figures
are current (docs/decisions/0610-trends-are-counted-from-an-outbox.md).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.db import connections, router
from django.db.models import Sum

from analysis.models import DecidedDay, DecidedReach, ReviewDecision, ReviewReason
from analysis.sql import load
from analysis.trends.metrics import Grain, bucket_of
from desk.reviews.quality import Reviewed

SETTLED = (ReviewDecision.CONFIRMED, ReviewDecision.OVERTURNED)
FLAGGED = (ReviewReason.BLOCK, ReviewReason.WARN)
_COUNT = load("decided")
_DAY, _TICK = timedelta(days=1), timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class DecisionCount:
    """The count of one decision for one review reason in the bucket that begins `at`.

    `followed` of them were followed by another review. `sampled_allows` were of allowed, not fully
    checked answers that are also in the quality sample, and were not followed.
    """

    at: datetime
    reason: str
    decision: str
    count: int
    followed: int = 0
    sampled_allows: int = 0


Labels = dict[Reviewed, Counter[str]]


def decision_counts(
    applications: Sequence[UUID], *, start: datetime, end: datetime, grain: Grain = Grain.DAY
) -> list[DecisionCount]:
    """Return the decisions in [start, end), by hour or day in UTC; at most three queries."""
    live_from = start if grain is Grain.HOUR else min(max(start, _reach()), end)
    return [
        *_stored_days(applications, start, live_from),
        *(_live(applications, live_from, end, grain) if live_from < end else ()),
    ]


def decided_within(
    applications: Sequence[UUID], *, start: datetime, end: datetime
) -> list[DecisionCount]:
    """Return the decisions in [start, end): whole days as stored, partial days from the reviews.

    At most five queries; one where no whole day lies within.
    """
    first, last = bucket_of(start + _DAY - _TICK, Grain.DAY), bucket_of(end, Grain.DAY)
    if first >= last:
        return decision_counts(applications, start=start, end=end, grain=Grain.HOUR)
    edges = [(a, b) for a, b in ((start, first), (last, end)) if a < b]
    return [
        *decision_counts(applications, start=first, end=last),
        *(item for a, b in edges for item in _live(applications, a, b, Grain.HOUR)),
    ]


def labels(rows: Iterable[DecisionCount]) -> Labels:
    """Return the decisions that count as labels, by what they label.

    A label is confirmed or overturned, of a decided check, and followed by no other review.
    """
    labels: Labels = {item: Counter() for item in Reviewed}
    for row in rows:
        if row.decision in SETTLED and row.reason != ReviewReason.FAILED:
            labels[Reviewed.ALL][row.decision] += row.count - row.followed
            if row.reason in FLAGGED:
                labels[Reviewed.FLAGGED][row.decision] += row.count - row.followed
            elif row.reason == ReviewReason.QUALITY_SAMPLE:
                labels[Reviewed.SAMPLED_ALLOWS][row.decision] += row.count - row.followed
            else:
                labels[Reviewed.SAMPLED_ALLOWS][row.decision] += row.sampled_allows
    return labels


def rows_by_application(
    database: str, applications: Iterable[UUID], *, start: datetime, end: datetime, grain: Grain
) -> list[tuple[Any, ...]]:
    """Count the decisions in [start, end) from the reviews, by hour or day in UTC.

    Return rows of the application and the fields of `DecisionCount`.
    """
    parameters: dict[str, Any] = {
        "applications": [str(application) for application in applications],
        "start": start,
        "end": end,
        "step": f"1 {grain}",
    }
    with connections[database].cursor() as cursor:
        cursor.execute(_COUNT, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def _reach() -> datetime:
    """Return the time from which days are read from the reviews."""
    day = DecidedReach.objects.values_list("day", flat=True).first()
    if day is None:
        return datetime.min.replace(tzinfo=UTC)
    return datetime.combine(day + _DAY, time.min, UTC)


def _stored_days(
    applications: Sequence[UUID], start: datetime, end: datetime
) -> Iterable[DecisionCount]:
    """Return stored whole days; the caller passes no partial day."""
    if start >= end:
        return ()
    days = DecidedDay.objects.filter(
        application__in=applications, day__gte=start.date(), day__lt=end.date()
    )
    rows = (
        days.order_by()
        .values_list("day", "reason", "decision")
        .annotate(Sum("decided"), Sum("followed"), Sum("sample_count"))
    )
    return [DecisionCount(datetime.combine(day, time.min, UTC), *rest) for day, *rest in rows]


def _live(
    applications: Sequence[UUID], start: datetime, end: datetime, grain: Grain
) -> Iterable[DecisionCount]:
    database = router.db_for_read(DecidedDay)
    rows = rows_by_application(database, applications, start=start, end=end, grain=grain)
    return [DecisionCount(*row[1:]) for row in rows]
