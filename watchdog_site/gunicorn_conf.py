"""gunicorn: threads, because a request that waits for its verdict does nothing but wait.

One process has more threads than the 32 waiting clients and 8 streams that one machine is sized
for, so that `/healthz` is always answered. It is one process because connections are not spread
evenly over several, and because its threads bound the database connections. For more cores set
WEB_PROCESSES: connections to the database are at most WEB_PROCESSES x WEB_THREADS.
"""

import environ

env = environ.Env()
bind = env.str("WEB_BIND", default=f"127.0.0.1:{env.int('WEB_PORT', default=8000)}")
worker_class = "gthread"
workers = env.int("WEB_PROCESSES", default=1)
threads = env.int("WEB_THREADS", default=48)
timeout = 90
graceful_timeout = 20
keepalive = 30
backlog = 1024
accesslog = None
errorlog = "-"
control_socket_disable = True
