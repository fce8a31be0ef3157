"""What a reviewer has filled in so far, kept on the server until they decide."""

import json
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models.functions import Now

from analysis.models import Review, ReviewDraft

MAX_BYTES = 400_000


@transaction.atomic
def save_draft(*, review: Review, by: User, fields: dict[str, Any]) -> bool:
    """Keep the form as it stands, in place of what was kept.

    False when it is too large, and when the decision has overtaken it.
    """
    open_reviews = Review.objects.select_for_update().filter(pk=review.pk, decision=None)
    if len(json.dumps(fields)) > MAX_BYTES or not open_reviews.exists():
        return False
    ReviewDraft.objects.update_or_create(
        review=review, written_by=by, defaults={"fields": fields, "updated_at": Now()}
    )
    return True


def draft_of(review: Review, by: User) -> dict[str, Any]:
    """What this person had filled in; empty for nothing."""
    review_drafts = ReviewDraft.objects.filter(review=review, written_by=by)
    return review_drafts.values_list("fields", flat=True).first() or {}
