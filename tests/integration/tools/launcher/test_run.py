"""`make run` as a user sees it, but for the installation: twice, with the same data."""

import os
import re
import signal
import subprocess
import sys
import time

import httpx
import pytest

from tests.sockets import wait_until
from tools.launcher import leftovers, ports, postgres, redis
from tools.launcher.environment import CHECKOUT

UP = "WATCHDOG is up"
LONGEST_S = 300
"""Other programs may have the processor meanwhile."""
KEPT = ("PATH", "HOME", "LANG", "TMPDIR")


class Run:
    """A `make run` in the background, its output in a file."""

    def __init__(self, data_dir, port):
        self.output = data_dir.parent / f"output-{time.monotonic_ns()}.txt"
        variables = {name: os.environ[name] for name in KEPT if name in os.environ}
        with self.output.open("w") as stream:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tools.launcher", "--data-dir", str(data_dir), "run"],
                cwd=CHECKOUT,
                env={**variables, "WEB_PORT": str(port), "COLUMNS": "200"},
                stdout=stream,
                stderr=subprocess.STDOUT,
            )

    @property
    def text(self):
        return self.output.read_text()

    def wait_until_up(self, seconds):
        ended = lambda: self.process.poll() is not None  # noqa: E731
        wait_until(lambda: UP in self.text or ended(), lambda: self.text, seconds=seconds)
        assert UP in self.text, self.text

    def stop(self, number):
        self.process.send_signal(number)
        return self.process.wait(60)


@pytest.mark.timeout(900)
def test_from_nothing_to_three_verdicts_and_again(data_dir):
    port = ports.any_free()
    first = Run(data_dir, port)
    first.wait_until_up(LONGEST_S)
    for expected in ("ALLOW", "WARN", "BLOCK", "35 MEDIUM", "contradicted by"):
        assert expected in first.text
    assert "Expected" not in first.text
    password = re.search(r"password +(\S+)", first.text).group(1)
    assert password not in "".join(
        file.read_text(errors="replace") for file in (data_dir / "logs").iterdir()
    )

    second = Run(data_dir, port)
    assert second.process.wait(60) == 1
    assert f"process {first.process.pid}" in second.text

    assert first.stop(signal.SIGINT) == 0
    nothing_is_left(data_dir)

    third = Run(data_dir, port)
    third.wait_until_up(LONGEST_S)
    assert "password" not in third.text
    assert httpx.get(f"http://127.0.0.1:{port}/readyz").status_code == 200
    assert third.stop(signal.SIGTERM) == 0
    nothing_is_left(data_dir)


def nothing_is_left(data_dir):
    assert leftovers.own_processes(data_dir) == {}
    assert postgres.locate(data_dir).pid is None
    assert redis.locate(data_dir).pid is None
