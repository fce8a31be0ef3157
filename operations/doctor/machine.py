"""Checks of the machine: Python, memory, disk."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from operations.doctor.findings import Finding, error, ok, warning

GIB = 2**30
LEAST_DISK, SCANT_DISK = 1 * GIB, 5 * GIB
LEAST_MEMORY, SCANT_MEMORY = 1 * GIB, 3 * GIB
OLDEST_PYTHON = (3, 11)


def python() -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < OLDEST_PYTHON:
        yield error("python", f"Python {version} is too old.", "Install Python 3.11 or newer.")
    else:
        yield ok("python", version)


def disk(folder: Path) -> Iterator[Finding]:
    """Report the free space for models, logs and the embedded database."""
    where = next(path for path in (folder, *folder.resolve().parents) if path.exists())
    yield space("disk", f"free at {where}", shutil.disk_usage(where).free, LEAST_DISK, SCANT_DISK)


def memory(meminfo: Path = Path("/proc/meminfo")) -> Iterator[Finding]:
    """Report the available memory; nothing if the system does not say."""
    if not meminfo.exists():
        return
    fields = dict(line.split(":", 1) for line in meminfo.read_text().splitlines() if ":" in line)
    free = int(fields["MemAvailable"].split()[0]) * 1024
    yield space("memory", "available", free, LEAST_MEMORY, SCANT_MEMORY)


def space(part: str, what: str, free: int, least: int, scant: int) -> Finding:
    """Return a finding about `free` bytes: an error below `least`, a warning below `scant`."""
    text = f"{free / GIB:.1f} GiB {what}"
    if free < least:
        return error(part, text, f"Make room: at least {scant // GIB} GiB are advised.")
    if free < scant:
        return warning(part, text, f"At least {scant // GIB} GiB are advised.")
    return ok(part, text)


def processors() -> Iterator[Finding]:
    """Report the cores that this process may use."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    yield ok("processors", f"{cores}")
