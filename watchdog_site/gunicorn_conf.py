"""Configures gunicorn: threads, because a request that waits for its verdict only waits.

One process has more threads than the 32 waiting clients and 8 streams that one machine is sized
for. It is one process because connections are not spread evenly over several, and because its
threads bound the database connections. For more cores set WEB_PROCESSES: connections to the
database are at most WEB_PROCESSES x WEB_THREADS.
"""

import os
import tempfile

from gunicorn.workers.base import Worker

from lib.environment import RecordingEnv
from watchdog_site import database_deadline

env = RecordingEnv()
bind = env.str("WEB_BIND", default=f"127.0.0.1:{env.int('WEB_PORT', default=8000)}")
worker_class = "watchdog_site.web_worker.BufferingWorker"
workers = env.int("WEB_PROCESSES", default=1)
threads = env.int("WEB_THREADS", default=48)
worker_connections = 2_000
timeout = 90
graceful_timeout = 20
keepalive = 30
backlog = 1024
accesslog = None
errorlog = "-"
control_socket_disable = True

_STATEMENT_SECONDS = env.float("WEB_STATEMENT_SECONDS", default=20.0)
_CONNECT_SECONDS = env.float("DATABASE_CONNECT_SECONDS", default=5.0)
# The server ends a slow statement first; the client gives up a server that hangs.
os.environ.setdefault("DATABASE_STATEMENT_SECONDS", str(_STATEMENT_SECONDS))


def on_starting(server: object) -> None:
    """Before the first process: several count requests in one folder (metrics.py)."""
    if workers > 1:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="watchdog-metrics-")


def post_fork(server: object, worker: Worker) -> None:
    """Bound this process's waits for the database, before the application is loaded."""
    database_deadline.install(
        connect_seconds=_CONNECT_SECONDS, statement_seconds=_STATEMENT_SECONDS + 2
    )
