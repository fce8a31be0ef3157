"""Celery's Redis transport, made for a Redis that hangs.

No command is retried: a submission must not wait, and whatever is lost is enqueued again by the
sweep. An acknowledgement that Redis does not answer still gives the worker its place back.
"""

from typing import Any

from kombu.transport import redis, virtual
from redis.backoff import NoBackoff
from redis.retry import Retry


class QoS(redis.QoS):  # type: ignore[misc]
    """Counts the messages that a worker may hold."""

    def ack(self, delivery_tag: str) -> None:
        """Acknowledge; the place is free even where Redis does not answer.

        The message then comes again after its visibility time-out, which is harmless: the row in
        PostgreSQL says that the work is done.
        """
        try:
            super().ack(delivery_tag)
        except self.channel.connection_errors:
            virtual.QoS.ack(self, delivery_tag)
            raise


class Channel(redis.Channel):  # type: ignore[misc]
    """A channel that gives up at the first time-out."""

    QoS = QoS

    def _connparams(self, asynchronous: bool = False) -> dict[str, Any]:
        params: dict[str, Any] = super()._connparams(asynchronous)
        return params | {"retry": Retry(NoBackoff(), 0)}


class Transport(redis.Transport):  # type: ignore[misc]
    """Stands for `redis://` (`watchdog_site/celery_config.py`)."""

    Channel = Channel
