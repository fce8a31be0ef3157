"""The address of Redis: one server, or the sentinels that know which server is the primary now.

`redis://:PASSWORD@host:6379/0` names one server;
`redis+sentinel://:PASSWORD@host1:26379,host2:26379/PRIMARY/0?sentinel_password=…` sentinels.
"""

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

from redis import ConnectionPool
from redis.sentinel import Sentinel

SCHEME = "redis+sentinel"
_PORT = 26379


class AddressError(ValueError):
    """Raised for a REDIS_URL that cannot be read; the message says why."""


@dataclass(frozen=True, slots=True)
class Sentinels:
    """Host and port of each sentinel, the name of the primary, and its credentials."""

    nodes: tuple[tuple[str, int], ...]
    primary: str
    database: int = 0
    username: str = ""
    password: str = ""
    sentinel_password: str = ""

    @property
    def credentials(self) -> dict[str, str]:
        """Credentials of the primary; empty where it asks for none."""
        members = {"username": self.username, "password": self.password}
        return {name: value for name, value in members.items() if value}


def sentinels(url: str) -> Sentinels | None:
    """Return the sentinels that the URL names; None where it names one server.

    Raises AddressError.
    """
    if not url.startswith(f"{SCHEME}://"):
        return None
    parts = urlsplit(url)
    credentials, _, nodes = parts.netloc.rpartition("@")
    username, _, password = credentials.partition(":")
    primary, _, database = parts.path.strip("/").partition("/")
    if not primary or not (database or "0").isdigit():
        raise AddressError(
            f"Write REDIS_URL as {SCHEME}://:PASSWORD@HOST:26379,HOST:26379/PRIMARY/0, with the "
            "name that the sentinels give the primary."
        )
    options = parse_qs(parts.query)
    return Sentinels(
        nodes=tuple(_node(node) for node in nodes.split(",")),
        primary=primary,
        database=int(database or 0),
        username=unquote(username),
        password=unquote(password),
        sentinel_password=options.get("sentinel_password", [""])[0],
    )


def _node(text: str) -> tuple[str, int]:
    host, _, port = text.partition(":")
    if not host or not (port or "0").isdigit():
        raise AddressError(f"“{text}” in REDIS_URL is not the HOST:PORT of a sentinel.")
    return host, int(port or _PORT)


def connection_pool(url: str, *, timeout: float, **options: Any) -> ConnectionPool:
    """Return connections to the server, or to whichever is the primary when one is opened.

    No wait on the network is longer than `timeout` seconds. Raises AddressError.
    """
    waits = {"socket_timeout": timeout, "socket_connect_timeout": timeout}
    cluster = sentinels(url)
    if cluster is None:
        plain = url.replace("redis+socket://", "unix://")
        return ConnectionPool.from_url(plain, **waits, **options)
    options_of_sentinels = sentinel_options(cluster, timeout)
    sentinel = Sentinel(cluster.nodes, sentinel_kwargs=options_of_sentinels)  # type: ignore[no-untyped-call]
    primary = sentinel.master_for(  # type: ignore[no-untyped-call]
        cluster.primary, db=cluster.database, **cluster.credentials, **waits, **options
    )
    pool: ConnectionPool = primary.connection_pool
    return pool


def sentinel_options(sentinels: Sentinels, timeout: float) -> dict[str, Any]:
    """Return the connection options for the sentinels themselves."""
    waits = {"socket_timeout": timeout, "socket_connect_timeout": timeout}
    return waits | (
        {"password": sentinels.sentinel_password} if sentinels.sentinel_password else {}
    )


def broker_url(url: str) -> str:
    """Return the URL as kombu spells it: the same, or a URL for each sentinel."""
    cluster = sentinels(url)
    if cluster is None:
        return url
    user, password = quote(cluster.username, safe=""), quote(cluster.password, safe="")
    credentials = f"{user}:{password}@" if cluster.credentials else ""
    return ";".join(
        f"sentinel://{credentials}{host}:{port}/{cluster.database}" for host, port in cluster.nodes
    )


def broker_options(url: str, timeout: float) -> dict[str, Any]:
    """Return what kombu's transport must know beside the URL."""
    cluster = sentinels(url)
    if cluster is None:
        return {}
    return {"master_name": cluster.primary, "sentinel_kwargs": sentinel_options(cluster, timeout)}
