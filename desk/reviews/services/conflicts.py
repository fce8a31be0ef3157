"""Conflicts about a review: the later person learns what changed, and nothing is lost."""

from datetime import datetime

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from analysis.models import Review
from desk.reviews.selectors import desk


class ReviewConflict(Exception):
    """Raised if the review changed; nothing was written. `review` is its current state."""

    def __init__(self, review: Review, what: str) -> None:
        super().__init__(what)
        self.review, self.what = review, what


class NotYours(Exception):
    """Raised if this person's role or an earlier decision of theirs forbids deciding it."""


def require_decidable(review: Review, by: User) -> None:
    """Raise NotYours unless this person may decide the review."""
    if not desk.decidable(by).filter(pk=review.pk).exists():
        raise NotYours(
            _(
                "You cannot decide this review: your role does not allow it, or you have already "
                "judged this check."
            )
        )


def conflict(review: Review, by: User, version: int | None) -> ReviewConflict:
    """Return why a change did not apply, judging by the review's current state."""
    people = ("decided_by", "claimed_by", "assigned_to", "assigned_team")
    now = Review.objects.select_related(*people).get(pk=review.pk)
    if now.decision:
        what = _("%(name)s has already decided it: %(decision)s, %(when)s.") % {
            "name": now.decided_by,
            "decision": now.get_decision_display().lower(),
            "when": _when(now.decided_at),
        }
        return ReviewConflict(now, what)
    is_claimed = now.claimed_by_id not in (None, by.pk)
    if is_claimed and now.lease_until and now.lease_until > timezone.now():
        reserved = {"name": now.claimed_by, "when": _when(now.lease_until)}
        what = _("%(name)s is reviewing it; it is reserved until %(when)s.") % reserved
        return ReviewConflict(now, what)
    what = _(
        "It has changed since you opened it (version %(now)d instead of %(seen)s). It is still "
        "open: %(state)s."
    ) % {"now": now.version, "seen": version, "state": _standing(now)}
    return ReviewConflict(now, what)


def _standing(review: Review) -> str:
    parts = [
        _("assigned to %s") % review.assigned_to if review.assigned_to else "",
        _("assigned to the team %s") % review.assigned_team if review.assigned_team else "",
        _("snoozed until %s") % _when(review.snoozed_until) if review.snoozed_until else "",
        _("reserved for %s") % review.claimed_by if review.claimed_by else _("not reserved"),
    ]
    return ", ".join(filter(None, parts))


def _when(moment: datetime | None) -> str:
    return date_format(localtime(moment), "DATETIME_FORMAT") if moment else _("at an unknown time")
