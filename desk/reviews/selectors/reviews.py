"""Reads reviews for the API, always within one application."""

from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from accounts.access import deciders
from analysis.models import ClaimVerdict, Review
from desk.reviews.selectors.desk import BLIND

_LOOKUPS = {
    "reason": "reason", "stage": "stage", "assigned_to": "assigned_to__username",
    "assigned_team": "assigned_team__name",
}  # fmt: skip


def reviews_of_application(application_id: UUID, *, hidden: bool = False) -> QuerySet[Review]:
    """Return an application's reviews without the texts of their checks.

    A decision under a blind second review is left out until that is decided, unless `hidden` ones
    are asked for.
    """
    second = Review.objects.filter(BLIND, check_record=OuterRef("check_record"))
    reviews = Review.objects.filter(application_id=application_id)
    if not hidden:
        reviews = reviews.exclude(Exists(second), decision__isnull=False)
    return (
        reviews.select_related(
            "check_record", "claimed_by", "assigned_to", "assigned_team", "decided_by"
        )
        .only(
            *(field.attname for field in Review._meta.concrete_fields),
            "check_record__action", "check_record__sampled",
            "claimed_by__username", "assigned_to__username", "decided_by__username",
            "assigned_team__name",
        )
    )  # fmt: skip


def filtered(reviews: QuerySet[Review], filters: dict[str, Any]) -> QuerySet[Review]:
    """Filter by `state`, `reason`, `stage`, `overdue`, `assigned_to`, `assigned_team`, if given."""
    if state := filters.get("state"):
        reviews = reviews.filter(decision__isnull=state == Review.OPEN)
    if filters.get("overdue"):
        reviews = reviews.filter(overdue())
    return reviews.filter(
        **{lookup: filters[name] for name, lookup in _LOOKUPS.items() if filters.get(name)}
    )


def overdue() -> Q:
    """Return the condition for open reviews past their due time."""
    return Q(decision=None, due_at__lt=Now())


def reviewer(application_id: UUID, username: str) -> User | None:
    """Return an active member of the application who may decide its reviews."""
    return deciders(application_id).filter(username=username).first()


def judged_claims(review: Review) -> QuerySet[ClaimVerdict]:
    """Return the reviewer's judgements of single claims, in the order of the claims."""
    return review.claim_verdicts.select_related("claim").order_by("claim__id")
