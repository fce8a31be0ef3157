"""The doorbell: tells a worker that a check is queued, and a waiting client that it is done.

Nothing depends on it being heard. A ring that fails is logged and left to the sweeper, a missed
announcement to the waiting client's own look at the table.
"""

from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import cache
from time import monotonic, sleep
from uuid import UUID

import structlog
from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError
from redis import Redis
from redis.exceptions import RedisError

log = structlog.get_logger(__name__)

RUN_CHECK = "analysis.tasks.run_check"
RUN_JOB = "analysis.tasks.run_job"
_ANNOUNCEMENT_SECONDS = 60
_SWEPT = "swept"
_SWEPT_SECONDS = 30
_LOOK_EVERY_SECONDS = 1.0
_LOOK_WITHOUT_REDIS_SECONDS = 0.25


@cache
def redis_client() -> Redis:
    """One client (and its pool) a process; every call on it ends within the time-out."""
    timeout = settings.REDIS_TIMEOUT_SECONDS
    return Redis.from_url(
        settings.REDIS_URL, socket_timeout=timeout, socket_connect_timeout=timeout
    )


class Queue(StrEnum):
    """Where a ring waits: a client who waits comes before a batch, which may take its time."""

    CHECKS = "checks"
    BATCHES = "batches"

    @property
    def priority(self) -> int:
        """Celery's priority over Redis: all of 0 are fetched before any of 6."""
        return 0 if self is Queue.CHECKS else 6


def ring(check_ids: Iterable[UUID], *, queue: Queue = Queue.CHECKS) -> int:
    """Ring for each check until Redis fails; returns how many rings were sent."""
    rung = 0
    try:
        for check_id in check_ids:
            current_app.send_task(
                RUN_CHECK, args=[str(check_id)], queue=str(queue), priority=queue.priority
            )
            rung += 1
    except (OperationalError, RedisError, OSError) as error:
        log.warning("doorbell_not_rung", reason=type(error).__name__, rung=rung)
    return rung


def ring_jobs(job_ids: Iterable[int]) -> int:
    """Ring for long work, fetched after all else; returns how many rings were sent."""
    rung = 0
    try:
        for job_id in job_ids:
            current_app.send_task(RUN_JOB, args=[job_id], queue=str(Queue.BATCHES), priority=9)
            rung += 1
    except (OperationalError, RedisError, OSError) as error:
        log.warning("doorbell_not_rung", reason=type(error).__name__, rung=rung)
    return rung


def pending(queue: Queue) -> int:
    """Rings of a queue that no worker has fetched yet; 0 when Redis does not answer."""
    # Celery over Redis keeps each priority but 0 in a list of its own.
    key = str(queue) if queue.priority == 0 else f"{queue}\x06\x16{queue.priority}"
    try:
        return int(redis_client().llen(key))
    except RedisError as error:
        log.warning("rings_not_counted", reason=type(error).__name__)
        return 0


def announce(check_id: UUID) -> None:
    """Tell whoever waits that the check has ended."""
    key = _key(check_id)
    try:
        with redis_client().pipeline(transaction=False) as pipe:
            pipe.lpush(key, 1)
            pipe.expire(key, _ANNOUNCEMENT_SECONDS)
            pipe.execute()
    except RedisError as error:
        log.warning("end_not_announced", check_id=str(check_id), reason=type(error).__name__)


def wait(check_id: UUID, *, seconds: float, has_ended: Callable[[], bool]) -> None:
    """Return once the check has ended, or after `seconds`.

    `has_ended` looks at the table; it is asked once a second, so that a lost announcement costs
    a second and a missing Redis nothing but a little more load.
    """
    deadline = monotonic() + seconds
    while (left := deadline - monotonic()) > 0:
        if _heard(check_id, min(left, _LOOK_EVERY_SECONDS)) or has_ended():
            return


def _heard(check_id: UUID, seconds: float) -> bool:
    try:
        # Redis reads 0 as "for ever".
        return redis_client().blpop([_key(check_id)], timeout=max(seconds, 0.01)) is not None
    except RedisError as error:
        log.warning("waiting_without_redis", reason=type(error).__name__)
        sleep(min(seconds, _LOOK_WITHOUT_REDIS_SECONDS))
        return False


def note_sweep() -> None:
    """Leave a mark that beat rang and a worker swept; it fades after `_SWEPT_SECONDS`."""
    try:
        redis_client().set(_SWEPT, 1, ex=_SWEPT_SECONDS)
    except RedisError as error:
        log.warning("sweep_not_noted", reason=type(error).__name__)


def swept_lately() -> bool:
    """Whether the mark is still there. Raises RedisError."""
    return bool(redis_client().exists(_SWEPT))


def _key(check_id: UUID) -> str:
    return f"ended:{check_id}"
