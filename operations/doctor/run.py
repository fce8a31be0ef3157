"""Runs all checks in order; one that fails becomes a finding itself."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import psycopg2
from django.conf import settings
from django.db import Error, OperationalError, ProgrammingError
from redis.exceptions import RedisError

from operations.doctor import product, reach, servers, trust
from operations.doctor.findings import Finding, Level, error, ok, warning
from operations.doctor.reach import first_line
from operations.doctor.trust import sign_in

# Checks of the machine: Python, memory, disk.

GIB = 2**30
LEAST_DISK, SCANT_DISK = 1 * GIB, 5 * GIB
LEAST_MEMORY, SCANT_MEMORY = 1 * GIB, 3 * GIB
OLDEST_PYTHON = (3, 11)


def python() -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < OLDEST_PYTHON:
        yield error(f"Python {version} is too old.", "Install Python 3.11 or newer.")
    else:
        yield ok(version)


def disk(folder: Path) -> Iterator[Finding]:
    """Report the free space for models, logs and the embedded database."""
    where = next(path for path in (folder, *folder.resolve().parents) if path.exists())
    yield space(f"free at {where}", shutil.disk_usage(where).free, LEAST_DISK, SCANT_DISK)


def memory(meminfo: Path = Path("/proc/meminfo")) -> Iterator[Finding]:
    """Report the available memory; nothing if the system does not say."""
    if not meminfo.exists():
        return
    fields = dict(line.split(":", 1) for line in meminfo.read_text().splitlines() if ":" in line)
    free = int(fields["MemAvailable"].split()[0]) * 1024
    yield space("available", free, LEAST_MEMORY, SCANT_MEMORY)


def space(what: str, free: int, least: int, scant: int) -> Finding:
    """Return a finding about `free` bytes: an error below `least`, a warning below `scant`."""
    text = f"{free / GIB:.1f} GiB {what}"
    if free < least:
        return error(text, f"Make room: at least {scant // GIB} GiB are advised.")
    if free < scant:
        return warning(text, f"At least {scant // GIB} GiB are advised.")
    return ok(text)


def processors() -> Iterator[Finding]:
    """Report the cores that this process may use."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    yield ok(f"{cores}")


# Checks of the settings.

SHORTEST_KEY = 50


def weak_settings() -> Iterator[Finding]:
    """Yield a warning for each weak setting, or one line that there is none."""
    findings = list(_weaknesses())
    yield from findings or [ok("no weak setting")]


def _weaknesses() -> Iterator[Finding]:
    if settings.DEBUG:
        yield warning(
            "DEBUG is on: errors show code and settings to everybody.", "Set DEBUG=false."
        )
    if len(settings.SECRET_KEY) < SHORTEST_KEY or len(set(settings.SECRET_KEY)) < 10:
        yield warning(
            "SECRET_KEY is weak: short, or of few different characters.",
            "Set 50 random characters; sessions end, keys stay valid.",
        )
    if "*" in settings.ALLOWED_HOSTS:
        yield warning(
            "ALLOWED_HOSTS is *: a forged Host header is believed.",
            "Name the hosts that users call.",
        )
    if not settings.HTTPS:
        yield warning(
            "HTTPS is off: log-ins and keys cross the network as they are.",
            "Put a proxy that ends HTTPS in front and set HTTPS=true; on a laptop this is fine.",
        )
    if not settings.SECOND_FACTOR_REQUIRED:
        yield warning("Staff may log in with a password alone.", "Set SECOND_FACTOR_REQUIRED=true.")
    for name, value in (
        ("TRAIL_SIGNING_KEY", settings.TRAIL_SIGNING_KEY),
        ("WEBHOOK_KEY", settings.WEBHOOK_KEY),
    ):
        if not value:
            yield warning(
                f"{name} is not set: it is derived from SECRET_KEY and changes with it.",
                f"Set {name} (docs/reference/settings.md) and keep a copy.",
            )
    if settings.METRICS_TOKEN and len(settings.METRICS_TOKEN) < 20:
        yield warning("METRICS_TOKEN is short.", "Set at least 20 random characters.")


Probe = Callable[[], Iterator[Finding]]
_FROM_POSTGRES = "Start PostgreSQL and check DATABASE_URL, the network and the password."
_MIGRATE = "Run `manage.py migrate`: these tables are not those of this version."
_REMEDIES: dict[str | None, str] = {
    "42P01": _MIGRATE,  # an unknown table
    "42703": _MIGRATE,  # an unknown column
    "42501": "Let the user of DATABASE_URL own the database and its tables.",  # no permission
}
"""By PostgreSQL's code for a statement that it refused."""
_FROM_REDIS = "Start Redis and check REDIS_URL, the network and the password."


def probes() -> Sequence[tuple[str, Probe]]:
    """Return every check with the name of its part."""
    return (
        ("python", python),
        ("processors", processors),
        ("memory", memory),
        ("disk", partial(disk, settings.MODEL_DIR)),
        ("settings", weak_settings),
        ("settings", reach.numbers),
        ("web", reach.web),
        ("sandbox", product.sandbox),
        ("sign-in", sign_in),
        ("database", servers.database),
        ("pooler", servers.pooler),
        ("replica", reach.replica),
        ("connections", servers.connections),
        ("migrations", servers.migrations),
        ("months", servers.months),
        ("archive", servers.archive),
        ("clock", servers.clock),
        ("redis", servers.redis),
        ("workers", servers.workers),
        ("queue", product.queue),
        ("failures", product.failures),
        ("judge", product.judge),
        ("embedding", product.embedding),
        ("language model", reach.language_models),
        ("keys", trust.api_keys),
        ("trail", trust.trail),
        ("mail", reach.mail),
        ("webhooks", reach.webhooks),
    )


def examine() -> Iterator[Finding]:
    """Yield the findings of all checks.

    A server that does not answer is reported once; checks that need it are named together.
    """
    unreached: dict[str, list[str]] = {}
    for part, probe in probes():
        try:
            yield from (replace(each, part=each.part or part) for each in probe())
        except ProgrammingError as problem:
            text = f"PostgreSQL: {first_line(problem)}"
            code = getattr(problem.__cause__, "pgcode", None)
            yield Finding(Level.ERROR, text, _REMEDIES.get(code, _FROM_POSTGRES), part)
        except (Error, psycopg2.Error) as problem:
            if "PostgreSQL" not in unreached or not isinstance(problem, OperationalError):
                text = f"PostgreSQL: {first_line(problem)}"
                yield Finding(Level.ERROR, text, _FROM_POSTGRES, part)
            unreached.setdefault("PostgreSQL", []).append(part)
        except RedisError as problem:
            if "Redis" not in unreached:
                yield Finding(Level.ERROR, f"Redis: {first_line(problem)}", _FROM_REDIS, part)
            unreached.setdefault("Redis", []).append(part)
    for server, (_, *parts) in unreached.items():
        if parts:
            text = f"{', '.join(parts)}: not examined, {server} does not answer"
            remedy = "Run this again once the server answers."
            yield Finding(Level.WARNING, text, remedy, "not examined")
