"""Notifications about the desk, written into the outbox."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models.functions import Now
from django.urls import reverse

from analysis.models import Review, ReviewDecision
from desk.reviews.selectors.desk import UNDO
from desk.reviews.selectors.reviews import overdue
from notifications.models import EventKind
from notifications.services import notify, withdraw

NAMED = 20
"""Reviews that one notification names; the others are only counted."""
AT_ONCE = 20_000


@transaction.atomic
def notify_overdue() -> int:
    """Notify about reviews that became overdue since the last run, each once; return how many."""
    fresh = Review.objects.select_for_update(skip_locked=True).filter(
        overdue(), overdue_notified_at=None, check_record__is_probe=False
    )
    columns = fresh.only("id", "application_id", "check_record_id", "reason", "risk", "due_at")
    late = list(columns.order_by("due_at", "id")[:AT_ONCE])
    Review.objects.filter(pk__in=[item.pk for item in late]).update(overdue_notified_at=Now())
    by_application: dict[UUID, list[Review]] = defaultdict(list)
    for review in late:
        by_application[review.application_id].append(review)
    for application_id, reviews in by_application.items():
        notify(
            EventKind.REVIEW_OVERDUE,
            application_id=application_id,
            key=_overdue_key(reviews),
            data=_overdue_data(application_id, reviews),
        )
    return len(late)


def notify_adjudication(*, review: Review, after: Review, decision: ReviewDecision) -> None:
    """Notify, within the transaction that opened it, that a lead must adjudicate.

    Sent when the decision can no longer be undone.
    """
    escalated = decision is ReviewDecision.ESCALATED
    notify(
        EventKind.REVIEW_ESCALATED,
        application_id=review.application_id,
        key=_adjudication_key(review.pk),
        data={
            **_review_data(review),
            "why": "escalated" if escalated else "differ",
            "after": after.pk,
        },
        wait=UNDO,
    )


def withdraw_adjudications(*, application_id: UUID, review_ids: Sequence[int]) -> None:
    """Withdraw the notifications of adjudications whose decisions were undone."""
    withdraw(application_id=application_id, keys=[_adjudication_key(pk) for pk in review_ids])


def notify_decision(
    *, review: Review, decision: ReviewDecision, by: User, reason_codes: Sequence[str]
) -> None:
    """Notify about a decision, in its transaction; sent when it can no longer be undone."""
    version = Review.objects.values_list("version", flat=True).get(pk=review.pk)
    notify(
        EventKind.REVIEW_DECIDED,
        application_id=review.application_id,
        key=_decision_key(review.pk, version),
        data={
            **_review_data(review),
            "decision": str(decision),
            "stage": review.stage,
            "reason_codes": sorted(set(reason_codes)),
            "decided_by": by.get_username(),
        },
        wait=UNDO,
    )


def withdraw_decision(review: Review) -> None:
    """Withdraw the notification of an undone decision; `review` is as it was decided."""
    keys = [_decision_key(review.pk, review.version)]
    withdraw(application_id=review.application_id, keys=keys)


def _overdue_data(application_id: UUID, reviews: Sequence[Review]) -> dict[str, Any]:
    desk = reverse("admin:analysis_review_changelist")
    return {
        "count": len(reviews),
        "reviews": [
            {**_review_data(r), "due_at": r.due_at.isoformat()} for r in reviews[:NAMED] if r.due_at
        ],
        "url": _url(f"{desk}?due=overdue&application={application_id}"),
    }


def _review_data(review: Review) -> dict[str, Any]:
    """Return the identifiers of a review; no content leaves the desk."""
    return {
        "id": review.pk,
        "check_id": str(review.check_record_id),
        "reason": review.reason,
        "risk": review.risk,
        "url": _url(reverse("admin:analysis_review_work", args=[review.pk])),
    }


def _overdue_key(reviews: Sequence[Review]) -> str:
    ids = [review.pk for review in reviews]
    return f"{EventKind.REVIEW_OVERDUE}:{min(ids)}-{max(ids)}"


def _decision_key(review_id: int, version: int) -> str:
    """Return the key of one decision; deciding again after an undo has another version."""
    return f"{EventKind.REVIEW_DECIDED}:{review_id}:{version}"


def _adjudication_key(review_id: int) -> str:
    return f"{EventKind.REVIEW_ESCALATED}:{review_id}"


def _url(path: str) -> str:
    return f"{settings.PUBLIC_URL}{path}"
