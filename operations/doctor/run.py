"""Runs all checks in order; one that fails becomes a finding itself."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import psycopg2
from django.conf import settings
from django.db import Error, OperationalError, ProgrammingError
from redis.exceptions import RedisError

from operations.doctor import machine, product, reach, servers, trust
from operations.doctor.configuration import weak_settings
from operations.doctor.findings import Finding, error, warning
from operations.doctor.reach import first_line
from operations.doctor.sign_in import sign_in

Probe = Callable[[], Iterator[Finding]]
_FROM_POSTGRES = "Start PostgreSQL and check DATABASE_URL, the network and the password."
_UNKNOWN_TABLE = ("42P01", "42703")
"""PostgreSQL's codes of a table and of a column that is not there."""
_NO_PERMISSION = "42501"
_FROM_REDIS = "Start Redis and check REDIS_URL, the network and the password."


def probes() -> Sequence[tuple[str, Probe]]:
    """Return every check with the name of its part."""
    return (
        ("python", machine.python),
        ("processors", machine.processors),
        ("memory", machine.memory),
        ("disk", partial(machine.disk, settings.MODEL_DIR)),
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
            yield from probe()
        except ProgrammingError as problem:
            yield error(part, f"PostgreSQL: {first_line(problem)}", _remedy_of(problem))
        except (Error, psycopg2.Error) as problem:
            if "PostgreSQL" not in unreached or not isinstance(problem, OperationalError):
                yield error(part, f"PostgreSQL: {first_line(problem)}", _FROM_POSTGRES)
            unreached.setdefault("PostgreSQL", []).append(part)
        except RedisError as problem:
            if "Redis" not in unreached:
                yield error(part, f"Redis: {first_line(problem)}", _FROM_REDIS)
            unreached.setdefault("Redis", []).append(part)
    for server, (_, *parts) in unreached.items():
        if parts:
            text = f"{', '.join(parts)}: not examined, {server} does not answer"
            yield warning("not examined", text, "Run this again once the server answers.")


def _remedy_of(problem: ProgrammingError) -> str:
    """Return the remedy for a statement that the server refused."""
    code = getattr(problem.__cause__, "pgcode", None)
    if code in _UNKNOWN_TABLE:
        return "Run `manage.py migrate`: these tables are not those of this version."
    if code == _NO_PERMISSION:
        return "Let the user of DATABASE_URL own the database and its tables."
    return _FROM_POSTGRES
