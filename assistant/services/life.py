"""The life of a question: taken by whoever answers it, finished once, rung for again, dead at last.

Each move is one conditional UPDATE on the database's clock, so that of two who try, one wins.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from assistant import doorbell
from assistant.models import Conversation, Step, Turn, TurnState

log = structlog.get_logger(__name__)
MOST_SWEPT = 100


class LeaseLost(Exception):
    """Somebody else has taken the question over; what this one found is dropped."""


def accept(
    conversation: Conversation,
    question: str,
    *,
    by: str,
    collections: Sequence[str] = (),
    ring: bool = True,
) -> Turn:
    """Keep a question; committed, it is never lost. `ring`: for a worker to answer it."""
    turn = Turn.objects.create(
        conversation=conversation,
        application_id=conversation.manager.application_id,
        question=question,
        collections=list(collections),
        asked_by=by,
    )
    if ring:
        transaction.on_commit(lambda: doorbell.ring([turn.pk]))
    return turn


def take(turn_id: UUID) -> Turn | None:
    """Take a question that waits, or whose lease has run out; None when there is none to take."""
    free = Q(state=TurnState.QUEUED) | Q(state=TurnState.RUNNING, lease_until__lt=Now())
    taken = Turn.objects.filter(free, pk=turn_id, attempts__lt=settings.ASSISTANT_MAX_ATTEMPTS)
    lease = Now() + timedelta(seconds=settings.ASSISTANT_LEASE_SECONDS)
    moved = taken.update(
        state=TurnState.RUNNING,
        epoch=F("epoch") + 1,
        attempts=F("attempts") + 1,
        lease_until=lease,
        ring_at=None,
    )
    if not moved:
        return None
    return Turn.objects.select_related("conversation__manager", "application").get(pk=turn_id)


def note(turn: Turn, **changes: Any) -> None:
    """Write down how far a question has come. Raises LeaseLost."""
    held = Turn.objects.filter(pk=turn.pk, epoch=turn.epoch, state=TurnState.RUNNING)
    if not held.update(**changes):
        raise LeaseLost
    for name, value in changes.items():
        setattr(turn, name, value)


def finish(turn: Turn, **results: Any) -> None:
    """The answer stands. Raises LeaseLost."""
    done = {"state": TurnState.DONE, "step": Step.DONE, "lease_until": None, "finished_at": Now()}
    note(turn, **results, **done)
    turn.refresh_from_db()


def give_back(turn: Turn, *, error: str) -> None:
    """Queue a question again after a failed attempt; the more it failed, the later it is rung."""
    delay = min(settings.CHECK_SWEEP_SECONDS * 2**turn.attempts, 300)
    Turn.objects.filter(pk=turn.pk, epoch=turn.epoch, state=TurnState.RUNNING).update(
        state=TurnState.QUEUED,
        step=Step.WAITING,
        lease_until=None,
        ring_at=Now() + timedelta(seconds=delay),
        last_error=error[:500],
    )
    log.warning("turn_given_back", turn_id=str(turn.pk), error=error)


def sweep() -> int:
    """Ring for questions that wait too long, declare dead those out of attempts; how many rung."""
    again = timedelta(seconds=settings.CHECK_RING_AGAIN_SECONDS)
    overdue = Q(state=TurnState.QUEUED, ring_at__lt=Now() - again) | Q(
        state=TurnState.RUNNING, lease_until__lt=Now()
    )
    worn_out = Turn.objects.filter(overdue, attempts__gte=settings.ASSISTANT_MAX_ATTEMPTS)
    dead = worn_out.update(state=TurnState.DEAD, step=Step.DONE, lease_until=None, ring_at=None)
    if dead:
        log.error("turns_dead", count=dead)
    ids = list(
        Turn.objects.filter(overdue).order_by("id").values_list("pk", flat=True)[:MOST_SWEPT]
    )
    Turn.objects.filter(pk__in=ids, state=TurnState.QUEUED).update(ring_at=Now())
    return doorbell.ring(ids)
