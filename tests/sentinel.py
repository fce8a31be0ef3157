"""A Redis primary, a replica and three sentinels: real processes on this machine."""

import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from tests.sockets import wait_until
from tools.launcher.ports import any_free
from tools.launcher.redis import executable

PRIMARY, PASSWORD, SENTINEL_PASSWORD = "main", "of-redis", "of-sentinels"
_SECONDS = 60.0
_SERVER = """\
bind 127.0.0.1
port {port}
requirepass {password}
masterauth {password}
dir "{folder}"
save ""
appendonly no
"""
_SENTINEL = """\
bind 127.0.0.1
port {port}
dir "{folder}"
requirepass {sentinel_password}
sentinel sentinel-pass {sentinel_password}
sentinel monitor {primary} 127.0.0.1 {watched} 2
sentinel auth-pass {primary} {password}
sentinel down-after-milliseconds {primary} 1000
sentinel failover-timeout {primary} 5000
"""


@dataclass
class Watched:
    """The servers by port; the first of `servers` is the primary at the start."""

    folder: Path
    servers: dict[int, subprocess.Popen[bytes]] = field(default_factory=dict)
    sentinels: dict[int, subprocess.Popen[bytes]] = field(default_factory=dict)

    @classmethod
    def start(cls) -> "Watched":
        """Start all five; return once the sentinels know the replica and each other."""
        watched = cls(Path(tempfile.mkdtemp(prefix="watchdog-sentinel-")))
        primary = watched._serve(_SERVER)
        watched._serve(_SERVER + f"replicaof 127.0.0.1 {primary}\n")
        for _ in range(3):
            watched._watch(primary)
        watched._wait(watched._is_whole)
        return watched

    @property
    def url(self) -> str:
        """The REDIS_URL."""
        nodes = ",".join(f"127.0.0.1:{port}" for port in self.sentinels)
        return f"redis+sentinel://:{PASSWORD}@{nodes}/{PRIMARY}/0?sentinel_password={SENTINEL_PASSWORD}"

    def primary(self) -> int:
        """Return the port of the server that the sentinels name."""
        for port, process in self.sentinels.items():
            if process.poll() is None:
                return int(self._sentinel(port).sentinel_get_master_addr_by_name(PRIMARY)[1])
        raise LookupError("no sentinel is left")

    def kill_primary(self) -> int:
        """Kill the primary; return the port of the one that has taken its place."""
        old = self.primary()
        self.servers[old].kill()
        self.servers[old].wait(10)
        self._wait(lambda: self.primary() != old and self._takes_writes())
        return self.primary()

    def stop(self) -> None:
        for process in (*self.sentinels.values(), *self.servers.values()):
            process.kill()
            process.wait(10)
        shutil.rmtree(self.folder)

    def _serve(self, text: str) -> int:
        port = any_free()
        settings = text.format(port=port, password=PASSWORD, folder=self.folder)
        self.servers[port] = self._run(f"redis-{port}", settings)
        return port

    def _watch(self, primary: int) -> None:
        port = any_free()
        settings = _SENTINEL.format(
            port=port,
            folder=self.folder,
            primary=PRIMARY,
            watched=primary,
            password=PASSWORD,
            sentinel_password=SENTINEL_PASSWORD,
        )
        self.sentinels[port] = self._run(f"sentinel-{port}", settings, "--sentinel")

    def _run(self, name: str, settings: str, *options: str) -> subprocess.Popen[bytes]:
        config = self.folder / f"{name}.conf"
        config.write_text(settings)
        log = (self.folder / f"{name}.log").open("ab")
        return subprocess.Popen([executable(), config, *options], stdout=log, stderr=log)

    def _is_whole(self) -> bool:
        states = [self._sentinel(port).sentinel_master(PRIMARY) for port in self.sentinels]
        return all(
            state["num-other-sentinels"] == 2 and state["num-slaves"] == 1 for state in states
        )

    def _takes_writes(self) -> bool:
        with Redis(port=self.primary(), password=PASSWORD, socket_timeout=2) as server:
            return server.info("replication")["role"] == "master"

    def _sentinel(self, port: int) -> Redis:
        return Redis(port=port, password=SENTINEL_PASSWORD, socket_timeout=2)

    def _wait(self, holds: Callable[[], bool]) -> None:
        """Wait until it holds, though a server that starts or changes its role does not answer."""
        wait_until(holds, self._logs, seconds=_SECONDS, despite=(RedisError,))

    def _logs(self) -> str:
        return "\n".join(path.read_text()[-1500:] for path in self.folder.glob("*.log"))
