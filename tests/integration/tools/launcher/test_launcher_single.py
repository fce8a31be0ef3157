import os

import pytest

from tools.launcher import single
from tools.launcher.errors import LauncherError


def test_a_second_run_is_told_who_runs(tmp_path):
    with single.only_one(tmp_path):
        assert single.holder(tmp_path) == os.getpid()
        with (
            pytest.raises(LauncherError, match=f"process {os.getpid()}"),
            single.only_one(tmp_path),
        ):
            pytest.fail("two at once")
    assert single.holder(tmp_path) is None


def test_the_lock_of_a_killed_run_is_free(tmp_path):
    child = os.fork()
    if child == 0:
        with single.only_one(tmp_path):
            os.kill(os.getpid(), 9)
    os.waitpid(child, 0)
    assert single.holder(tmp_path) is None
    with single.only_one(tmp_path):
        pass
