"""Deciding reviews."""

import hashlib

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models.functions import Now

from analysis.models import Review, ReviewDecision
from audit.models import Event
from audit.services import append

REVIEWERS_DECISIONS = (
    ReviewDecision.CONFIRMED,
    ReviewDecision.OVERTURNED,
    ReviewDecision.ESCALATED,
)


class AlreadyDecided(Exception):
    """Somebody was faster; nothing was changed."""


@transaction.atomic
def decide_review(*, review: Review, decision: ReviewDecision, by: User, note: str = "") -> None:
    """Decide an open review. Raises AlreadyDecided; ValueError for a decision no reviewer takes."""
    if decision not in REVIEWERS_DECISIONS:
        raise ValueError(f"not a reviewer's decision: {decision}")
    changed = Review.objects.filter(pk=review.pk, decision=None).update(
        decision=decision, decided_by=by, decided_at=Now(), note=note
    )
    if not changed:
        raise AlreadyDecided
    append(
        Event.REVIEW_DECIDED,
        subject=review,
        by=by.get_username(),
        application_id=review.application_id,
        check_id=str(review.check_record_id),
        decision=str(decision),
        # The trail holds no content: the digest shows a note that was altered later.
        note_sha256=hashlib.sha256(note.encode()).hexdigest(),
    )
