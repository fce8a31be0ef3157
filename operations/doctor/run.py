"""All probes in their order; one that fails to answer becomes a finding itself."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import psycopg2
from django.conf import settings
from django.db import Error
from redis.exceptions import RedisError

from operations.doctor import machine, product, servers
from operations.doctor.configuration import Configuration, weak_settings
from operations.doctor.findings import Finding, error
from operations.doctor.sign_in import sign_in

Probe = Callable[[], Iterator[Finding]]
_FROM_POSTGRES = "Start PostgreSQL and check DATABASE_URL, the network and the password."
_FROM_REDIS = "Start Redis and check REDIS_URL, the network and the password."


def probes() -> Sequence[tuple[str, Probe]]:
    """Every probe with the name of its part."""
    return (
        ("python", machine.python),
        ("processors", machine.processors),
        ("memory", machine.memory),
        ("disk", partial(machine.disk, settings.MODEL_DIR)),
        ("settings", partial(weak_settings, configuration())),
        ("sign-in", sign_in),
        ("database", servers.database),
        ("pooler", servers.pooler),
        ("connections", servers.connections),
        ("migrations", servers.migrations),
        ("months", servers.months),
        ("clock", servers.clock),
        ("redis", servers.redis),
        ("workers", servers.workers),
        ("queue", product.queue),
        ("failures", product.failures),
        ("judge", product.judge),
        ("embedding", product.embedding),
        ("mail", product.mail),
        ("webhooks", product.webhooks),
    )


def examine() -> Iterator[Finding]:
    """The findings of all probes."""
    for part, probe in probes():
        yield from _answers(part, probe)


def _answers(part: str, probe: Probe) -> Iterator[Finding]:
    try:
        yield from probe()
    except (Error, psycopg2.Error) as problem:
        yield error(part, f"PostgreSQL: {_first_line(problem)}", _FROM_POSTGRES)
    except RedisError as problem:
        yield error(part, f"Redis: {_first_line(problem)}", _FROM_REDIS)


def _first_line(problem: Exception) -> str:
    return (str(problem).strip() or type(problem).__name__).splitlines()[0]


def configuration() -> Configuration:
    """The settings that can be weak, as they are."""
    return Configuration(
        debug=settings.DEBUG,
        secret_key=settings.SECRET_KEY,
        allowed_hosts=settings.ALLOWED_HOSTS,
        https=settings.HTTPS,
        second_factor_required=settings.SECOND_FACTOR_REQUIRED,
        metrics_token=settings.METRICS_TOKEN,
        trail_signing_key=settings.TRAIL_SIGNING_KEY,
        webhook_key=settings.WEBHOOK_KEY,
    )
