"""Drafts of reviewers, kept on the server until they decide."""

import json
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models.functions import Now

from analysis.models import Review, ReviewDraft, ReviewReason, ReviewStage

MAX_BYTES = 400_000


@transaction.atomic
def save_draft(*, review: Review, by: User, fields: dict[str, Any]) -> bool:
    """Store the form's current content as the draft.

    Return False if it is too large, or the review was decided meanwhile.
    """
    open_reviews = Review.objects.select_for_update().filter(pk=review.pk, decision=None)
    if len(json.dumps(fields)) > MAX_BYTES or not open_reviews.exists():
        return False
    ReviewDraft.objects.update_or_create(
        review=review, written_by=by, defaults={"fields": fields, "updated_at": Now()}
    )
    return True


def draft_of(review: Review, by: User) -> dict[str, Any]:
    """Return this person's draft, or an empty document.

    Whoever approves a held answer as the second person begins with the text that the first
    approved.
    """
    review_drafts = ReviewDraft.objects.filter(review=review, written_by=by)
    draft: dict[str, Any] | None = review_drafts.values_list("fields", flat=True).first()
    if draft is None and review.stage == ReviewStage.SECOND and review.reason == ReviewReason.HELD:
        firsts = Review.objects.filter(check_record=review.check_record_id, id__lt=review.pk)
        text = firsts.order_by("-id").values_list("corrected_text", flat=True).first()
        return {"corrected_text": text}
    return draft or {}
