"""Reviews as documents for the API, always within one application."""

from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from accounts.access import deciders
from analysis.models import Review
from desk.reviews.selectors.desk import BLIND

OPEN, DECIDED = "open", "decided"
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
        reviews = reviews.filter(decision__isnull=state == OPEN)
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


def review_document(review: Review) -> dict[str, Any]:
    """Return a review in the API's shape, without the verdicts on single claims."""
    return {
        "id": review.pk,
        "check_id": str(review.check_record_id),
        "state": DECIDED if review.decision else OPEN,
        "reason": review.reason,
        "stage": review.stage,
        "action": review.check_record.action,
        "quality_sample": bool(review.check_record.sampled),
        "risk": review.risk,
        "version": review.version,
        "created_at": review.created_at,
        "due_at": review.due_at,
        "overdue": is_overdue(review),
        "claimed_by": _name(review.claimed_by),
        "lease_until": review.lease_until,
        "assigned_to": _name(review.assigned_to),
        "assigned_team": review.assigned_team.name if review.assigned_team else None,
        "snoozed_until": review.snoozed_until,
        "decision": review.decision,
        "decided_by": _name(review.decided_by),
        "decided_at": review.decided_at,
        "note": review.note,
        "reason_codes": review.reason_codes,
        "corrected_text": review.corrected_text,
    }


def whole_review_document(review: Review) -> dict[str, Any]:
    """Return a review in the API's shape, with the verdicts on single claims."""
    verdicts = review.claim_verdicts.select_related("claim").order_by("claim__id")
    claims = [
        {"claim_id": v.claim.claim_id, "status": v.status, "agrees": v.agrees} for v in verdicts
    ]
    return {**review_document(review), "claims": claims}


def is_overdue(review: Review) -> bool:
    """Return whether the review is open and past its due time."""
    return bool(not review.decision and review.due_at and review.due_at < timezone.now())


def _name(user: User | None) -> str | None:
    return user.get_username() if user else None
