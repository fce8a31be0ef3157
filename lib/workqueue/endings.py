"""Announces that a row has ended to whoever waits for it.

Nothing depends on an announcement: a waiting client also looks at the table.
"""

from collections.abc import Callable
from time import monotonic, sleep
from uuid import UUID

import structlog
from redis.exceptions import RedisError

from lib.workqueue.broker import redis_client

log = structlog.get_logger(__name__)
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
