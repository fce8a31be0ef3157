"""PostgreSQL, with its pooler and its replica, and Redis."""

import os

from watchdog_site import databases
from watchdog_site.settings.environment import env

# psycopg2 has no pool in Django: each thread keeps one connection, so a web process holds at most
# WEB_THREADS of them and a worker one for each of its processes.
DATABASE_SESSION = databases.session_settings(
    # gunicorn_conf.py sets it for web processes; tasks have time limits of their own (0: none).
    statement_seconds=float(os.environ.get("DATABASE_STATEMENT_SECONDS", "0"))
)
# Where it is set, DATABASE_URL leads to PgBouncer in transaction mode. Dumps and migrations need a
# session of their own: manage.py sets DATABASE_DIRECT, and uses the server itself.
_DIRECT_URL = env.str("DATABASE_DIRECT_URL", default="")
DATABASE_POOLER_URL = env.str("DATABASE_URL") if _DIRECT_URL else ""
_DIRECT = bool(_DIRECT_URL) and os.environ.get("DATABASE_DIRECT") == "true"
DATABASES = {
    "default": databases.configured(
        env.db_url("DATABASE_DIRECT_URL")
        if _DIRECT
        else env.db_url("DATABASE_URL", default="postgres:///watchdog"),
        DATABASE_SESSION,
        connect_seconds=env.int("DATABASE_CONNECT_SECONDS", default=5),
        pooled=bool(DATABASE_POOLER_URL) and not _DIRECT,
    )
}
# A streaming replica, which the dashboard and the trends read; empty: they read the primary.
if env.str("DATABASE_REPLICA_URL", default=""):
    DATABASES["replica"] = databases.configured(
        env.db_url("DATABASE_REPLICA_URL"),
        DATABASE_SESSION,
        connect_seconds=env.int("DATABASE_CONNECT_SECONDS", default=5),
    )
    DATABASE_ROUTERS = ["desk.dashboard.replica.Router"]
REDIS_URL = env.str("REDIS_URL", default="redis://127.0.0.1:6379/0")
REDIS_TIMEOUT_SECONDS = 2.0  # no request waits longer for it
