"""Figures of oversight for leads and auditors: times of reviewers, and agreement with the machine.

They say where to look, not who works well: an easy queue is decided quickly, and reviewers agree
with a machine that is right.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import (
    Aggregate,
    Count,
    DateTimeField,
    DurationField,
    F,
    FloatField,
    Q,
    QuerySet,
)
from django.db.models.functions import TruncWeek

from analysis.engine.types import Action
from analysis.models import CaseUse, Opinion, Review, ReviewDecision, ReviewReason
from desk.reviews.selectors.decision_counts import SETTLED
from lib.stats.bootstrap import wilson

QUICK = timedelta(seconds=10)
"""Less time than reading a question, an answer of some sentences and one source takes."""


@dataclass(frozen=True, slots=True)
class OversightFigures:
    """The decisions of a person, of one week (`week`: its Monday) or of the whole period.

    `agreed` of `judgements` confirmed what the machine decided, with the 95% interval of the share
    (Wilson); the rest of `decided` was escalated, or is of checks that had failed. `timed`
    decisions have a time, from taking the item to deciding it: the median, and the `quick` ones;
    and the median of how long the evidence was looked at. Of the first `opinions`, given before the
    verdict was seen, `moved` were given up for the machine's verdict.
    """

    reviewer: str
    week: date | None
    decided: int
    judgements: int
    agreed: int
    share: float | None
    low: float | None
    high: float | None
    timed: int
    median_seconds: float | None
    quick: int
    median_evidence_seconds: float | None
    opinions: int
    moved: int


@dataclass(frozen=True, slots=True)
class SeededFigures:
    """The decisions of a person on seeded cases, whose right decision is known.

    `right` of `decided` were that one, with the 95% interval of the share (Wilson); of the `bad`
    answers, `passed` were let through. What was escalated is `unsettled`.
    """

    reviewer: str
    decided: int
    right: int
    share: float | None
    low: float | None
    high: float | None
    bad: int
    passed: int
    unsettled: int


class _Median(Aggregate):
    """The middle of the values; NULLs are passed over."""

    function = "PERCENTILE_CONT"
    template = "%(function)s(0.5) WITHIN GROUP (ORDER BY %(expressions)s)"


def oversight(
    reviews: QuerySet[Review], *, start: datetime, end: datetime, weekly: bool = False
) -> list[OversightFigures]:
    """Return the figures of the `reviews` decided in [start, end), by person, or also by week."""
    is_judgement = Q(decision__in=SETTLED) & ~Q(reason=ReviewReason.FAILED)
    is_agreed = is_judgement & Q(decision=ReviewDecision.CONFIRMED)
    is_allowed = Q(check_record__action=Action.ALLOW)
    has_opinion = Q(opinion__in=(Opinion.SHOW, Opinion.WITHHOLD))
    is_moved = is_agreed & (
        (is_allowed & Q(opinion=Opinion.WITHHOLD)) | (~is_allowed & Q(opinion=Opinion.SHOW))
    )
    decided = (
        reviews.filter(decided_at__gte=start, decided_at__lt=end, check_record__is_probe=False)
        .exclude(decision=ReviewDecision.REPLAYED)
        .annotate(duration=F("decided_at") - F("work_began_at"))
        .order_by()
    )
    keys = ["decided_by__username"]
    if weekly:
        decided = decided.annotate(week=TruncWeek("decided_at", output_field=DateTimeField()))
        keys.append("week")
    rows: Sequence[dict[str, Any]] = (
        decided.values(*keys)
        .annotate(
            number=Count("pk"),
            judgement_count=Count("pk", filter=is_judgement),
            agreed_count=Count("pk", filter=is_agreed),
            timed_count=Count("duration"),
            median=_Median("duration", output_field=DurationField()),
            evidence_median=_Median("evidence_seconds", output_field=FloatField()),
            opinion_count=Count("pk", filter=is_judgement & has_opinion),
            moved_count=Count("pk", filter=is_moved),
            quick_count=Count("pk", filter=Q(duration__lt=QUICK)),
        )
        .order_by(*keys)
    )
    return [_figures(row) for row in rows]


def _figures(row: dict[str, Any]) -> OversightFigures:
    judgements, agreed, week = row["judgement_count"], row["agreed_count"], row.get("week")
    low, high = wilson(agreed, judgements) if judgements else (None, None)
    return OversightFigures(
        reviewer=row["decided_by__username"],
        week=week.date() if week else None,
        decided=row["number"],
        judgements=judgements,
        agreed=agreed,
        share=agreed / judgements if judgements else None,
        low=low,
        high=high,
        timed=row["timed_count"],
        median_seconds=row["median"].total_seconds() if row["median"] is not None else None,
        quick=row["quick_count"],
        median_evidence_seconds=row["evidence_median"],
        opinions=row["opinion_count"],
        moved=row["moved_count"],
    )


def decisions_on_seeded(
    reviews: QuerySet[Review], *, start: datetime, end: datetime
) -> list[SeededFigures]:
    """Return the figures of the `reviews` of seeded cases decided in [start, end), by person."""
    settled = Q(decision__in=SETTLED)
    # To confirm a flag, or to overturn an ALLOW, says that the answer is bad.
    is_allowed = Q(check_record__action=Action.ALLOW)
    rejects = Q(decision=ReviewDecision.CONFIRMED) & ~is_allowed
    rejects |= Q(decision=ReviewDecision.OVERTURNED) & is_allowed
    is_bad = Q(check_record__case__is_bad=True)
    rows = (
        reviews.filter(
            decided_at__gte=start,
            decided_at__lt=end,
            decision__isnull=False,
            check_record__case__use=CaseUse.SEEDED,
        )
        .order_by()
        .values("decided_by__username")
        .annotate(
            settled_count=Count("pk", filter=settled),
            rejected_bad=Count("pk", filter=settled & rejects & is_bad),
            accepted_good=Count("pk", filter=settled & ~rejects & ~is_bad),
            bad_count=Count("pk", filter=settled & is_bad),
            unsettled_count=Count("pk", filter=~settled),
        )
        .order_by("decided_by__username")
    )
    return [_seeded_figures(row) for row in rows]


def _seeded_figures(row: Mapping[str, Any]) -> SeededFigures:
    decided, right = row["settled_count"], row["rejected_bad"] + row["accepted_good"]
    low, high = wilson(right, decided) if decided else (None, None)
    return SeededFigures(
        reviewer=row["decided_by__username"],
        decided=decided,
        right=right,
        share=right / decided if decided else None,
        low=low,
        high=high,
        bad=row["bad_count"],
        passed=row["bad_count"] - row["rejected_bad"],
        unsettled=row["unsettled_count"],
    )
