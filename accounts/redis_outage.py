"""Remembers that Redis did not answer, so that an outage costs one time-out and not one a call."""

from threading import Lock
from time import monotonic

RETRY_SECONDS = 5.0


class RedisOutage:
    """Known from a failure on, for `seconds`; then the next call tries again."""

    def __init__(self, seconds: float = RETRY_SECONDS) -> None:
        self._seconds = seconds
        self._until = 0.0
        self._lock = Lock()

    def note(self) -> None:
        """Redis did not answer."""
        self._until = monotonic() + self._seconds

    def is_known(self) -> bool:
        """Whether to do without Redis. One caller at a time is let through to try again."""
        with self._lock:
            if monotonic() < self._until:
                return True
            if self._until:
                self._until = monotonic() + self._seconds
            return False

    def end(self) -> None:
        """Redis answered."""
        self._until = 0.0


redis_outage = RedisOutage()
