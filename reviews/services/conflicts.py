"""When two people want the same review: the later one is told what changed, and nothing is lost."""

from datetime import datetime

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.timezone import localtime

from analysis.models import Review
from reviews.selectors import desk


class ReviewConflict(Exception):
    """The review is not as the caller saw it; nothing was changed. `review` is as it stands now."""

    def __init__(self, review: Review, what: str) -> None:
        super().__init__(what)
        self.review, self.what = review, what


class NotYours(Exception):
    """This person's role, or an earlier decision of theirs, keeps them from deciding it."""


def require_decidable(review: Review, by: User) -> None:
    """Raise NotYours unless this person may decide the review."""
    if not desk.decidable(by).filter(pk=review.pk).exists():
        raise NotYours(
            "This review is not yours to decide: your role does not allow it, or you have judged "
            "this check before."
        )


def conflict(review: Review, by: User, version: int | None) -> ReviewConflict:
    """Why a change did not apply, read from the review as it stands now."""
    people = ("decided_by", "claimed_by", "assigned_to", "assigned_team")
    now = Review.objects.select_related(*people).get(pk=review.pk)
    if now.decision:
        return ReviewConflict(
            now, f"{now.decided_by} had already {now.decision} it, {_when(now.decided_at)}."
        )
    if (
        now.claimed_by_id not in (None, by.pk)
        and now.lease_until
        and now.lease_until > timezone.now()
    ):
        return ReviewConflict(
            now, f"{now.claimed_by} is reviewing it and holds it until {_when(now.lease_until)}."
        )
    return ReviewConflict(
        now,
        f"It has changed since you read it: it is at version {now.version}, you saw {version}. "
        f"{_standing(now)}",
    )


def _standing(review: Review) -> str:
    parts = [
        f"assigned to {review.assigned_to}" if review.assigned_to else "",
        f"assigned to the team {review.assigned_team}" if review.assigned_team else "",
        f"snoozed until {_when(review.snoozed_until)}" if review.snoozed_until else "",
        f"held by {review.claimed_by}" if review.claimed_by else "held by nobody",
    ]
    return f"Now it is open, {', '.join(filter(None, parts))}."


def _when(moment: datetime | None) -> str:
    return f"{localtime(moment):%-d %b %Y %H:%M:%S}" if moment else "an unknown time"
