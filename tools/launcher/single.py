"""One `make run` at a time in one checkout, and commands beside it."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.launcher import processes
from tools.launcher.console import note
from tools.launcher.errors import LauncherError


def lock_file(data_dir: Path) -> Path:
    """Return the file whose lock is held, and which names the holder, while we run."""
    return data_dir / "run.lock"


@contextmanager
def only_one(data_dir: Path) -> Iterator[None]:
    """Hold the lock of this data folder; the system frees it even when we are killed."""
    with lock_file(data_dir).open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise LauncherError(
                f"WATCHDOG runs already in this checkout (process {holder(data_dir)}).",
                "Use that one, or stop it with `make stop`.",
            ) from error
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)


def holder(data_dir: Path) -> int | None:
    """Return the process that holds the lock, or None when nobody does."""
    try:
        with lock_file(data_dir).open("r") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return None
    except BlockingIOError:
        return processes.read_pid(lock_file(data_dir))
    return None


@contextmanager
def command(data_dir: Path) -> Iterator[None]:
    """Use the servers of this data folder; waits while `make run` starts them."""
    with _lock(data_dir / "commands.lock", fcntl.LOCK_SH, "`make run` starts its servers"):
        yield


@contextmanager
def no_command(data_dir: Path) -> Iterator[None]:
    """Wait until no command uses the servers of this data folder, and keep new ones waiting."""
    with _lock(data_dir / "commands.lock", fcntl.LOCK_EX, "another command uses the database"):
        yield


@contextmanager
def starting(data_dir: Path) -> Iterator[None]:
    """Look which servers run, and start them, one command at a time."""
    with _lock(data_dir / "starting.lock", fcntl.LOCK_EX, "another command starts the servers"):
        yield


@contextmanager
def _lock(path: Path, kind: int, reason: str) -> Iterator[None]:
    """Hold a lock; where that takes a while, say why."""
    with path.open("a") as file:
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            note(f"Waiting: {reason}.")
            fcntl.flock(file, kind)
        yield
