"""Web and worker nodes, each on a machine of its own, with one PgBouncer and one Redis."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults.network import HUB, Network
from tests.pgbouncer import Prepared
from tests.sockets import wait_until
from tests.stack import ROOT, command_of
from tools.launcher.redis import executable

PORT, REDIS_PORT = 8000, 6379
PASSWORD = "of-redis"
_SECONDS = 180.0


@dataclass
class Cluster:
    """The processes by the name of their node.

    PostgreSQL is reached by its socket, from the hub alone: a path is no part of the network.
    """

    network: Network
    direct_url: str
    folder: Path
    servers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    nodes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    pooler: Prepared | None = None

    @classmethod
    def start(cls, network: Network, direct_url: str, **environment: str) -> "Cluster":
        """Start PgBouncer and Redis on the hub; nodes are added by `spawn`."""
        cluster = cls(network, direct_url, Path(tempfile.mkdtemp(prefix="watchdog-cluster-")))
        hub = network.addresses[HUB]
        pooler = cluster.pooler = Prepared.write(direct_url, hub, 6432)
        cluster.servers.append(cluster._run(HUB, "pgbouncer", pooler.command))
        options = ("--bind", hub, "--port", str(REDIS_PORT), "--requirepass", PASSWORD)
        redis = [str(executable()), *options, "--save", "", "--appendonly", "no"]
        cluster.servers.append(cluster._run(HUB, "redis", redis))
        cluster.environment = {
            "DATABASE_URL": pooler.url,
            "DATABASE_DIRECT_URL": direct_url,
            "REDIS_URL": f"redis://:{PASSWORD}@{hub}:{REDIS_PORT}/0",
            "DJANGO_SETTINGS_MODULE": "watchdog_site.settings",
            "WEB_BIND": f"0.0.0.0:{PORT}",
            "ALLOWED_HOSTS": "*",
            **environment,
        }
        return cluster

    def spawn(self, *names: str) -> None:
        """Start nodes on their machines; a name begins with web, worker or beat."""
        for name in names:
            if name not in self.network.addresses:
                self.network.add(name)
            self.nodes[name] = self._run(
                name, name, command_of(name, self.folder, "-c", "1", "-l", "INFO")
            )

    def url(self, name: str) -> str:
        """Return the address at which a web node answers."""
        return f"http://{self.network.addresses[name]}:{PORT}"

    def kill(self, name: str) -> None:
        """Kill all processes of a node (SIGKILL)."""
        _kill(self.nodes.pop(name))

    def stop(self) -> None:
        for process in (*self.nodes.values(), *self.servers):
            _kill(process)
        shutil.rmtree(self.folder)
        if self.pooler:
            shutil.rmtree(self.pooler.folder)

    def logs(self) -> str:
        """Return the end of each process's log."""
        files = sorted(self.folder.glob("*.log"))
        return "\n".join(f"--- {file.name}\n{file.read_text()[-2000:]}" for file in files)

    def wait_for_workers(self, count: int) -> None:
        """Wait until so many workers have made their first connection to the queue's Redis."""

        def ready() -> int:
            files = self.folder.glob("worker-*.log")
            return sum(" ready." in file.read_text() for file in files)

        wait_until(lambda: ready() >= count, self.logs, seconds=_SECONDS)

    def _run(self, machine: str, name: str, command: Sequence[str]) -> subprocess.Popen[bytes]:
        log = (self.folder / f"{name}.log").open("ab")
        return subprocess.Popen(
            [*self.network.command(machine), *command],
            cwd=ROOT,
            env={**os.environ, **self.environment},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(20)
