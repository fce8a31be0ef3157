"""A pytest plugin: the servers that the tests use, started when the first test needs them.

One PostgreSQL serves the whole run, one Redis each process of pytest-xdist. Their addresses are
settled here, before Django reads its settings; `start` starts them. `TEST_DATABASE_URL` and
`TEST_REDIS_URL` name real servers instead; the Redis is then shared, so run without `-n`. With
`TEST_OWN_POSTGRES` each process has a PostgreSQL too, which its tests may halt and kill.
"""

import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from filelock import FileLock

from tests import template
from tools.launcher import accounts, folders, ports, postgres, redis

WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")
TEMPLATE = postgres.DATABASE
"""The migrated database from which each process's own is copied."""
DISK_MB = os.environ.get("FAULT_DISK_MB", "")
"""Megabytes of a file system in memory for the servers of this run, which can be filled; needs root
and is unmounted at the end."""
START_S = 600
# Two stacks of web, worker and beat hold about a hundred connections; nothing here must outlive
# the machine. What is committed must outlive the server, which tests kill: so commits are written
# at once (synchronous_commit), though not to a disk.
SETTINGS = """\
max_connections = 400
fsync = off
full_page_writes = off
max_wal_size = 256MB
"""


def _run_folder() -> Path:
    """Return the folder of this run, which the processes of pytest-xdist share."""
    if not WORKER:
        folder = Path(tempfile.mkdtemp(prefix="watchdog-test-"))
        if DISK_MB:
            options = f"size={int(DISK_MB)}m,mode=755"
            subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True)
        folder.chmod(0o755)
        os.environ["WATCHDOG_TEST_RUN"] = str(folder)
    return Path(os.environ["WATCHDOG_TEST_RUN"])


def _planned_url(data_dir: Path) -> str:
    """Return the DATABASE_URL that `postgres.start` will use; makes nothing but the system user."""
    other_user = accounts.postgres_account() is not None
    place = folders.place_for(data_dir, postgres.NAME, other_user=other_user)
    return postgres.database_url(postgres.socket_folder(place.folder))


RUN = _run_folder()
OWN = RUN / (WORKER or "main")
OWN.mkdir(mode=0o755)
(OWN / "static").mkdir()
DATABASE = OWN if os.environ.get("TEST_OWN_POSTGRES") else RUN
"""The folder of the PostgreSQL that this process uses."""

# Every process of the tests would compile the whole product again, for half a second and more.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# The base judge is set up by the tests that are about it; elsewhere the small one is enough.
os.environ.setdefault("NLI_MODEL", "small")
os.environ.setdefault("PROBE_MINUTES", "0")
os.environ.setdefault("SECRET_KEY", secrets.token_urlsafe(50))
os.environ |= {
    "STATIC_FROM_SOURCE": "1",
    "STATIC_ROOT": str(OWN / "static"),
    # Short times, so that tests of what happens after them need not wait long.
    "CHECK_TIME_LIMIT_SECONDS": "8",  # a new worker child opens the model of embedding first
    "QUEUE_SWEEP_SECONDS": "1",
    "QUEUE_MAX_ATTEMPTS": "3",
    "DOCUMENTS_WITHOUT_SANDBOX": "true",  # where there is none the rest can still be tested
    "DATABASE_URL": os.environ.get("TEST_DATABASE_URL") or _planned_url(DATABASE),
}
_reserved: socket.socket | None = None
if "TEST_REDIS_URL" in os.environ:
    os.environ["REDIS_URL"] = os.environ["TEST_REDIS_URL"]
else:
    _server = redis.prepare(OWN)
    os.environ["REDIS_URL"] = _server.url
    # Bound but not listening, so that nobody else is given the port until Redis takes it.
    _reserved = socket.socket()
    _reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    _reserved.bind((ports.HOST, _server.port))


def start() -> None:
    """Start the servers, unless real ones are named; the first process also migrates."""
    if _reserved is not None:
        _reserved.close()
        assert redis.start(OWN) == os.environ["REDIS_URL"]
    if "TEST_DATABASE_URL" not in os.environ:
        with FileLock(RUN / "postgres.lock", timeout=START_S):
            assert postgres.start(DATABASE, SETTINGS) == os.environ["DATABASE_URL"]
            _migrate_template()


def _migrate_template() -> None:
    ready = DATABASE / "template-ready"
    if not ready.exists():
        template.fill(os.environ["DATABASE_URL"])
        ready.touch()


def pytest_unconfigure() -> None:
    """Stop what this process started; the one that began the run stops the shared PostgreSQL."""
    redis.stop(OWN)
    if WORKER:
        if DATABASE == OWN:
            postgres.remove(OWN)
        return
    for folder in RUN.glob("gw*"):  # a process that crashed could not stop its own
        redis.stop(folder)
        postgres.remove(folder)
    postgres.remove(DATABASE)
    if DISK_MB:
        subprocess.run(["umount", RUN], check=True)
    shutil.rmtree(RUN)


def revive() -> None:
    """Start PostgreSQL again where it ended and did not come back by itself."""
    with FileLock(RUN / "postgres.lock", timeout=START_S):
        postgres.start(DATABASE, SETTINGS)


def revive_redis() -> None:
    """Start Redis again at its address."""
    assert redis.start(OWN) == os.environ["REDIS_URL"]
