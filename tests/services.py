"""A pytest plugin: a PostgreSQL and a Redis of this run's own, before Django reads its settings.

Loaded by `-p tests.services` in pyproject.toml. `TEST_DATABASE_URL` and `TEST_REDIS_URL` name real
servers instead.
"""

import os
import secrets
import shutil
import tempfile
from pathlib import Path

from launcher import postgres, redis

_folder = Path(tempfile.mkdtemp(prefix="watchdog-test-"))
_folder.chmod(0o755)

os.environ.setdefault("SECRET_KEY", secrets.token_urlsafe(50))
os.environ["STATICFILES_BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
os.environ["STATIC_FROM_SOURCE"] = "1"
(_folder / "static").mkdir()
os.environ["STATIC_ROOT"] = str(_folder / "static")
# Short times, so that tests of what happens after them need not wait long.
os.environ |= {
    "CHECK_TIME_LIMIT_SECONDS": "8",  # a new worker child opens the model of embedding first
    "CHECK_LEASE_SECONDS": "9",
    "CHECK_VISIBILITY_TIMEOUT_SECONDS": "12",
    "CHECK_RING_AGAIN_SECONDS": "3",
    "CHECK_SWEEP_SECONDS": "1",
    "CHECK_MAX_ATTEMPTS": "3",
}


os.environ["DATABASE_URL"] = os.environ.get("TEST_DATABASE_URL") or postgres.start(_folder)
os.environ["REDIS_URL"] = os.environ.get("TEST_REDIS_URL") or redis.start(_folder)


def pytest_unconfigure() -> None:
    """Stop what was started."""
    redis.stop(_folder)
    postgres.stop(_folder)
    postgres.remove(_folder)
    shutil.rmtree(_folder)
