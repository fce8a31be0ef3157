"""No test depends on a Redis that another one started."""

import pytest
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.retry import Retry

from tests import redis_guard
from workqueue.broker import redis_client


def test_a_test_that_does_not_ask_is_refused() -> None:
    with pytest.raises(pytest.fail.Exception, match="ask for the fixture `servers`"):
        redis_client().ping()


def test_another_redis_is_left_alone() -> None:
    with pytest.raises(RedisConnectionError):
        Redis(port=1, retry=Retry(NoBackoff(), 0)).ping()


def test_who_asks_may_connect(request: pytest.FixtureRequest) -> None:
    assert not redis_guard.may_connect(request)
