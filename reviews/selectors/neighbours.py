"""Earlier decisions on similar answers: the nearest of those that people have decided."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models.functions import Left
from pgvector.django import CosineDistance

from accounts.access import Person
from analysis.models import Check, CheckEmbedding, Review, ReviewDecision
from reviews.selectors import desk

SHOWN, LEAST_SIMILARITY = 5, 0.5
NEWEST = 20_000
"""Only so many of an application's latest decisions are compared, so that the time is bounded."""
_EXCERPT = 160
_SETTLED = (ReviewDecision.CONFIRMED, ReviewDecision.OVERTURNED)


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A decided review of an answer like this one; `similarity` is a cosine, at most 1."""

    check_id: UUID
    question: str
    answer: str
    action: str
    decision: str
    decided_by: str
    decided_at: datetime
    note: str
    reason_codes: list[str]
    similarity: float


def neighbours(check: Check, user: Person) -> list[Neighbour]:
    """The most similar first, one for each check; none where the check has no vector."""
    own = CheckEmbedding.objects.filter(check_record=check, reason="").first()
    if own is None:
        return []
    latest = (
        desk.seen(user)
        .filter(application=check.application_id, decision__in=_SETTLED)
        .exclude(check_record=check)
        .order_by("-decided_at")[:NEWEST]
    )
    found = (
        Review.objects.filter(pk__in=latest.values("pk"), check_record__embedding__model=own.model)
        .annotate(
            distance=CosineDistance("check_record__embedding__answer", own.answer),
            question=Left("check_record__query", _EXCERPT),
            said=Left("check_record__answer", _EXCERPT),
        )
        .order_by("distance", "-id")
        .values_list(
            "check_record_id", "question", "said", "check_record__action", "decision",
            "decided_by__username", "decided_at", "note", "reason_codes", "distance",
        )[: 3 * SHOWN]
    )  # fmt: skip
    by_check: dict[UUID, Neighbour] = {}
    for row in found:
        one = _neighbour(row)
        if one.similarity >= LEAST_SIMILARITY:
            by_check.setdefault(one.check_id, one)  # of one check the latest review
    return list(by_check.values())[:SHOWN]


def _neighbour(row: Sequence[Any]) -> Neighbour:
    """From the columns in the order of the fields, with the distance last."""
    *values, distance = row
    return Neighbour(*(*values, 1 - distance))
