"""Earlier decisions on similar answers."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import CharField, Max, Min
from django.db.models.functions import Cast, Left
from pgvector.django import CosineDistance

from accounts.access import Person
from analysis.models import Check, CheckEmbedding
from desk.reviews.selectors import desk
from desk.reviews.selectors.decision_counts import SETTLED

SHOWN, LEAST_SIMILARITY = 5, 0.85
NEWEST = 10_000
"""Only so many of an application's latest decisions are compared, so that the time is bounded."""
_EXCERPT = 160


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A decided review of a similar answer; `similarity` is a cosine, at most 1."""

    check_id: UUID
    answer: str
    action: str
    decision: str
    decided_by: str
    decided_at: datetime
    note: str
    similarity: float


def neighbours(check: Check, user: Person) -> list[Neighbour]:
    """Return the most similar first, one for each check; none if the check has no vector."""
    own = CheckEmbedding.objects.filter(check_record=check, reason="").first()
    if own is None:
        return []
    settled = desk.visible_reviews(user).filter(decision__in=SETTLED)
    latest = (
        settled.filter(application=check.application_id)
        .exclude(check_record=check)
        .order_by("-decided_at")[:NEWEST]
    )
    # Vectors lie by month of their check: without bounds every month would be read whole.
    span = latest.annotate(key=Cast("check_record_id", CharField())).aggregate(
        first=Min("key"), last=Max("key")
    )
    if span["first"] is None:
        return []
    # The distances first, of nothing but vectors; then what is shown, of the nearest alone.
    nearest = (
        CheckEmbedding.objects.filter(pk__gte=span["first"], pk__lte=span["last"], model=own.model)
        .filter(pk__in=latest.values("check_record"))
        .annotate(distance=CosineDistance("answer", own.answer))
        .order_by("distance", "-pk")
    )
    distances = dict(nearest.values_list("pk", "distance")[:SHOWN])
    near = {
        pk: 1 - distance for pk, distance in distances.items() if 1 - distance >= LEAST_SIMILARITY
    }
    rows: Iterable[tuple[Any, ...]] = (
        settled.filter(check_record__in=near)
        .annotate(said=Left("check_record__answer", _EXCERPT))
        .order_by("id")  # of one check the latest review
        .values_list(
            "check_record_id", "said", "check_record__action", "decision",
            "decided_by__username", "decided_at", "note",
        )
    )  # fmt: skip
    by_check = {
        pk: Neighbour(pk, answer, action, decision, person, when, note, near[pk])
        for pk, answer, action, decision, person, when, note in rows
    }
    return [by_check[pk] for pk in near]
