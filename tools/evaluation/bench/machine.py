"""Measures the speed of the machine around a benchmark, and the processor time of a process.

A figure in milliseconds means little on a machine whose cores are shared with others': the same
page took 90 and 400 ms within an hour. So each benchmark says how long a fixed piece of Python
takes right before it and right after.
"""

from dataclasses import dataclass
from time import process_time

import psutil
from django.db import connection

ADDITIONS = 1_000_000
_BEST_OF = 3


@dataclass(frozen=True, slots=True)
class Speed:
    """Processor seconds of the loop right before and right after."""

    before: float
    after: float

    def __str__(self) -> str:
        return (
            f"Machine: {ADDITIONS:,} additions in Python took {self.before:.3f} s of processor "
            f"right before, {self.after:.3f} s right after (docs/research/speed.md)."
        )


def loop_seconds() -> float:
    """Return the processor seconds of a fixed loop, the best of three; waiting does not count."""
    return min(_once() for _ in range(_BEST_OF))


def backend() -> int:
    """Return the process of the database that serves this connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def processor(process: int) -> float | None:
    """Return the processor seconds that a process has used; None for one on another machine."""
    try:
        times = psutil.Process(process).cpu_times()
    except psutil.NoSuchProcess:
        return None
    return float(times.user + times.system)


def _once() -> float:
    began, total = process_time(), 0
    for number in range(ADDITIONS):
        total += number
    return process_time() - began
