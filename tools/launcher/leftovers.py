"""Processes that a killed run left behind, found by a variable in their environment."""

import os
import signal
from pathlib import Path

import psutil

from tools.launcher import postgres, processes, redis
from tools.launcher.console import note
from tools.launcher.environment import MARK
from tools.launcher.supervise import Supervisor

SUPERVISOR_STOP_S = 120.0
OTHERS_STOP_S = 15.0
SERVERS = ("postgres", redis.PROGRAM)


def stop_all(data_dir: Path) -> None:
    """Stop whatever of ours still runs for this data folder, databases last."""
    manager = processes.read_pid(Supervisor(data_dir, as_root=False).pid_file)
    ours = own_processes(data_dir)
    if ours:
        note(f"Stopping {len(ours)} processes that an earlier run left behind.")
    if manager in ours:
        processes.stop(manager, with_signal=signal.SIGTERM, wait_s=SUPERVISOR_STOP_S)
    stop_each(own_processes(data_dir))
    redis.stop(data_dir)
    postgres.stop(data_dir)


def own_processes(data_dir: Path) -> dict[int, psutil.Process]:
    """Return our processes for this data folder, without this one and the database servers.

    PostgreSQL and Redis overwrite their environment with a title; their pid files find them.
    """
    return {
        process.pid: process
        for process in psutil.process_iter(["environ", "name"])
        if process.pid != os.getpid()
        # None for a process that is somebody else's, or has ended.
        and (process.info["environ"] or {}).get(MARK) == str(data_dir)
        and process.info["name"] not in SERVERS
    }


def stop_each(by_pid: dict[int, psutil.Process]) -> None:
    """Ask each to stop, and kill those that do not within the time."""
    for process in by_pid.values():
        try:
            process.terminate()
        except psutil.NoSuchProcess:
            continue  # it ended by itself meanwhile
    _, stubborn = psutil.wait_procs(list(by_pid.values()), timeout=OTHERS_STOP_S)
    for process in stubborn:
        process.kill()
    psutil.wait_procs(stubborn, timeout=OTHERS_STOP_S)
