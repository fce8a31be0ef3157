"""The connection of Django to PostgreSQL: to the server itself, or through a pooler."""

from collections.abc import Mapping
from typing import Any

# libpq's: a server that has vanished is given up after half a minute, not after two hours.
_LIVENESS = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}


def session_settings(*, statement_seconds: float) -> dict[str, str]:
    """Return the settings of a connection of ours; `statement_seconds` 0: no limit.

    With the iterative scan off, a filter of 1 % was seen to return 1 row of 100.
    """
    return {
        "statement_timeout": str(int(1_000 * statement_seconds)),
        "hnsw.ef_search": "300",  # docs/research/retrieval.md
        "hnsw.iterative_scan": "relaxed_order",
        "jit": "off",
    }


def configured(
    address: Mapping[str, Any],
    session: Mapping[str, str],
    *,
    connect_seconds: int,
    pooled: bool = False,
) -> dict[str, Any]:
    """Return an entry of Django's DATABASES from the parts of a URL.

    A pooler in transaction mode gives each transaction another session: it refuses `session` at the
    start of a connection (its own configuration sets them), and a server-side cursor would be asked
    for in a session that does not have it.
    """
    options = {**_LIVENESS, **address.get("OPTIONS", {}), "connect_timeout": connect_seconds}
    if not pooled:
        options["options"] = " ".join(f"-c {name}={value}" for name, value in session.items())
    return {
        **address,
        "ATOMIC_REQUESTS": False,
        "CONN_MAX_AGE": 300,
        "CONN_HEALTH_CHECKS": True,  # one statement more, and no errors after a restart
        "DISABLE_SERVER_SIDE_CURSORS": pooled,
        "OPTIONS": options,
    }
