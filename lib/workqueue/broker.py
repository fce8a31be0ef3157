"""Messages over Redis: each carries the id of a row, and nothing is lost with it.

A message that cannot be sent is logged and left to the sweeper. Nothing depends on an announcement
either: a client that waits for the end of a row also looks at the table. And nothing may depend on
a lock in Redis, which may forget it (a restart, a failover): what must not be done twice is leased
row by row (`lib.workqueue.queue`).
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from time import monotonic, sleep
from typing import Any
from uuid import UUID

import structlog
from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError
from redis import Redis
from redis.exceptions import LockError, RedisError

from lib.lazy import Lazy
from lib.workqueue.redis_address import connection_pool

log = structlog.get_logger(__name__)


RETRY_SECONDS = 5.0


class Outage:
    """An outage of a server, known for `seconds` after a failure.

    Then the next call tries again.
    """

    def __init__(self, seconds: float = RETRY_SECONDS) -> None:
        self._seconds = seconds
        self._until = 0.0
        self._lock = Lock()

    def note(self) -> None:
        self._until = monotonic() + self._seconds

    def is_known(self) -> bool:
        """Return whether to do without the server.

        One caller at a time is let through to try again.
        """
        with self._lock:
            if monotonic() < self._until:
                return True
            if self._until:
                self._until = monotonic() + self._seconds
            return False

    def end(self) -> None:
        self._until = 0.0


redis_outage = Outage()


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


@Lazy
def redis_client() -> Redis:
    """Return the one client (and its pool) of a process; every call ends within the time-out."""
    pool = connection_pool(settings.REDIS_URL, timeout=settings.REDIS_TIMEOUT_SECONDS)
    return Redis.from_pool(pool)


def enqueue(task: str, keys: Iterable[Any], route: Route) -> int:
    """Send a message for each key until Redis fails; return how many were sent."""
    return _send(task, ([key if isinstance(key, int) else str(key)] for key in keys), route)


def enqueue_one(task: str, route: Route) -> None:
    """Send a message without a key, unless one waits on the route already."""
    if not pending(route):
        _send(task, [[]], route)


def _send(task: str, messages: Iterable[list[Any]], route: Route) -> int:
    """Send messages with these arguments until Redis fails; return how many were sent."""
    count = 0
    try:
        for arguments in messages:
            current_app.send_task(task, arguments, queue=route.queue, priority=route.priority)
            count += 1
    except (OperationalError, RedisError, OSError) as error:
        log.warning("not_enqueued", task=task, reason=type(error).__name__, sent=count)
    return count


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


@contextmanager
def only_one(name: str, *, seconds: float) -> Iterator[bool]:
    """Hold `name` for the block, at most for `seconds`; yield whether nobody else holds it.

    True as well where Redis does not answer, which the log says.
    """
    lock = redis_client().lock(f"lock:{name}", timeout=seconds, blocking=False)
    try:
        alone = lock.acquire()
    except RedisError as error:
        log.warning("lock_not_asked_for", lock=name, reason=type(error).__name__)
        yield True
        return
    try:
        yield alone
    finally:
        if alone:
            try:
                lock.release()
            except (LockError, RedisError) as error:
                log.warning("lock_not_released", lock=name, reason=type(error).__name__)


_ANNOUNCEMENT_SECONDS = 60
_LOOK_EVERY_SECONDS = 1.0
_LOOK_WITHOUT_REDIS_SECONDS = 0.25


def announce_end(key: UUID) -> None:
    """Wake whoever waits for this row."""
    name = _name(key)
    try:
        with redis_client().pipeline(transaction=False) as pipe:
            pipe.lpush(name, 1)
            pipe.expire(name, _ANNOUNCEMENT_SECONDS)
            pipe.execute()
    except RedisError as error:
        log.warning("end_not_announced", key=str(key), reason=type(error).__name__)


def wait_for_end(key: UUID, *, seconds: float, has_ended: Callable[[], bool]) -> None:
    """Return once the row has ended, or after `seconds`.

    `has_ended` looks at the table; it is called once a second, so that a lost announcement costs a
    second and a missing Redis nothing but a little more load.
    """
    deadline = monotonic() + seconds
    while (remaining := deadline - monotonic()) > 0:
        if _announced(key, min(remaining, _LOOK_EVERY_SECONDS)) or has_ended():
            return


def pause_until_end(key: UUID, seconds: float) -> bool:
    """Return after `seconds` or as soon as the row has ended, and whether its end was announced.

    The announcement stays for whoever else waits.
    """
    name = _name(key)
    try:
        # Redis reads 0 as "for ever".
        return redis_client().blmove(name, name, max(seconds, 0.01)) is not None  # type: ignore[arg-type]
    except RedisError as error:
        log.warning("waiting_without_redis", reason=type(error).__name__)
        sleep(seconds)
        return False


def _announced(key: UUID, seconds: float) -> bool:
    try:
        # Redis reads 0 as "for ever".
        return redis_client().blpop([_name(key)], timeout=max(seconds, 0.01)) is not None
    except RedisError as error:
        log.warning("waiting_without_redis", reason=type(error).__name__)
        sleep(min(seconds, _LOOK_WITHOUT_REDIS_SECONDS))
        return False


def _name(key: UUID) -> str:
    return f"ended:{key}"
