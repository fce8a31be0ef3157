"""Operations of the queue: claim, keep, release, skip, assign, snooze; no decisions.

Each is one conditional UPDATE on the database's clock, so that of two simultaneous ones exactly one
wins.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Case, F, Q, QuerySet, When
from django.db.models.functions import Coalesce, Now
from django.utils.translation import gettext as _

from accounts import access
from accounts.models import Team
from analysis.models import Opinion, Review, ReviewSkip, ReviewStage
from audit.models import Event
from audit.services import append
from desk.reviews.selectors import desk
from desk.reviews.services.conflicts import NotYours, conflict, require_decidable

LEASE = timedelta(minutes=5)


@transaction.atomic
def claim_next(
    *,
    by: User,
    application_id: UUID | None = None,
    reason: str = "",
    stages: Collection[ReviewStage] = (),
    behind: Review | None = None,
) -> Review | None:
    """Take the most urgent item that waits for this person; None when nothing does.

    With `behind`, an item that they chose from the list, the list goes on after it. What is
    assigned to them comes first, then what is assigned to their teams. Of many who ask at once each
    gets another item: a row that somebody is taking is passed over, not waited for.
    """
    offers = desk.offered(by, application_id=application_id, reason=reason, stages=stages)
    review = desk.most_urgent(offers.select_for_update(skip_locked=True, of=("self",)), by, behind)
    if review is None:
        return None
    Review.objects.filter(pk=review.pk).update(**_lease(by), version=F("version") + 1)
    review.refresh_from_db()
    return review


def claim_review(*, review: Review, by: User, version: int | None = None) -> Review:
    """Claim this item, even a snoozed one. Raises ReviewConflict, NotYours."""
    require_decidable(review, by)
    mine = desk.assigned_or_free(by)
    if access.may_manage(by, review.application_id):
        mine = Q()  # a lead may take over what is assigned to somebody
    row = free_row(review, by, version).filter(mine)
    if not row.update(**_lease(by), snoozed_until=None, version=F("version") + 1):
        now = Review.objects.select_related("assigned_to", "assigned_team").get(pk=review.pk)
        if now.decision is None and not Review.objects.filter(mine, pk=review.pk).exists():
            raise NotYours(_("It is assigned to %s.") % (now.assigned_to or now.assigned_team))
        raise conflict(review, by, version)
    review.refresh_from_db()
    return review


@transaction.atomic
def give_opinion(*, review: Review, by: User, opinion: Opinion) -> None:
    """Store what this person thinks before they see the verdict; the first opinion stays.

    Raises ReviewConflict, NotYours.
    """
    claim_review(review=review, by=by)
    if Review.objects.filter(pk=review.pk, opinion=None).update(opinion=opinion):
        note_event(Event.REVIEW_CHANGED, review, by, change="opinion", opinion=str(opinion))


def keep(*, review: Review, by: User) -> datetime | None:
    """Reserve the item for this reader; return until when, or None if another has it.

    Reading does not take what is assigned to others. The version stays: what was read is unchanged.
    """
    mine = Q(pk=review.pk) & desk.free_for(by) & desk.assigned_or_free(by)
    desk.decidable(by).filter(mine, decision=None).update(**_lease(by))
    reviews = Review.objects.filter(pk=review.pk, claimed_by=by, decision=None)
    return reviews.values_list("lease_until", flat=True).first()


def release_others(*, review: Review, by: User) -> None:
    """Give back what else this person holds, and has left by going on to this item."""
    others = Review.objects.filter(claimed_by=by, decision=None).exclude(pk=review.pk)
    others.update(claimed_by=None, lease_until=None)


@transaction.atomic
def release(*, review: Review, by: User, version: int | None = None) -> None:
    """Give an item back. A lead may release another person's; the trail notes it."""
    is_anothers = review.claimed_by_id != by.pk and access.may_manage(by, review.application_id)
    _move(review, by, version, even_if_held=is_anothers)
    if is_anothers:
        note_event(Event.REVIEW_CHANGED, review, by, change="released")


@transaction.atomic
def skip(*, review: Review, by: User, reason: str) -> None:
    """Pass an item on to others.

    Raises ReviewConflict, NotYours, or ValueError without a reason.
    """
    if not reason.strip():
        raise ValueError("a skip needs a reason")
    _move(review, by, assigned_to=None)
    ReviewSkip.objects.update_or_create(
        review=review, skipped_by=by, defaults={"reason": reason.strip()[:500]}
    )
    note_event(Event.REVIEW_CHANGED, review, by, change="skipped")


@transaction.atomic
def assign(*, review: Review, by: User, to: User | Team | None) -> None:
    """Assign an item to a person, a team, or everybody.

    Raises NotYours if they may not decide it.
    """
    person, team = (None, to) if isinstance(to, Team) else (to, None)
    if person is not None and not desk.decidable(person).filter(pk=review.pk).exists():
        raise NotYours(_("%s may not decide this review.") % person)
    if team is not None and not desk.teams(review).filter(pk=team.pk).exists():
        raise NotYours(_("No member of the team %s may decide this review.") % team)
    _move(review, by, assigned_to=person, assigned_team=team)
    ReviewSkip.objects.filter(review=review, skipped_by=person).delete()
    assignee = {"team": team.name} if team else {"to": person.get_username() if person else None}
    note_event(Event.REVIEW_CHANGED, review, by, change="assigned", **assignee)


@transaction.atomic
def snooze(*, review: Review, by: User, hours: int) -> None:
    """Offer an item to nobody for some hours; its due time stays."""
    _move(review, by, snoozed_until=Now() + timedelta(hours=hours))
    note_event(Event.REVIEW_CHANGED, review, by, change="snoozed", hours=hours)


def _open_row(review: Review, version: int | None) -> QuerySet[Review]:
    """Return the review's row if it is open, and in this version if one is given."""
    rows = Review.objects.filter(pk=review.pk, decision=None)
    return rows if version is None else rows.filter(version=version)


def free_row(review: Review, by: User, version: int | None) -> QuerySet[Review]:
    """Return the review's row as `_open_row` does, unless somebody else holds it."""
    return _open_row(review, version).filter(desk.free_for(by))


def _move(
    review: Review,
    by: User,
    version: int | None = None,
    *,
    even_if_held: bool = False,
    **changes: Any,
) -> None:
    """Change an item, which nobody holds afterwards."""
    require_decidable(review, by)
    changes |= {
        "claimed_by": None, "lease_until": None, "work_began_at": None, "opinion": None,
        "version": F("version") + 1,
    }  # fmt: skip
    row = _open_row(review, version) if even_if_held else free_row(review, by, version)
    if not row.update(**changes):
        raise conflict(review, by, version)


def _lease(by: User) -> dict[str, Any]:
    """Return the columns that say who works on an item; whoever held it goes on with their work."""
    is_theirs = Q(claimed_by=by)
    return {
        "claimed_by": by,
        "lease_until": Now() + LEASE,
        "work_began_at": Coalesce(Case(When(is_theirs, then=F("work_began_at"))), Now()),
        "opinion": Case(When(is_theirs, then=F("opinion"))),
    }


def note_event(event: Event, review: Review, by: User, **data: Any) -> None:
    """Note in the trail what this person did with the review."""
    append(
        event,
        subject=review,
        by=by.get_username(),
        application_id=review.application_id,
        check_id=str(review.check_record_id),
        **data,
    )
