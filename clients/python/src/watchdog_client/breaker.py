"""The circuit breaker of a guard: while the server is down, no answer waits for it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from watchdog_client.errors import NotConnectedError, WatchdogError


@dataclass(slots=True)
class CircuitBreaker:
    """After `failures` outages in a row nothing is sent for `seconds`, then one request tries.

    An outage is an error with `outage`: no connection, no verdict in time, a status of 500 or
    more. Any other outcome says that the server is up.
    """

    failures: int = 5
    seconds: float = 10.0
    _in_a_row: int = 0
    _retry_at: float = 0.0

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Count the outcome of the block. Raises NotConnectedError instead while it is open."""
        if self._in_a_row >= self.failures:
            now = time.monotonic()
            if now < self._retry_at:
                raise NotConnectedError(
                    f"WATCHDOG was not asked: it failed {self._in_a_row} times in a row."
                )
            self._retry_at = now + self.seconds  # others go on failing at once while this one tries
        try:
            yield
        except WatchdogError as error:
            self._note(is_outage=error.outage)
            raise
        self._note(is_outage=False)

    def _note(self, *, is_outage: bool) -> None:
        self._in_a_row = self._in_a_row + 1 if is_outage else 0
        self._retry_at = time.monotonic() + self.seconds
