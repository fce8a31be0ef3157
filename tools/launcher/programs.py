"""The processes of one installation, as supervisor runs them."""

import os
import sys

from tools.launcher import postgres
from tools.launcher.environment import CHECKOUT, Stack
from tools.launcher.supervise import Program

PYTHON = (sys.executable, "-m")


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
    gunicorn = [*PYTHON, "gunicorn", "-c", "watchdog_site/gunicorn_conf.py"]
    celery = [*PYTHON, "celery", "-A", "watchdog_site"]
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
