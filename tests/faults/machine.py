"""Faults of the machine: a full disk under the servers, and clocks that jump under the processes.

The disk is a file system in memory of this run's own, the clock a library that is
loaded into the processes; neither touches anything outside of the run. Where one cannot be made,
its faults are left out, and said. (libfaketime does not do: with the true time for waiting, its
`clock_nanosleep` makes every `time.sleep` of Python fail.)
"""

import errno
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from tests import services

HELD_SECONDS = 2.0
JUMPS = (3_600, -3_600, 86_400)
_SOURCE = Path(__file__).with_name("clock.c")
_BLOCK = 1 << 20
NO_DISK = "full disk: no file system of its own (make faults mounts one as root)"
NO_CLOCK = "clock jump: there is no compiler (cc)"


class Clock:
    """The clock of the processes: a file with the seconds that they are ahead (`clock.c`)."""

    def __init__(self, folder: Path) -> None:
        self.file, self.library = folder / "clock", folder / "clock.so"
        self.set(0)
        self.jumps = 0
        command = ["cc", "-shared", "-fPIC", "-O2", "-o", str(self.library), str(_SOURCE)]
        subprocess.run(command, check=True)

    def set(self, seconds: int) -> None:
        """Set how far the processes are ahead of the true time."""
        self.file.write_text(f"{seconds}\n")

    def jump(self) -> None:
        """Jump an hour ahead, an hour back, a day ahead, in turn, and back to the true time."""
        self.set(JUMPS[self.jumps % len(JUMPS)])
        self.jumps += 1
        time.sleep(HELD_SECONDS)
        self.set(0)

    @property
    def environment(self) -> dict[str, str]:
        """The variables by which a process uses this clock."""
        return {"LD_PRELOAD": str(self.library), "CLOCK_FILE": str(self.file)}


def clock(folder: Path) -> Clock | None:
    """Return a clock that can jump; None where there is no compiler."""
    return Clock(folder) if shutil.which("cc") else None


def fill_disk() -> None:
    """Fill the disk of the servers, free it after a while, and start what did not come back.

    PostgreSQL ends where it can write no log, and cannot recover before there is space; the
    launcher starts it again in the product, as is done here.
    """
    filler = services.RUN / "filler"
    try:
        _fill(filler)
        time.sleep(HELD_SECONDS)
    finally:
        filler.unlink(missing_ok=True)
    services.revive()


def _fill(file: Path) -> None:
    """Write until there is no space left."""
    with file.open("wb", buffering=0) as filler:
        for size in (_BLOCK, 4096):
            while _is_written(filler.write, b"\0" * size):
                pass


def _is_written(write: Callable[[bytes], int | None], data: bytes) -> bool:
    try:
        return write(data) == len(data)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        return False


def has_own_disk() -> bool:
    """Return whether the servers of this run lie on a file system of their own."""
    return os.path.ismount(services.RUN)
