"""A time limit that ends what is being measured, and not the check."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic, thread_time
from types import FrameType

from inference.errors import OutOfTime

_SOON = 0.01
"""The least a timer is set to: 0 would switch it off."""
_RESERVE = 1.0
"""Seconds that a model leaves to the signals after it."""
_AGAIN = 0.25
"""Seconds until the end of the time is raised again, if the block still runs then."""


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """`seconds` from `began` by the monotonic clock, and `cpu_seconds` of this thread's work.

    The second is what an input costs whatever else the machine does; the first is what a check
    may take until it is written down.
    """

    seconds: float
    cpu_seconds: float
    began: float
    cpu_began: float

    @classmethod
    def of(cls, seconds: float, cpu_seconds: float) -> "TimeLimit":
        """A limit that begins now."""
        return cls(seconds, cpu_seconds, monotonic(), thread_time())

    @contextmanager
    def interrupting(self) -> Iterator[None]:
        """Raise OutOfTime at once where the time is over, else in the block when it is.

        Only the main thread can be interrupted, which is where a worker's process checks.
        """
        self._check()
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        timers = ((signal.SIGALRM, signal.ITIMER_REAL), (signal.SIGPROF, signal.ITIMER_PROF))
        before = [signal.signal(number, self._ring) for number, _ in timers]
        self._arm()
        try:
            yield
        finally:
            for (number, timer), handler in zip(timers, before, strict=True):
                signal.setitimer(timer, 0)
                signal.signal(number, handler)

    def seconds_for_models(self) -> float:
        """Seconds by the clock that a model may still take."""
        return max(0.0, self._remaining()[0] - _RESERVE)

    def _remaining(self) -> tuple[float, float]:
        """Seconds left by the clock and of work."""
        clock = self.began + self.seconds - monotonic()
        return clock, self.cpu_began + self.cpu_seconds - thread_time()

    def _arm(self) -> None:
        clock, work = self._remaining()
        signal.setitimer(signal.ITIMER_REAL, max(clock, _SOON))
        # That timer counts the work of all threads: it may ring before this one has done its share.
        signal.setitimer(signal.ITIMER_PROF, max(work, _SOON))

    def _ring(self, number: int, frame: FrameType | None) -> None:
        try:
            self._check()
        except OutOfTime:
            # Python drops what is raised in a finaliser or in a callback of its garbage collector.
            signal.setitimer(signal.ITIMER_REAL, _AGAIN)
            raise
        self._arm()

    def _check(self) -> None:
        clock, work = self._remaining()
        if clock <= 0:
            raise OutOfTime(f"Stopped after {self.seconds:g} seconds")
        if work <= 0:
            raise OutOfTime(f"Stopped after {self.cpu_seconds:g} seconds of work")
