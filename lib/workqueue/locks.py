"""A lock in Redis for work that is better done by one process, and still correct by two.

Redis may forget it (a restart, a failover), so that nothing may depend on it: what must not be done
twice is leased row by row (`lib.workqueue.queue`). A session of PostgreSQL would hold a lock too,
but none passes a pooler in transaction mode.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import structlog
from redis.exceptions import LockError, RedisError
from redis.lock import Lock

from lib.workqueue.broker import redis_client

log = structlog.get_logger(__name__)


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
            _release(name, lock)


def _release(name: str, lock: Lock) -> None:
    try:
        lock.release()
    except (LockError, RedisError) as error:
        log.warning("lock_not_released", lock=name, reason=type(error).__name__)
