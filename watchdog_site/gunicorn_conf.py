"""gunicorn: threads, because a request that waits for its verdict does nothing but wait.

Each process has more threads than the 32 waiting clients and 8 streams that one machine is
sized for, so that `/healthz` is answered even when all of them land on the same process.
Database connections are bounded by the pool in the settings, not by these threads.
"""

import environ

env = environ.Env()
bind = env.str("WEB_BIND", default=f"127.0.0.1:{env.int('WEB_PORT', default=8000)}")
worker_class = "gthread"
workers = env.int("WEB_PROCESSES", default=2)
threads = env.int("WEB_THREADS", default=64)
timeout = 90
graceful_timeout = 20
keepalive = 30
backlog = 1024
accesslog = None
errorlog = "-"
control_socket_disable = True
