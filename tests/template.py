"""The migrated database that the tests copy, stored between runs.

Migrating takes ten seconds of processor, restoring what it made one. What was stored is used on the
same day only (there is a partition a month), with the same migrations, models and requirements, and
where the trends have the layout that migrating has noted.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from tools.launcher.environment import CHECKOUT

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
    """Store the database's content, and nothing older; other runs see all of it or nothing."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    unfinished = FOLDER / f"{os.getpid()}.part"
    _run(_program("pg_dump"), "--format=custom", f"--file={unfinished}", url)
    for old in FOLDER.glob("*.dump"):
        old.unlink(missing_ok=True)
    unfinished.rename(dump)


def digest() -> str:
    """Return a digest of everything that decides what a migrated database holds."""
    from analysis.trends.metrics import LAYOUT  # after the plugins of pytest have settled

    day = datetime.now(UTC).date().isoformat()
    found = hashlib.sha256(f"{day}\0{LAYOUT}\0".encode())
    for file in _files():
        found.update(f"{file.relative_to(CHECKOUT)}\0".encode())
        found.update(hashlib.sha256(file.read_bytes()).digest())
    return found.hexdigest()[:32]


def _files() -> Iterator[Path]:
    """Yield migrations and models, whose permissions migrating makes, of us and of others."""
    yield from sorted(CHECKOUT.glob("requirements*.txt"))
    for pattern in ("*/migrations/*.*", "*/models/*.py", "*/models.py", "*/apps.py"):
        yield from sorted(CHECKOUT.glob(pattern))


def _program(name: str) -> str:
    # Django's settings read variables that are not settled when this module is imported.
    from operations.backup import find_program

    return find_program(name)


def _run(*command: str) -> None:
    subprocess.run(command, cwd=CHECKOUT, check=True, timeout=_LONGEST_S)
