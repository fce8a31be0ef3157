"""Checks as a work queue: workers run them, and reviewers see those that were given up.

queued → running → done
  ↑        ↓
  └── the attempt failed or its lease ran out; in the end → failed (→ queued by a person)
"""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import Protocol, cast

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import Application
from analysis.models import Batch, Check, CheckState, Review, ReviewDecision, ReviewReason
from analysis.selectors.checks import states_in
from analysis.services.due import DeskHours, due_at
from analysis.services.trends import await_counting
from analysis.sql import load
from audit.models import Event
from audit.services import append, append_all, entry
from lib.workqueue import broker
from lib.workqueue.broker import Route, announce_end
from lib.workqueue.inbox import Inbox
from lib.workqueue.models import requeued_fields
from lib.workqueue.queue import Swept, WorkQueue
from notifications.models import EventKind
from notifications.services import EventRecord, notify_all, wants

RISK_OF_FAILED = 100
_BATCHES_AT_ONCE = 500
SINGLE = Route("checks")
BATCHED = Route("batches", priority=6)
"""A client who waits comes before a batch, which may take its time."""
INBOX = Inbox("analysis.tasks.run_checks", (SINGLE, BATCHED))


class NotFailed(Exception):
    """Raised if a check to be replayed has not failed."""


def _report_failed(checks: Sequence[Check]) -> None:
    """Put checks that were given up on the review desk, and count, record and tell of them.

    Probes are told by their run alone.
    """
    for check in checks:
        transaction.on_commit(partial(announce_end, check.pk))
    checks = [check for check in checks if not check.is_probe]
    await_counting([c.pk for c in checks], failed=True)
    Review.objects.bulk_create(_reviews_of_failed(checks), ignore_conflicts=True)
    append_all(
        [entry(Event.CHECK_FAILED, subject=c, by="watchdog", attempts=c.attempts) for c in checks]
    )
    notify_all(EventKind.CHECK_FAILED, [_failure_fact(check) for check in checks])


def _failure_fact(check: Check) -> EventRecord:
    """Return the event of a failed check; its key holds the epoch, so a later failure is new."""
    batch_id = str(check.batch_id) if check.batch_id else None
    data = {
        "check_id": str(check.pk),
        "batch_id": batch_id,
        "metadata": check.metadata,
        "attempts": check.attempts,
    }
    return EventRecord(
        check.application_id, f"{EventKind.CHECK_FAILED}:{check.pk}:{check.epoch}", data
    )


CHECKS = WorkQueue(
    model=Check,
    inbox=INBOX,
    route=SINGLE,
    route_of=lambda check: SINGLE if check.batch_id is None else BATCHED,
    route_columns=("batch_id",),
    lease=lambda: timedelta(seconds=settings.CHECK_LEASE_SECONDS),
    max_attempts=lambda: settings.QUEUE_MAX_ATTEMPTS,
    select=load("claimed_check"),
    on_give_up=_report_failed,
    durable_claims=False,
)


class ClaimTerms(DeskHours, Protocol):
    """Members that a check has while it is claimed, read with it by `claimed_check.sql`."""

    quality_sample_rate: float
    active_policy_id: int | None
    open_trial: str | None
    is_seeded: bool


def terms_of(check: Check) -> ClaimTerms:
    """Return what was read with a claimed check."""
    return cast(ClaimTerms, check)


def sweep() -> Swept:
    """Enqueue overdue checks again, and give up those without attempts left."""
    swept = CHECKS.sweep()
    end_batches()
    broker.mark_swept()
    return swept


@transaction.atomic
def end_batches() -> int:
    """Mark batches whose checks have all ended, and notify; return how many."""
    open_ = Check.objects.filter(
        batch=OuterRef("pk"), state__in=(CheckState.QUEUED, CheckState.RUNNING)
    )
    over = Batch.objects.filter(~Exists(open_), ended_at=None).order_by("id")
    batches = list(over.select_for_update(skip_locked=True)[:_BATCHES_AT_ONCE])
    Batch.objects.filter(pk__in=[batch.pk for batch in batches]).update(ended_at=Now())
    subscribers = wants(EventKind.BATCH_DONE) if batches else []
    endings = [_ending_fact(batch) for batch in batches if batch.application_id in subscribers]
    notify_all(EventKind.BATCH_DONE, endings)
    return len(batches)


def _ending_fact(batch: Batch) -> EventRecord:
    data = {
        "batch_id": str(batch.pk),
        "items_total": batch.items_total,
        "states": states_in(batch),
        "refused": len(batch.errors),
    }
    return EventRecord(batch.application_id, f"{EventKind.BATCH_DONE}:{batch.pk}", data)


def _reviews_of_failed(checks: Sequence[Check]) -> list[Review]:
    """Return the reviews of failed checks, ranked like the highest risk since nothing is known."""
    applications = Application.objects.in_bulk({check.application_id for check in checks})
    now = timezone.now()
    return [
        Review(
            check_record=check,
            application_id=check.application_id,
            reason=ReviewReason.FAILED,
            risk=RISK_OF_FAILED,
            rank_at=now - timedelta(minutes=Review.MINUTES_A_POINT * RISK_OF_FAILED),
            due_at=due_at(applications[check.application_id], ReviewReason.FAILED, since=now),
        )
        for check in checks
    ]


@transaction.atomic
def replay_failed(check: Check, *, by: User) -> None:
    """Queue a failed check with fresh attempts. Raises NotFailed."""
    changed = Check.objects.filter(pk=check.pk, state=CheckState.FAILED).update(**requeued_fields())
    if not changed:
        raise NotFailed
    await_counting([check.pk], failed=True, delta=-1)
    Review.objects.filter(check_record=check, decision=None).update(
        decision=ReviewDecision.REPLAYED,
        decided_by=by,
        decided_at=Now(),
        claimed_by=None,
        lease_until=None,
        version=F("version") + 1,
    )
    append(Event.CHECK_REPLAYED, subject=check, by=by.get_username())
    CHECKS.enqueue_on_commit([check.pk], SINGLE)
