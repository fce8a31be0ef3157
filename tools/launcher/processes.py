"""Questions about processes that the launcher asks, answered by psutil."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import psutil


def read_pid(file: Path) -> int | None:
    """Return the process number on the first line of a pid file, if there is one."""
    try:
        first = file.read_text().splitlines()[:1]
    except FileNotFoundError:
        return None
    return int(first[0]) if first and first[0].strip().isdigit() else None


def running_pid(file: Path, name: str) -> int | None:
    """Return the process of a pid file if it runs and is the program `name`.

    Process numbers are reused.
    """
    pid = read_pid(file)
    if pid is None:
        return None
    try:
        process = psutil.Process(pid)
        runs = process.name() == name and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return None
    return pid if runs else None


def stop(pid: int, *, with_signal: signal.Signals, wait_s: float) -> bool:
    """Ask the process to stop and wait for it; return whether it is gone."""
    try:
        process = psutil.Process(pid)
        os.kill(pid, with_signal)
        process.wait(timeout=wait_s)
    except (psutil.NoSuchProcess, ProcessLookupError):
        return True
    except psutil.TimeoutExpired:
        return False
    return True


class Server(Protocol):
    """A server that this machine runs; `pid` is None while it does not."""

    @property
    def pid(self) -> int | None: ...


def is_up(server: Server, problem: Callable[[], object], wait_s: float) -> bool:
    """Return whether the server runs and answers, so that `problem` returns None.

    Waits for one that just begins or ends: a killed process stays listed for a moment.
    """
    deadline = time.monotonic() + wait_s
    while server.pid is not None and time.monotonic() < deadline:
        if problem() is None:
            return True
        time.sleep(0.02)
    return server.pid is not None
