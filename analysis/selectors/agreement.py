"""How far the first and the blind second reviewer agree, by application."""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import OuterRef, Subquery
from django.db.models.functions import Now

from accounts.access import Person
from analysis.models import Review, ReviewDecision, ReviewStage
from analysis.reviewing.agreement import Agreement, agreement
from analysis.selectors import desk


@dataclass(frozen=True, slots=True)
class ApplicationAgreement:
    """One application's agreement."""

    application: str
    found: Agreement


def agreements(user: Person, *, days: int) -> list[ApplicationAgreement]:
    """By application, of the second reviews decided in the last `days`; by name."""
    first = Review.objects.filter(
        check_record=OuterRef("check_record"), stage=ReviewStage.FIRST, id__lt=OuterRef("pk")
    ).exclude(decision=ReviewDecision.REPLAYED)
    seconds = desk.seen(user).filter(
        stage=ReviewStage.SECOND,
        decision__isnull=False,
        decided_at__gte=Now() - timedelta(days=days),
    )
    rows = seconds.annotate(
        before=Subquery(first.order_by("-id").values("decision")[:1])
    ).values_list("application__name", "before", "decision")
    by_application: dict[str, list[tuple[str, str]]] = {}
    for name, before, decision in rows:
        by_application.setdefault(name, []).append((str(before), str(decision)))
    return [ApplicationAgreement(n, agreement(p)) for n, p in sorted(by_application.items())]
