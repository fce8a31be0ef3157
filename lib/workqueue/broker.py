"""Messages over Redis: each carries the id of a row, and nothing is lost with it.

A message that cannot be sent is logged and left to the sweeper.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import structlog
from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError
from redis import Redis
from redis.exceptions import RedisError

from lib.workqueue.once import MadeOnce
from lib.workqueue.redis_address import connection_pool

log = structlog.get_logger(__name__)
SEPARATOR = "\x06\x16"
"""Kombu's, between the name of a queue and a priority."""
_SWEPT = "swept"
_SWEPT_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Route:
    """The Celery queue that a message waits in, and its priority there: 0 is fetched first."""

    queue: str
    priority: int = 0

    @property
    def list_name(self) -> str:
        """Name of the list in Redis: Celery keeps each priority but 0 in a list of its own."""
        return f"{self.queue}{SEPARATOR}{self.priority}" if self.priority else self.queue


@MadeOnce
def redis_client() -> Redis:
    """Return the one client (and its pool) of a process; every call ends within the time-out."""
    pool = connection_pool(settings.REDIS_URL, timeout=settings.REDIS_TIMEOUT_SECONDS)
    return Redis.from_pool(pool)


def enqueue(task: str, keys: Iterable[Any], route: Route) -> int:
    """Send a message for each key until Redis fails; return how many were sent."""
    count = 0
    try:
        for key in keys:
            argument = key if isinstance(key, int) else str(key)
            current_app.send_task(task, args=[argument], queue=route.queue, priority=route.priority)
            count += 1
    except (OperationalError, RedisError, OSError) as error:
        log.warning("not_enqueued", task=task, reason=type(error).__name__, sent=count)
    return count


def enqueue_one(task: str, route: Route) -> None:
    """Send a message without a key, unless one waits on the route already."""
    if pending(route):
        return
    try:
        current_app.send_task(task, queue=route.queue, priority=route.priority)
    except (OperationalError, RedisError, OSError) as error:
        log.warning("not_enqueued", task=task, reason=type(error).__name__, sent=0)


def pending(route: Route) -> int:
    """Return the number of messages not fetched yet; 0 when Redis does not answer."""
    try:
        return int(redis_client().llen(route.list_name))
    except RedisError as error:
        log.warning("messages_not_counted", reason=type(error).__name__)
        return 0


def mark_swept() -> None:
    """Set a mark that beat and a worker are alive; it expires after `_SWEPT_SECONDS`."""
    try:
        redis_client().set(_SWEPT, 1, ex=_SWEPT_SECONDS)
    except RedisError as error:
        log.warning("sweep_not_marked", reason=type(error).__name__)


def swept_recently() -> bool:
    """Return whether the mark is still there. Raises RedisError."""
    return bool(redis_client().exists(_SWEPT))
