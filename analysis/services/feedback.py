"""Taking down what end users say of an answer."""

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
    """Keep an end user's word, in place of an earlier one; True: it is the first of this user.

    Safe to repeat: the same word again changes nothing and leaves no entry in the trail. Raises
    CheckErased where the comments of the check were erased: nothing comes after an erasure.
    """
    # Locked, so that an erasure comes before, and is seen, or after, and takes this along.
    locked = Check.objects.select_for_update().only("reviews_erased_at").get(pk=check.pk)
    if locked.reviews_erased_at is not None:
        raise erasure_of(check.pk)
    values = {"helpful": helpful, "comment": comment, "given_by": by}
    feedback, is_first = Feedback.objects.select_for_update().get_or_create(
        check_record=check,
        giver=_giver(check, end_user or by),
        defaults=values | {"application_id": check.application_id},
    )
    if not is_first:
        if (feedback.helpful, feedback.comment) == (helpful, comment):
            return feedback, False
        Feedback.objects.filter(pk=feedback.pk).update(**values, changed_at=Now())
    feedback.refresh_from_db()
    append(
        Event.CHECK_FEEDBACK_GIVEN,
        subject=check,
        by=by,
        application_id=check.application_id,
        helpful=helpful,
        giver=feedback.giver,
    )
    return feedback, is_first


def _giver(check: Check, who: str) -> str:
    """A digest that is another one in each application: users cannot be followed across them."""
    return hashlib.sha256(f"{check.application_id}\n{who}".encode()).hexdigest()
