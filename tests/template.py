"""The migrated database that the tests copy, stored between runs.

Migrating takes half a minute, restoring what it made a second. What was stored is used on the same
day only (there is a partition a month), and with exactly the same code and requirements.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from launcher.environment import CHECKOUT

FOLDER = CHECKOUT / ".data" / "test-template"
_LONGEST_S = 600


def fill(url: str) -> None:
    """Bring the empty database to the newest version."""
    dump = FOLDER / f"{digest()}.dump"
    if dump.exists():
        _run(_program("pg_restore"), "--exit-on-error", f"--dbname={url}", str(dump))
        return
    _run(sys.executable, "manage.py", "migrate", "--noinput", "--verbosity", "0")
    store(url, dump)


def store(url: str, dump: Path) -> None:
    """Keep what it holds, and nothing older; a run beside this one sees all of it or nothing."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    unfinished = FOLDER / f"{os.getpid()}.part"
    _run(_program("pg_dump"), "--format=custom", f"--file={unfinished}", url)
    for old in FOLDER.glob("*.dump"):
        old.unlink(missing_ok=True)
    unfinished.rename(dump)


def digest() -> str:
    """Of all that decides what a migrated database holds."""
    found = hashlib.sha256(datetime.now(UTC).date().isoformat().encode())
    for file in _files():
        found.update(f"{file.relative_to(CHECKOUT)}\0".encode())
        found.update(hashlib.sha256(file.read_bytes()).digest())
    return found.hexdigest()[:32]


def _files() -> Iterator[Path]:
    """The product's code and SQL: migrations import some of it, permissions follow from models."""
    yield from sorted(CHECKOUT.glob("requirements*.txt"))
    for package in sorted(CHECKOUT.glob("*/__init__.py")):
        if package.parent.name != "tests":
            files = (*package.parent.rglob("*.py"), *package.parent.rglob("*.sql"))
            yield from sorted(files)


def _program(name: str) -> str:
    # Django's settings read variables that are not settled when this module is imported.
    from operations.programs import find_program

    return find_program(name)


def _run(*command: str) -> None:
    subprocess.run(command, cwd=CHECKOUT, check=True, timeout=_LONGEST_S)
