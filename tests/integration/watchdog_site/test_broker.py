"""The cost to a worker of a Redis that does not answer."""

import pytest
from kombu import Connection
from kombu.transport import virtual
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeout

from lib.workqueue.broker import Outage
from watchdog_site.broker import QoS
from watchdog_site.celery import app


def test_a_lost_acknowledgement_gives_the_place_back(empty_redis, settings, monkeypatch) -> None:
    assert app.conf.task_queues  # reads the configuration, which names our transport
    with Connection(settings.REDIS_URL) as connection:
        qos = connection.channel().qos
        assert isinstance(qos, QoS)
        qos.prefetch_count = 1
        virtual.QoS.append(qos, object(), "tag")
        assert not qos.can_consume()

        def hang(*_: object, **__: object) -> None:
            raise RedisTimeout("Timeout reading from socket")

        monkeypatch.setattr(qos, "_remove_from_indices", hang)
        with pytest.raises(RedisTimeout):
            qos.ack("tag")
        assert qos.can_consume()


def test_a_channel_whose_connection_was_closed_asks_for_another(empty_redis, settings) -> None:
    """A worker connects again after a connection error, and ends after any other."""
    assert app.conf.task_queues
    connection = Connection(settings.REDIS_URL)
    channel = connection.channel()
    virtual.QoS.append(channel.qos, object(), "tag")
    connection.transport.client = None  # what kombu leaves of a transport that it has closed
    channel._disconnect_pools()
    with pytest.raises(RedisConnectionError):
        channel.qos.ack("tag")
    connection.maybe_close_channel(channel)


def test_an_outage_is_known_for_a_while_and_tried_again_by_one(monkeypatch) -> None:
    now = [100.0]
    monkeypatch.setattr("lib.workqueue.broker.monotonic", lambda: now[0])
    outage = Outage(seconds=5)
    assert not outage.is_known()
    outage.note()
    assert outage.is_known()
    now[0] += 6
    assert [outage.is_known(), outage.is_known()] == [False, True]
    outage.end()
    assert not outage.is_known()
