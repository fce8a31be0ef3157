"""Data folders that PostgreSQL's own user can reach; what runs there is stopped afterwards."""

import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest

from tools.launcher import leftovers, postgres


@pytest.fixture
def data_dir():
    """Make a folder of this test's own."""
    with temporary_data_dir() as folder:
        yield folder


@pytest.fixture(scope="module")
def shared_dir():
    """Make one folder, and so one database cluster, for the tests of a module."""
    with temporary_data_dir() as folder:
        yield folder


@contextmanager
def temporary_data_dir():
    """Make a folder in the system's temporary one; pytest's own is closed to other users."""
    root = Path(tempfile.mkdtemp(prefix="watchdog-launcher-")).resolve()
    root.chmod(0o755)
    folder = root / ".data"
    yield folder
    leftovers.stop_all(folder)
    postgres.remove(folder)
    shutil.rmtree(root)
