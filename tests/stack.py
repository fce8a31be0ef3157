"""The product as real processes: gunicorn, a Celery worker and beat on the test database."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from django.db import connection

from lib.workqueue.broker import redis_client
from tests.database import sql
from tests.sockets import wait_until
from tools.launcher.ports import any_free

ROOT = Path(__file__).resolve().parent.parent
_START_SECONDS = 120
_PAUSE_SECONDS = 120
_ANSWER_SECONDS = 120
"""Longer than a request may wait at the server (60 seconds), so that it answers first."""

PATIENT = {
    "CHECK_TIME_LIMIT_SECONDS": "60",
    # A pause must not look like a worker that hangs.
    "GUNICORN_CMD_ARGS": "--timeout 0",
    "DEFAULT_WAIT_SECONDS": "60",
}
"""Times for tests in which nothing is killed, so that a busy machine is no fault."""
_BUSY = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
  AND backend_type = 'client backend' AND state <> 'idle'
"""


@dataclass
class Stack:
    """Running processes by name; `url` is where the web answers."""

    url: str
    folder: Path
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    """The environment of every process, restarted ones included."""

    @classmethod
    def start(cls, *names: str, **environment: str) -> "Stack":
        """Start `names` (default: web, worker, beat) and wait until they serve."""
        port = any_free()
        folder = Path(tempfile.mkdtemp(prefix="watchdog-stack-"))
        stack = cls(f"http://127.0.0.1:{port}", folder, environment=environment)
        for name in names or ("web", "worker", "beat"):
            stack.spawn(name)
        try:
            if "web" in stack.processes:
                stack.wait_until("/readyz?all" if len(stack.processes) == 3 else "/healthz")
        except TimeoutError:
            stack.stop()
            raise
        return stack

    def spawn(self, name: str, **environment: str) -> subprocess.Popen[bytes]:
        """Start one process in a process group of its own, its output in a log file."""
        log = (self.folder / f"{name}.log").open("ab")
        self.processes[name] = subprocess.Popen(
            command_of(name, self.folder, "-c", "2", "-l", "WARNING"),
            cwd=ROOT,
            env={**os.environ, **self._environment(), **self.environment, **environment},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        return self.processes[name]

    def _environment(self) -> dict[str, str]:
        database = urlsplit(os.environ["DATABASE_URL"])
        name = connection.settings_dict["NAME"]
        return {
            "DATABASE_URL": database._replace(path=f"/{name}").geturl(),
            "WEB_PORT": str(urlsplit(self.url).port),
            "DJANGO_SETTINGS_MODULE": "watchdog_site.settings",
        }

    def wait_until(self, path: str, *, seconds: float = _START_SECONDS) -> None:
        """Wait until `path` answers 200."""
        said = ""

        def serves() -> bool:
            nonlocal said
            answer = httpx.get(self.url + path, timeout=5)
            said = answer.text
            return answer.status_code == 200

        otherwise = lambda: f"{path} said {said}\n{self.logs()}"  # noqa: E731
        wait_until(serves, otherwise, seconds=seconds, despite=(httpx.TransportError,))

    def client(self, token: str) -> httpx.Client:
        """Return an HTTP client that sends the key."""
        headers = {"Authorization": f"Bearer {token}"}
        return httpx.Client(base_url=self.url, headers=headers, timeout=_ANSWER_SECONDS)

    def kill(self, name: str) -> None:
        """Kill a process and all its children (SIGKILL)."""
        process = self.processes.pop(name)
        with suppress(ProcessLookupError):  # it has ended, and its children too
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(60)

    def is_whole(self) -> bool:
        """Return whether all processes still run."""
        return all(process.poll() is None for process in self.processes.values())

    def pause(self) -> None:
        """Halt all processes between two transactions, so that they hold no lock.

        Returns once Redis waits for none of them either: it would hand a message of the next test
        to a worker that is halted.
        """
        deadline = time.monotonic() + _PAUSE_SECONDS
        self._signal(signal.SIGSTOP)
        while _transactions():
            self.resume()
            if time.monotonic() > deadline:
                raise TimeoutError(f"always in a transaction\n{self.logs()}")
            time.sleep(0.1)
            self._signal(signal.SIGSTOP)
        wait_until(
            lambda: not redis_client().info("clients")["blocked_clients"],
            lambda: f"always at a queue\n{self.logs()}",
        )

    def resume(self) -> None:
        """Let paused processes continue."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        for process in self.processes.values():
            if process.poll() is None:
                os.killpg(process.pid, number)

    def logs(self) -> str:
        """Return the output of the processes."""
        return "\n".join(
            f"--- {path.name}\n{path.read_text()[-3000:]}" for path in self.folder.glob("*.log")
        )

    def stop(self) -> None:
        """End everything at once: nothing is lost that a test still looks at."""
        for name in list(self.processes):
            self.kill(name)
        shutil.rmtree(self.folder, ignore_errors=True)


def command_of(name: str, folder: Path, *of_worker: str) -> list[str]:
    """Return the command of a process, whose name begins with web, worker or beat."""
    python = [sys.executable, "-m"]
    celery = [*python, "celery", "-A", "watchdog_site"]
    match name.split("-", maxsplit=1)[0]:
        case "web":
            config = "watchdog_site/gunicorn_conf.py"
            return [*python, "gunicorn", "-c", config, "watchdog_site.wsgi:application"]
        case "worker":
            return [*celery, "worker", "-n", f"{name}@%h", *of_worker]
        case _:
            return [*celery, "beat", "-s", str(folder / "schedule"), "-l", "WARNING"]


def _transactions() -> int:
    """Return how many other connections are in the middle of a transaction."""
    return sql(_BUSY)[0][0]
