"""Remembers that a server did not answer, so that an outage costs one time-out, not one a call."""

from threading import Lock
from time import monotonic

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
