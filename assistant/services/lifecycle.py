"""Questions as a work queue: accepted, answered by whoever claims them, finally given up."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from time import monotonic, sleep
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models.functions import Now

from assistant.models import ENDED, Conversation, Step, Turn, TurnState
from lib.workqueue.broker import Route
from lib.workqueue.queue import Swept, WorkQueue

_LOOK_EVERY_SECONDS = 0.25

TURNS = WorkQueue(
    model=Turn,
    task="assistant.tasks.answer_turn",
    route=Route("assistant"),
    lease=lambda: timedelta(seconds=settings.ASSISTANT_LEASE_SECONDS),
    max_attempts=lambda: settings.QUEUE_MAX_ATTEMPTS,
    failure=lambda _: {"step": Step.DONE},
)


def accept(
    conversation: Conversation,
    question: str,
    *,
    by: str,
    collections: Sequence[str] = (),
    documents: Mapping[str, Any] | None = None,
    enqueue: bool = True,
) -> Turn:
    """Store a question; once committed, it is never lost. `enqueue`: for a worker to answer."""
    turn = Turn.objects.create(
        conversation=conversation,
        application_id=conversation.manager.application_id,
        question=question,
        collections=list(collections),
        documents=documents or {},
        asked_by=by,
    )
    if enqueue:
        TURNS.enqueue_on_commit([turn.pk])
    return turn


def claim(turn_id: UUID) -> Turn | None:
    """Claim a question, with its manager and application; return None if it cannot be claimed."""
    turn = TURNS.claim(turn_id)
    if turn is None:
        return None
    return Turn.objects.select_related("conversation__manager", "application").get(
        pk=turn_id, epoch=turn.epoch
    )


def note(turn: Turn, *, durable: bool = True, **changes: Any) -> None:
    """Store a question's progress; not `durable`: only for people who wait. Raises LeaseLost."""
    TURNS.progress(turn, durable=durable, **changes)
    for name, value in changes.items():
        setattr(turn, name, value)


def finish(turn: Turn, **results: Any) -> None:
    """Store the answer. Raises LeaseLost."""
    TURNS.finish(turn, TurnState.DONE, step=Step.DONE, finished_at=Now(), **results)
    turn.refresh_from_db()


def retry(turn: Turn, *, error: str) -> None:
    """Queue a question again after a failed attempt, or give it up after the last one."""
    TURNS.retry(turn, error=error, step=Step.WAITING)


def sweep() -> Swept:
    """Enqueue overdue questions again, and give up those without an attempt left."""
    return TURNS.sweep(limit=100)


def wait(turn_id: UUID, *, seconds: float) -> None:
    """Wait until a question has ended, or for `seconds`; polls four times a second."""
    deadline = monotonic() + seconds
    turns = Turn.objects.filter(pk=turn_id, state__in=ENDED)
    while (remaining := deadline - monotonic()) > 0 and not turns.exists():
        sleep(min(remaining, _LOOK_EVERY_SECONDS))
