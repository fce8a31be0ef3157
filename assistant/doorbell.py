"""Rings for a worker to answer a question; a ring that fails is left to the sweeper."""

from collections.abc import Iterable
from uuid import UUID

import structlog
from celery import current_app
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)
ANSWER_TURN = "assistant.tasks.answer_turn"


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
