"""Rings for a worker to answer a question, and waits for the answer.

Nothing depends on a ring: one that fails is left to the sweeper.
"""

from collections.abc import Iterable
from time import monotonic, sleep
from uuid import UUID

import structlog
from celery import current_app
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from assistant.models import Turn, TurnState

log = structlog.get_logger(__name__)
ANSWER_TURN = "assistant.tasks.answer_turn"
_LOOK_EVERY_SECONDS = 0.25


def ring(turn_ids: Iterable[UUID]) -> int:
    """Ring for each question until Redis fails; returns how many rings were sent."""
    rung = 0
    try:
        for turn_id in turn_ids:
            current_app.send_task(ANSWER_TURN, args=[str(turn_id)], queue="assistant", priority=0)
            rung += 1
    except (OperationalError, RedisError, OSError) as error:
        log.warning("doorbell_not_rung", reason=type(error).__name__, rung=rung)
    return rung


def wait(turn_id: UUID, *, seconds: float) -> None:
    """Return once a question has ended, or after `seconds`; looks four times a second."""
    deadline = monotonic() + seconds
    ended = Turn.objects.filter(pk=turn_id, state__in=(TurnState.DONE, TurnState.DEAD))
    while (left := deadline - monotonic()) > 0 and not ended.exists():
        sleep(min(left, _LOOK_EVERY_SECONDS))
