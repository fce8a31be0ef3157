"""No test depends on a Redis that another one started."""

from types import SimpleNamespace

import pytest
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.retry import Retry

from lib.workqueue.broker import redis_client
from tests import redis_guard


def test_a_test_that_does_not_ask_is_refused() -> None:
    with pytest.raises(pytest.fail.Exception, match="ask for the fixture `servers`"):
        redis_client().ping()


def test_another_redis_is_left_alone() -> None:
    with pytest.raises(RedisConnectionError):
        Redis(port=1, retry=Retry(NoBackoff(), 0)).ping()


def test_who_asks_may_connect(request) -> None:
    assert not redis_guard.may_connect(request)


@pytest.mark.parametrize(
    ("path", "fixtures", "misplaced"),
    [
        ("tests/unit/test_a.py::test_a", ["servers"], True),
        ("tests/unit/test_a.py::test_a", ["monkeypatch"], False),
        ("tests/integration/test_a.py::test_a", ["servers"], False),
    ],
)
def test_a_unit_test_with_servers_is_named(path, fixtures, misplaced) -> None:
    item = SimpleNamespace(nodeid=path, fixturenames=fixtures, get_closest_marker=lambda _: None)
    assert redis_guard.unit_tests_with_servers([item]) == [path] * misplaced
