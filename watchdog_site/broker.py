"""Celery's Redis transport, adapted to a Redis that hangs.

No command is retried: a submission must not wait, and whatever is lost is enqueued again by the
sweep. An acknowledgement that Redis does not answer still gives the worker its place back.
"""

from typing import Any

from kombu.transport import redis, virtual
from redis import ConnectionPool, Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.retry import Retry


class QoS(redis.QoS):  # type: ignore[misc]
    """Counts the messages that a worker may hold."""

    def ack(self, delivery_tag: str) -> None:
        """Acknowledge the message; its place is free even where Redis does not answer.

        The message then comes again after its visibility time-out, which is harmless: the row in
        PostgreSQL says that the work is done.
        """
        try:
            super().ack(delivery_tag)
        except self.channel.connection_errors:
            virtual.QoS.ack(self, delivery_tag)
            raise


class _GivesUp:
    """Makes a channel one that gives up at the first time-out."""

    QoS = QoS
    pool: ConnectionPool
    _shared: Redis | None = None

    def _create_client(self, asynchronous: bool = False) -> Redis:
        """Return one client for all commands of the channel; each takes a connection of the pool.

        Kombu makes one for each command, which costs more than the command.
        """
        if not asynchronous and self._shared and self._shared.connection_pool is self.pool:
            return self._shared
        redis: Redis = super()._create_client(asynchronous)  # type: ignore[misc]
        if not asynchronous:
            self._shared = redis
        return redis

    def _connparams(self, asynchronous: bool = False) -> dict[str, Any]:
        """Return the address to connect to. Raises ConnectionError once the connection was closed.

        A failover closes it under tasks that still acknowledge their messages; kombu would fail
        with an AttributeError there, which ends the worker instead of connecting it again.
        """
        if getattr(self.connection, "client", None) is None:  # type: ignore[attr-defined]
            raise RedisConnectionError("The connection of this channel was closed.")
        params: dict[str, Any] = super()._connparams(asynchronous)  # type: ignore[misc]
        return params | {"retry": Retry(NoBackoff(), 0)}


class Channel(_GivesUp, redis.Channel):  # type: ignore[misc]
    """A channel to a single Redis server."""


class SentinelChannel(_GivesUp, redis.SentinelChannel):  # type: ignore[misc]
    """A channel to the primary, for which the sentinels are asked again at each connection."""


class Transport(redis.Transport):  # type: ignore[misc]
    """Stands for `redis://` (`watchdog_site/celery_config.py`)."""

    Channel = Channel


class SentinelTransport(redis.SentinelTransport):  # type: ignore[misc]
    """Stands for `sentinel://` in the same way."""

    Channel = SentinelChannel
