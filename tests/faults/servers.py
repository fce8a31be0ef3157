"""Faults of PostgreSQL and Redis: killed, restarted at once, halted, emptied, cut off."""

import os
import signal
import time
from collections.abc import Callable, Sequence

import psutil
from django.db import OperationalError, connection

from lib.workqueue.broker import redis_client
from tests import services
from tests.database import sql
from tests.faults import machine
from tools.launcher.errors import LauncherError

HANG_SECONDS = 1.5
BACK_SECONDS = 240.0
"""Long, for machines that have much else to do; the campaign says how long it took."""


def faults() -> dict[str, Callable[[], None]]:
    """Return each kind of fault by its name."""
    return {
        "stop redis": lambda: hang([redis_process()]),
        "kill redis": _kill_redis,
        "flushall": lambda: redis_client().flushall(),
        "stop postgres": lambda: hang(postgres_processes()),
        "kill postgres": lambda: _end_postgres(signal.SIGKILL),
        # What `pg_ctl restart -m immediate` sends: no check point, every connection cut.
        "restart postgres": lambda: _end_postgres(signal.SIGQUIT),
        "crash postgres": _crash_postgres,
        "drop connections": drop_connections,
    }


def hang(processes: Sequence[psutil.Process]) -> None:
    """Stop a process (SIGSTOP), and continue it after a while unless it has ended."""
    for number in (signal.SIGSTOP, signal.SIGCONT):
        for process in processes:
            if process.is_running():
                process.send_signal(number)
        if number == signal.SIGSTOP:
            time.sleep(HANG_SECONDS)


def redis_process() -> psutil.Process:
    return psutil.Process(redis_client().info("server")["process_id"])


def _kill_redis() -> None:
    server = redis_process()
    server.kill()
    server.wait(60)
    services.revive_redis()


def _backend() -> psutil.Process:
    return psutil.Process(sql("SELECT pg_backend_pid()")[0][0])


def postgres_processes() -> list[psutil.Process]:
    own = _backend()
    server = own.parent()
    return [item for item in (server, *server.children()) if item != own] if server else []


def _end_postgres(number: signal.Signals) -> None:
    """End the whole server, and start it as the launcher does."""
    server = _backend().parent()
    os.kill(server.pid, number)
    psutil.wait_procs([server], timeout=60)
    connect_again(revive=True)


def drop_connections() -> None:
    sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE pid <> pg_backend_pid() AND datname = current_database()"
    )


def _crash_postgres() -> None:
    """Kill one process of the server, which then ends the others and recovers."""
    os.kill(_backend().pid, signal.SIGKILL)
    connect_again()


def connect_again(*, revive: bool = False) -> None:
    """Wait until the server lets us in after it has recovered.

    `revive` starts it where it ended, and so does a disk of its own, for which it may end.
    """
    connection.close()
    until = time.monotonic() + BACK_SECONDS
    while True:
        try:
            return connection.ensure_connection()
        except OperationalError:
            if time.monotonic() > until:
                raise
            if revive or machine.has_own_disk():
                _try_to_revive()
            time.sleep(0.2)


def _try_to_revive() -> None:
    """Start the server; while processes of the killed one still end, it refuses."""
    try:
        services.revive()
    except LauncherError:
        time.sleep(0.2)
