"""A data folder that PostgreSQL's own user can reach, with whatever runs there stopped after."""

import shutil
import tempfile
from pathlib import Path

import pytest

from launcher import leftovers, postgres


@pytest.fixture
def data_dir():
    """A folder in the system's temporary folder (pytest's own is closed to other users)."""
    root = Path(tempfile.mkdtemp(prefix="watchdog-launcher-")).resolve()
    root.chmod(0o755)
    folder = root / ".data"
    yield folder
    leftovers.stop_all(folder)
    postgres.remove(folder)
    shutil.rmtree(root)
