"""Questions about processes that the launcher asks, answered by psutil."""

import os
import signal
from pathlib import Path

import psutil


def is_alive(pid: int, name: str) -> bool:
    """Return whether the process `pid` runs and is the program `name` (numbers are reused)."""
    try:
        process = psutil.Process(pid)
        return bool(process.name() == name and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def read_pid(file: Path) -> int | None:
    """Return the process number on the first line of a pid file, if there is one."""
    try:
        first = file.read_text().splitlines()[:1]
    except FileNotFoundError:
        return None
    return int(first[0]) if first and first[0].strip().isdigit() else None


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
