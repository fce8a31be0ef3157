"""The process manager: supervisor with a configuration of our own, and how we talk to it."""

import os
import shlex
import subprocess
import tempfile
import time
import xmlrpc.client
from collections.abc import Sequence
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Any

from supervisor.xmlrpc import SupervisorTransport  # type: ignore[import-untyped]  # ships no types

from tools.launcher import folders, postgres
from tools.launcher.environment import CHECKOUT, Stack, module
from tools.launcher.errors import LauncherError

START_S = 300.0

HEAD = """\
[supervisord]
nodaemon=true
silent=true
logfile={logs}/supervisord.log
logfile_maxbytes=10MB
logfile_backups=2
pidfile={run}/supervisord.pid
childlogdir={logs}
{as_root}
[unix_http_server]
file={socket}
chmod=0700

[rpcinterface:supervisor]
supervisor.rpcinterface_factory=supervisor.rpcinterface:make_main_rpcinterface
"""

PROGRAM = """
[program:{name}]
command={command}
directory={directory}
priority={priority}
autostart=false
autorestart=true
startsecs=1
startretries=30
stopsignal={stop_signal}
stopwaitsecs={stop_wait_s}
killasgroup=true
redirect_stderr=true
stdout_logfile={logs}/{name}.log
stdout_logfile_maxbytes=10MB
stdout_logfile_backups=2
"""


@dataclass(frozen=True)
class Program:
    """One supervised process. Those with a lower priority start first and stop last."""

    name: str
    command: Sequence[str]
    directory: Path
    priority: int
    stop_signal: str = "TERM"
    stop_wait_s: int = 20
    user: str = ""


@dataclass(frozen=True)
class ProgramState:
    name: str
    state: str
    pid: int


@dataclass(frozen=True)
class Supervisor:
    data_dir: Path
    as_root: bool

    @property
    def config(self) -> Path:
        return self.data_dir / "run" / "supervisord.conf"

    @property
    def pid_file(self) -> Path:
        return self.data_dir / "run" / "supervisord.pid"

    @property
    def socket(self) -> Path:
        usual = self.data_dir / "run" / "supervisor.sock"
        # Supervisor binds a longer name first (the socket's, a dot and a process number).
        if len(bytes(usual)) + 12 <= postgres.LONGEST_SOCKET_PATH:
            return usual
        short = folders.folder_of_its_own(self.data_dir, Path(tempfile.gettempdir()))
        return short / "supervisor.sock"

    def start(self, programs: Sequence[Program], variables: dict[str, str]) -> "ProcessManager":
        """Start supervisor itself; its programs wait for `ProcessManager.start`."""
        folders.make_private_folder(self.socket.parent)
        folders.write_private(self.config, render(self, programs))
        log = (self.data_dir / "logs" / "supervisord.out").open("w")
        # A session of its own, so that Ctrl-C in the terminal reaches only us: we stop the
        # programs in order.
        process = subprocess.Popen(  # noqa: S603 - a list of our own making, never a shell
            module("tools.launcher.process_manager", "-c", str(self.config)),
            cwd=CHECKOUT,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=variables,
            start_new_session=True,
        )
        log.close()
        manager = ProcessManager(process, str(self.socket), self.data_dir / "logs")
        manager.wait_until_listening()
        return manager


@dataclass(frozen=True)
class ProcessManager:
    """A running supervisor."""

    process: subprocess.Popen[bytes]
    socket: str
    logs: Path

    def call(self, method: str, *arguments: object) -> Any:
        """Ask supervisor for something, over its socket."""
        transport = SupervisorTransport(None, None, f"unix://{self.socket}")
        with xmlrpc.client.ServerProxy("http://127.0.0.1", transport=transport) as proxy:
            return getattr(proxy.supervisor, method)(*arguments)

    def wait_until_listening(self) -> None:
        """Return when supervisor takes orders."""
        deadline = time.monotonic() + START_S
        while self.is_alive() and time.monotonic() < deadline:
            try:
                self.call("getState")
            except (OSError, HTTPException):
                time.sleep(0.05)
            else:
                return
        raise LauncherError("The process manager did not start.", self.tail("supervisord.out"))

    def start(self, *names: str) -> None:
        """Start programs; returns at once."""
        for name in names:
            self.call("startProcess", name, False)

    def states(self) -> list[ProgramState]:
        return [
            ProgramState(each["name"], each["statename"], each["pid"])
            for each in self.call("getAllProcessInfo")
        ]

    def fail_if_given_up(self) -> None:
        """Raise when supervisor or one of its programs is beyond restarting."""
        if not self.is_alive():
            raise LauncherError("The process manager has ended.", self.tail("supervisord.log"))
        for each in self.states():
            if each.state == "FATAL":
                raise LauncherError(f"{each.name} does not start.", self.tail(f"{each.name}.log"))

    def is_alive(self) -> bool:
        return self.process.poll() is None

    def revive(self) -> list[str]:
        """Start again what supervisor gave up, for example on a full disk; return the names."""
        names = [each.name for each in self.states() if each.state == "FATAL"]
        self.start(*names)
        return names

    def stop(self, wait_s: float) -> bool:
        """Stop all programs in reverse order, then supervisor; return whether all are gone."""
        self.process.terminate()
        try:
            self.process.wait(wait_s)
        except subprocess.TimeoutExpired:
            return False
        return True

    def tail(self, name: str) -> str:
        """Return the last lines of a log, and where the rest is."""
        file = self.logs / name
        text = file.read_text(errors="replace") if file.exists() else ""
        return "\n".join([*text.strip().splitlines()[-12:], f"The whole log: {file}"])


def render(supervisor: Supervisor, programs: Sequence[Program]) -> str:
    """Return the configuration file. It holds no secret: those are in the environment."""
    data_dir = supervisor.data_dir
    logs = literal(str(data_dir / "logs"))
    head = HEAD.format(
        logs=logs,
        run=literal(str(data_dir / "run")),
        socket=literal(str(supervisor.socket)),
        as_root="user=root\n" if supervisor.as_root else "",
    )
    return head + "".join(render_program(program, logs) for program in programs)


def render_program(program: Program, logs: str) -> str:
    section = PROGRAM.format(
        name=program.name,
        command=literal(shlex.join(program.command)),
        directory=literal(str(program.directory)),
        priority=program.priority,
        stop_signal=program.stop_signal,
        stop_wait_s=program.stop_wait_s,
        logs=logs,
    )
    return section + (f"user={program.user}\n" if program.user else "")


def literal(text: str) -> str:
    """Return text that supervisor takes as it stands: it would expand a percent sign."""
    return text.replace("%", "%%")


# The processes of one installation.


def programs_of(stack: Stack) -> list[Program]:
    """Return the servers (they start first and stop last), then web, worker and beat."""
    return [*embedded_servers(stack), *product(stack)]


def embedded_servers(stack: Stack) -> list[Program]:
    """Return PostgreSQL and Redis, unless real ones are used."""
    programs = []
    if stack.postgres is not None:
        server = stack.postgres
        clean = [f"{name}={value}" for name, value in postgres.environment().items()]
        # INT is PostgreSQL's "fast" stop: clients are disconnected, nothing is lost.
        programs.append(
            Program(
                "postgres",
                ["/usr/bin/env", "-i", *clean, *server.command],
                server.home,
                priority=10,
                stop_signal="INT",
                stop_wait_s=60,
                user=server.account.name if server.account else "",
            )
        )
    if stack.redis is not None:
        programs.append(Program("redis", stack.redis.command, stack.redis.folder, priority=20))
    return programs


def product(stack: Stack) -> list[Program]:
    gunicorn = module("gunicorn", "-c", "watchdog_site/gunicorn_conf.py")
    celery = module("celery", "-A", "watchdog_site")
    worker = ["worker", "--concurrency", str(worker_processes(stack)), "--loglevel", "INFO"]
    # One node needs none of what Celery nodes tell each other; it would only slow the start.
    worker += ["--without-gossip", "--without-mingle"]
    schedule = str(stack.data_dir / "run" / "celerybeat-schedule")
    beat = ["beat", "--schedule", schedule, "--pidfile="]
    return [
        Program("web", [*gunicorn, "watchdog_site.wsgi:application"], CHECKOUT, 100, "TERM", 30),
        Program("worker", [*celery, *worker], CHECKOUT, 110, "TERM", 30),
        Program("beat", [*celery, *beat], CHECKOUT, 120, "TERM", 10),
    ]


def worker_processes(stack: Stack) -> int:
    """Return WORKER_PROCESSES, or one per core but no more than four."""
    variable = stack.variables.get("WORKER_PROCESSES", "")
    return (
        int(variable) if variable.isdigit() and int(variable) > 0 else min(os.cpu_count() or 1, 4)
    )
