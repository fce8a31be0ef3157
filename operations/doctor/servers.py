"""Checks of PostgreSQL and Redis."""

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from typing import Any

import psycopg2
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from analysis.services.months import MONTHLY, partitions
from lib.workqueue import broker
from operations.doctor.findings import Finding, error, ok, warning

OLDEST_POSTGRES = 160_000
MOST_CLOCK_SECONDS = 5
MOST_CONNECTIONS_SHARE = 0.8
SET_BY_THE_POOLER = ("hnsw.ef_search", "hnsw.iterative_scan", "jit")
REQUIRED_ON = ("fsync", "synchronous_commit", "full_page_writes")


def _row(statement: str, *parameters: str) -> Any:
    """Return the first row of a query, None without one. Raises django.db.Error."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return cursor.fetchone()


def database() -> Iterator[Finding]:
    """Report whether PostgreSQL is reachable, recent, durable, and has pgvector.

    Raises django.db.Error.
    """
    number, version = _row("SELECT current_setting('server_version_num')::int, version()")
    if number < OLDEST_POSTGRES:
        yield error(version, "Use PostgreSQL 16 or newer.")
    else:
        yield ok(version.split(" on ")[0])
    if _row("SELECT extversion FROM pg_extension WHERE extname = 'vector'") is None:
        yield error(
            "The extension pgvector is missing.", "As an administrator: CREATE EXTENSION vector."
        )
    for name in REQUIRED_ON:
        if _row("SELECT current_setting(%s)", name) == ("off",):
            yield error(
                f"{name} is off: what was accepted can be lost.",
                f"Set {name} = on in postgresql.conf.",
            )


def pooler() -> Iterator[Finding]:
    """Report whether the pooler sets what processes cannot set through it.

    Raises psycopg2.Error.
    """
    if not settings.DATABASE_POOLER_URL:
        return
    expected = {name: settings.DATABASE_SESSION[name] for name in SET_BY_THE_POOLER}
    with (
        closing(psycopg2.connect(settings.DATABASE_POOLER_URL, connect_timeout=5)) as connected,
        connected.cursor() as cursor,
    ):
        cursor.execute(
            "SELECT name, current_setting(name, true) FROM unnest(%s) name", [[*expected]]
        )
        rows = dict(cursor.fetchall())
    missing = [f"{name} = {value}" for name, value in expected.items() if rows[name] != value]
    if missing:
        yield error(
            f"not set through the pooler: {', '.join(missing)}",
            "Set them in connect_query, as deploy/pgbouncer/pgbouncer.ini does.",
        )
    else:
        yield ok("DATABASE_URL leads to a pooler that sets what is needed")


def connections() -> Iterator[Finding]:
    """Report how many of the server's connections are used. Raises django.db.Error."""
    used_connections, most = _row(
        "SELECT count(*), current_setting('max_connections')::int FROM pg_stat_activity "
        "WHERE backend_type = 'client backend'"
    )
    text = f"{used_connections} of {most} connections taken"
    if used_connections > MOST_CONNECTIONS_SHARE * most:
        yield warning(text, "Raise max_connections, or lower WEB_THREADS and WORKER_PROCESSES.")
    else:
        yield ok(text)


def migrations() -> Iterator[Finding]:
    """Report whether the tables are those of this version. Raises django.db.Error."""
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if missing:
        yield error(f"{len(missing)} not applied", "Run `manage.py migrate`.")
    else:
        yield ok("all applied")


def months() -> Iterator[Finding]:
    """Report whether this and the next month have partitions. Raises django.db.Error."""
    next_month = (timezone.now().replace(day=1) + timedelta(days=32)).strftime("_%Y_%m")
    existing = {partition.name for partition in partitions()}
    missing = [table for table in MONTHLY if table + next_month not in existing]
    if missing:
        yield warning(
            f"{', '.join(missing)} has no partition for the next month",
            "Is beat running? Its task analysis.tasks.keep_months makes them.",
        )
    else:
        yield ok("results have partitions for the next month")


def archive() -> Iterator[Finding]:
    """Report whether the archive accepts the write-ahead log, if there is one.

    Raises django.db.Error.
    """
    row = _row(
        "SELECT last_archived_time, last_failed_time, failed_count,"
        " coalesce(last_failed_time > last_archived_time, last_failed_time IS NOT NULL)"
        " FROM pg_stat_archiver WHERE current_setting('archive_mode') <> 'off'"
    )
    if row is None:
        return
    taken_at, failed_at, failures, is_failing = row
    if is_failing:
        since = f", the last file was taken at {taken_at:%Y-%m-%d %H:%M}" if taken_at else ""
        yield error(
            f"archive_command fails ({failures} times, last at {failed_at:%Y-%m-%d %H:%M}){since}: "
            "PostgreSQL keeps all of its log, and its disk fills.",
            "See PostgreSQL's log for what archive_command says; is there room and permission?",
        )
    else:
        yield ok("takes the write-ahead log")


def clock() -> Iterator[Finding]:
    """Compare this machine's clock with the database's, which leases use.

    Raises django.db.Error.
    """
    (there,) = _row("SELECT clock_timestamp()")
    yield clock_finding(timezone.now(), there)


def clock_finding(here: datetime, there: datetime) -> Finding:
    """Return a finding about the difference of two clocks."""
    seconds = abs((here - there).total_seconds())
    if seconds > MOST_CLOCK_SECONDS:
        return warning(
            f"{seconds:.0f} s apart from the database's",
            "Let both machines follow NTP: codes of a second factor depend on it.",
        )
    return ok("agrees with the database's")


def redis() -> Iterator[Finding]:
    """Report whether Redis is reachable and evicts nothing. Raises RedisError."""
    client = broker.redis_client()
    info = client.info()
    yield ok(f"version {info['redis_version']}")
    policy = info.get("maxmemory_policy", "noeviction")
    if policy != "noeviction":
        yield warning(
            f"maxmemory-policy is {policy}: messages can be evicted, and their "
            "checks wait for the sweep.",
            "CONFIG SET maxmemory-policy noeviction",
        )


def workers() -> Iterator[Finding]:
    """Report whether a worker and beat have swept lately. Raises RedisError."""
    if broker.swept_recently():
        yield ok("swept within the last 30 seconds")
    else:
        yield error(
            "no sweep in the last 30 seconds: checks are accepted, and wait",
            "Start a worker and beat (`make run`, or `docker compose up worker beat`).",
        )
