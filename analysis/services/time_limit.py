"""A time limit that ends what is being measured, and not the check."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from types import FrameType

from analysis.engine.signals.runner import OutOfTime


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """`seconds` from `began`, by the monotonic clock."""

    seconds: float
    began: float

    @classmethod
    def of(cls, seconds: float) -> "TimeLimit":
        """A limit that begins now."""
        return cls(seconds, monotonic())

    @contextmanager
    def interrupting(self) -> Iterator[None]:
        """Raise OutOfTime at once where the time is over, else in the block when it is.

        Only the main thread can be interrupted, which is where a worker's process checks.
        """
        left = self.began + self.seconds - monotonic()
        if left <= 0:
            raise self._over()
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGALRM, self._ring)
        signal.setitimer(signal.ITIMER_REAL, left)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        raise self._over()

    def _over(self) -> OutOfTime:
        return OutOfTime(f"Stopped: the check had taken {self.seconds:g} seconds")
