"""Agreement of the first and the blind second reviewer, by application."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Now

from accounts.access import Person
from analysis.models import Review, ReviewDecision, ReviewReason, ReviewStage
from desk.reviews.agreement import Agreement, agreement
from desk.reviews.selectors import desk


@dataclass(frozen=True, slots=True)
class ApplicationAgreement:
    application: str
    agreement: Agreement


def agreements(user: Person, *, days: int) -> list[ApplicationAgreement]:
    """Return the agreement on second reviews decided in the last `days`, by application name."""
    by_application: dict[str, list[tuple[str, str]]] = {}
    reviews = desk.visible_reviews(user)
    for name, before, decision in _pairs(reviews, Q(decided_at__gte=Now() - timedelta(days=days))):
        by_application.setdefault(name, []).append((before, decision))
    return [ApplicationAgreement(n, agreement(p)) for n, p in sorted(by_application.items())]


def agreement_of(
    user: Person, applications: Sequence[UUID], *, start: datetime, end: datetime
) -> Agreement:
    """Return the agreement on second reviews of these applications decided in [start, end)."""
    within = Q(application__in=applications, decided_at__gte=start, decided_at__lt=end)
    return agreement_within(desk.visible_reviews(user), within)


def agreement_within(reviews: QuerySet[Review], within: Q) -> Agreement:
    """Return the agreement on the second reviews among these."""
    return agreement((before, decision) for _, before, decision in _pairs(reviews, within))


def _pairs(reviews: QuerySet[Review], within: Q) -> Iterator[tuple[str, str, str]]:
    """Yield application, first and second decision of reviews decided twice.

    Held answers are left out: whoever approves one as the second person has read the first
    decision.
    """
    first = Review.objects.filter(
        check_record=OuterRef("check_record"), stage=ReviewStage.FIRST, id__lt=OuterRef("pk")
    ).exclude(decision=ReviewDecision.REPLAYED)
    seconds = reviews.filter(within, stage=ReviewStage.SECOND, decision__isnull=False)
    seconds = seconds.exclude(reason=ReviewReason.HELD)
    rows = seconds.annotate(before=Subquery(first.order_by("-id").values("decision")[:1]))
    for name, before, decision in rows.values_list("application__name", "before", "decision"):
        yield name, str(before), str(decision)
