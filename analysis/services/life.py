"""The life of a check: claimed by a worker, finished once, rung for again, dead at last.

    queued → running → done
      ↑        ↓
      └── lease ran out, or the attempt failed; after the last one → dead (→ queued by a person)

Each move is one conditional UPDATE on the database's clock, so that of two who try, one wins.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from uuid import UUID

import structlog
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import Application
from analysis import doorbell
from analysis.models import Check, CheckState, Review, ReviewDecision, ReviewReason
from analysis.services.due import due_at
from analysis.services.trends import await_counting
from analysis.sql import load
from audit.models import Event
from audit.services import append, append_all, entry

log = structlog.get_logger(__name__)

RISK_OF_DEAD = 100
_CLAIM = load("claim_check")
_RING_AGAIN = load("ring_again")


class LeaseLost(Exception):
    """Another worker has taken the check over; what this one found is dropped."""


class NotDead(Exception):
    """Only a dead check can be replayed."""


@dataclass(frozen=True, slots=True)
class Swept:
    """What one sweep did."""

    rung: int
    dead: int


def claim(check_id: UUID) -> Check | None:
    """Take a check that waits, or whose lease has run out; None when there is nothing to take.

    It comes with its application's `quality_sample_rate` and `active_policy_id` (or None).
    """
    parameters = {
        "id": check_id,
        "lease": settings.CHECK_LEASE_SECONDS,
        "max_attempts": settings.CHECK_MAX_ATTEMPTS,
    }
    return next(iter(Check.objects.raw(_CLAIM, parameters)), None)


def give_back(check: Check, *, error: str) -> None:
    """Queue a check again after a failed attempt; the sweeper rings later the more it failed."""
    delay = settings.CHECK_SWEEP_SECONDS * 2**check.attempts
    changed = Check.objects.filter(pk=check.pk, epoch=check.epoch, state=CheckState.RUNNING).update(
        state=CheckState.QUEUED,
        lease_until=None,
        ring_at=Now() + timedelta(seconds=min(delay, 300)),
        last_error=error[:500],
    )
    log.warning("attempt_failed", check_id=str(check.pk), error=error, given_back=bool(changed))


def sweep(*, limit: int = 500) -> Swept:
    """Ring again for whatever is overdue, and declare dead what has used up its attempts."""
    parameters = {"again": settings.CHECK_RING_AGAIN_SECONDS, "limit": limit}
    overdue = list(Check.objects.raw(_RING_AGAIN, parameters))
    worn_out = [c.pk for c in overdue if c.attempts >= settings.CHECK_MAX_ATTEMPTS]
    again = [c for c in overdue if c.attempts < settings.CHECK_MAX_ATTEMPTS]
    single = [c.pk for c in again if c.batch_id is None]
    batched = [c.pk for c in again if c.batch_id is not None]
    rung = _ring(single, doorbell.Queue.CHECKS) + _ring(batched, doorbell.Queue.BATCHES)
    swept = Swept(rung=rung, dead=_declare_dead(worn_out))
    doorbell.note_sweep()
    return swept


def _ring(check_ids: Sequence[UUID], queue: doorbell.Queue) -> int:
    """Ring unless enough rings wait already: then the workers are behind, and nothing is lost."""
    if not check_ids or doorbell.pending(queue) >= len(check_ids):
        return 0
    return doorbell.ring(check_ids, queue=queue)


@transaction.atomic
def _declare_dead(check_ids: Sequence[UUID]) -> int:
    waiting = Check.objects.select_for_update().filter(pk__in=check_ids, state=CheckState.QUEUED)
    checks = list(waiting.only("id", "application_id", "attempts", "last_error"))
    Check.objects.filter(pk__in=[c.pk for c in checks]).update(
        state=CheckState.DEAD, ring_at=None, lease_until=None
    )
    await_counting([c.pk for c in checks], dead=True)
    Review.objects.bulk_create(_reviews_of_dead(checks), ignore_conflicts=True)
    append_all(
        [
            entry(
                Event.CHECK_DEAD,
                subject=c,
                by="watchdog",
                application_id=c.application_id,
                attempts=c.attempts,
            )
            for c in checks
        ]
    )
    for check in checks:
        log.error("check_dead", check_id=str(check.pk), attempts=check.attempts)
        transaction.on_commit(partial(doorbell.announce, check.pk))
    return len(checks)


def _reviews_of_dead(checks: Sequence[Check]) -> list[Review]:
    """Nothing is known of a dead check: it ranks like the highest risk."""
    applications = Application.objects.in_bulk({check.application_id for check in checks})
    now = timezone.now()
    return [
        Review(
            check_record=check,
            application_id=check.application_id,
            reason=ReviewReason.DEAD,
            risk=RISK_OF_DEAD,
            rank_at=now - timedelta(minutes=Review.MINUTES_A_POINT * RISK_OF_DEAD),
            due_at=due_at(applications[check.application_id], ReviewReason.DEAD, since=now),
        )
        for check in checks
    ]


@transaction.atomic
def replay_dead(check: Check, *, by: User) -> None:
    """Queue a dead check once more with fresh attempts. Raises NotDead."""
    changed = Check.objects.filter(pk=check.pk, state=CheckState.DEAD).update(
        state=CheckState.QUEUED,
        attempts=0,
        epoch=F("epoch") + 1,
        ring_at=Now(),
    )
    if not changed:
        raise NotDead
    await_counting([check.pk], dead=True, delta=-1)
    Review.objects.filter(check_record=check, decision=None).update(
        decision=ReviewDecision.REPLAYED,
        decided_by=by,
        decided_at=Now(),
        claimed_by=None,
        lease_until=None,
        version=F("version") + 1,
    )
    append(
        Event.CHECK_REPLAYED,
        subject=check,
        by=by.get_username(),
        application_id=check.application_id,
    )
    transaction.on_commit(lambda: doorbell.ring([check.pk]))
