import os
import signal

import pytest
import redis as client
from kombu import Connection

from tools.launcher import redis


def test_starts_answers_and_stops(shared_dir):
    url = redis.start(shared_dir)
    assert redis.start(shared_dir) == url
    assert client.Redis.from_url(url).config_get("maxmemory-policy") == {
        "maxmemory-policy": "noeviction"
    }
    redis.stop(shared_dir)
    assert redis.locate(shared_dir).pid is None


def test_celery_takes_the_same_url(shared_dir):
    with Connection(redis.start(shared_dir)) as connection:
        connection.ensure_connection(max_retries=1, timeout=5)


def test_nobody_enters_without_the_password(shared_dir):
    redis.start(shared_dir)
    server = redis.locate(shared_dir)
    with pytest.raises(client.AuthenticationError):
        client.Redis(port=server.port).ping()


def test_a_killed_server_starts_again(shared_dir):
    redis.start(shared_dir)
    os.kill(redis.locate(shared_dir).pid, signal.SIGKILL)
    assert client.Redis.from_url(redis.start(shared_dir)).ping()
