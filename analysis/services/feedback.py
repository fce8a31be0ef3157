"""Stores end users' feedback on answers."""

import hashlib

from django.db import transaction
from django.db.models.functions import Now

from analysis.models import Check, Feedback
from analysis.selectors.erasures import erasure_of
from audit.models import Event
from audit.services import append


@transaction.atomic
def give_feedback(
    *, check: Check, helpful: bool, comment: str, by: str, end_user: str = ""
) -> tuple[Feedback, bool]:
    """Store an end user's feedback instead of an earlier one; True if it is the user's first.

    Safe to repeat: the same feedback changes nothing and adds no entry to the trail. Raises
    CheckErased if the check's comments were erased.
    """
    # The row lock makes an erasure either run first, and be seen, or run later and delete this too.
    locked = Check.objects.select_for_update().only("reviews_erased_at").get(pk=check.pk)
    if locked.reviews_erased_at is not None:
        raise erasure_of(check.pk)
    values = {"helpful": helpful, "comment": comment, "given_by": by}
    # A digest of the user that differs by application, so that users cannot be followed.
    feedback, is_first = Feedback.objects.select_for_update().get_or_create(
        check_record=check,
        giver=hashlib.sha256(f"{check.application_id}\n{end_user or by}".encode()).hexdigest(),
        defaults=values | {"application_id": check.application_id},
    )
    if not is_first:
        if (feedback.helpful, feedback.comment) == (helpful, comment):
            return feedback, False
        Feedback.objects.filter(pk=feedback.pk).update(**values, changed_at=Now())
    feedback.refresh_from_db()
    append(Event.CHECK_FEEDBACK_GIVEN, subject=check, by=by, helpful=helpful, giver=feedback.giver)
    return feedback, is_first
