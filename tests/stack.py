"""The product as real processes: gunicorn, a Celery worker and beat on the test database."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from django.db import connection

ROOT = Path(__file__).resolve().parent.parent
_START_SECONDS = 60


@dataclass
class Stack:
    """Running processes by name; `url` is where the web answers."""

    url: str
    folder: Path
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @classmethod
    def start(cls, *names: str, **environment: str) -> "Stack":
        """Start `names` (default: web, worker, beat) and wait until they serve."""
        port = free_port()
        stack = cls(f"http://127.0.0.1:{port}", Path(tempfile.mkdtemp(prefix="watchdog-stack-")))
        for name in names or ("web", "worker", "beat"):
            stack.spawn(name, **environment)
        if "web" in stack.processes:
            stack.wait_until("/readyz" if len(stack.processes) == 3 else "/healthz")
        return stack

    def spawn(self, name: str, **environment: str) -> subprocess.Popen[bytes]:
        """Start one process in a process group of its own, its output in a log file."""
        log = (self.folder / f"{name}.log").open("ab")
        self.processes[name] = subprocess.Popen(
            self._command(name),
            cwd=ROOT,
            env={**os.environ, **self._environment(), **environment},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        return self.processes[name]

    def _command(self, name: str) -> list[str]:
        python = [sys.executable, "-m"]
        celery = [*python, "celery", "-A", "watchdog_site"]
        match name.split("-", maxsplit=1)[0]:
            case "web":
                config = "watchdog_site/gunicorn_conf.py"
                return [*python, "gunicorn", "-c", config, "watchdog_site.wsgi:application"]
            case "worker":
                return [*celery, "worker", "-c", "2", "-n", f"{name}@%h", "-l", "WARNING"]
            case _:
                return [*celery, "beat", "-s", str(self.folder / "schedule"), "-l", "WARNING"]

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
        deadline = time.monotonic() + seconds
        said = "nothing"
        while time.monotonic() < deadline:
            try:
                answer = httpx.get(self.url + path, timeout=5)
                if answer.status_code == 200:
                    return
                said = answer.text
            except httpx.TransportError as error:
                said = str(error)
            time.sleep(0.1)
        raise TimeoutError(f"{path} said {said}\n{self.logs()}")

    def client(self, token: str) -> httpx.Client:
        """An HTTP client that sends the key."""
        headers = {"Authorization": f"Bearer {token}"}
        return httpx.Client(base_url=self.url, headers=headers, timeout=60)

    def kill(self, name: str) -> None:
        """SIGKILL a process and all its children."""
        process = self.processes.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(10)

    def logs(self) -> str:
        """What the processes have said."""
        return "\n".join(
            f"--- {path.name}\n{path.read_text()[-3000:]}" for path in self.folder.glob("*.log")
        )

    def stop(self) -> None:
        """End everything, the hard way after ten seconds."""
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(10)
        self.processes.clear()
        shutil.rmtree(self.folder, ignore_errors=True)


def free_port() -> int:
    """A TCP port that nobody listens on at this moment."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
    return port
