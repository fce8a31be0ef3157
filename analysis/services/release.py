"""Held answers: settled by a review, or by their terms once they are due."""

from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from analysis.models import Check, HeldAnswer, HoldState, Review, ReviewDecision
from analysis.records.document import text_hash
from analysis.selectors.results import check_document
from audit.models import Event
from audit.services import append
from notifications.models import EventKind
from notifications.services import notify

EXPIRED_AT_ONCE = 500


def settle_by(review: Review, decision: ReviewDecision, corrected_text: str, by: str) -> None:
    """Release or refuse the answer as this review decides, in the caller's transaction."""
    state = HoldState.REFUSED
    if decision is ReviewDecision.APPROVED:
        state = HoldState.EDITED if corrected_text else HoldState.APPROVED
    _settle(review.application_id, review.check_record_id, state, by, review)


@transaction.atomic
def expire_held() -> int:
    """Settle by their terms what nobody has decided in time; return how many answers."""
    due = HeldAnswer.objects.filter(state=HoldState.AWAITING, due_at__lte=Now()).order_by("due_at")
    late = due.select_for_update(skip_locked=True, of=("self",)).values_list(
        "check_record__application_id", "pk"
    )[:EXPIRED_AT_ONCE]
    for application_id, check_id in late:
        _settle(application_id, check_id, HoldState.EXPIRED, "watchdog")
    return len(late)


def _settle(
    application_id: UUID, check_id: UUID, state: HoldState, by: str, review: Review | None = None
) -> None:
    HeldAnswer.objects.filter(pk=check_id).update(state=state, settled_at=Now(), review=review)
    document = check_document(application_id, check_id)
    text = document["final_response"]
    append(
        Event.CHECK_RELEASED,
        subject=Check(pk=check_id),
        by=by,
        application_id=application_id,
        state=str(state),
        review_id=review.pk if review else None,
        text_sha256=text_hash(text),
    )
    notify(
        EventKind.CHECK_RELEASED,
        application_id=application_id,
        key=f"{EventKind.CHECK_RELEASED}:{check_id}:{state}",
        data={
            "check_id": str(check_id),
            "metadata": document["metadata"],
            "hold": document["hold"],
            "final_response": text,
        },
    )
