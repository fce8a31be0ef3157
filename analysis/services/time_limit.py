"""A time limit that ends the measurement but not the check."""

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
    """`seconds` of monotonic time from `began`, and `cpu_seconds` of this thread's work.

    The second limits what an input costs whatever else the machine does; the first limits how long
    a check may take until it is recorded.
    """

    seconds: float
    cpu_seconds: float
    began: float
    cpu_began: float

    @classmethod
    def of(cls, seconds: float, cpu_seconds: float) -> "TimeLimit":
        """Return a limit that begins now."""
        return cls(seconds, cpu_seconds, monotonic(), thread_time())

    @contextmanager
    def interrupting(self) -> Iterator[None]:
        """Raise OutOfTime at once if the time is over, or within the block when it ends.

        Only the main thread can be interrupted; a worker checks there.
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
        """Return the seconds of wall time that a model may still use."""
        return max(0.0, self._remaining()[0] - _RESERVE)

    def _remaining(self) -> tuple[float, float]:
        """Return the remaining seconds of wall time and of CPU time."""
        clock = self.began + self.seconds - monotonic()
        return clock, self.cpu_began + self.cpu_seconds - thread_time()

    def _arm(self) -> None:
        clock, work = self._remaining()
        signal.setitimer(signal.ITIMER_REAL, max(clock, _SOON))
        # That timer counts the work of all threads, so it may fire before this one's share is used.
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
