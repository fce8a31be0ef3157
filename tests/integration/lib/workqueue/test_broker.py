"""The lock in Redis: one holder at a time, none for ever, and no need of Redis."""

from collections.abc import Iterator

import pytest

from lib.workqueue.broker import only_one, redis_client

pytestmark = pytest.mark.usefixtures("empty_redis")


@pytest.fixture
def no_redis(settings, empty_redis) -> Iterator[None]:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    redis_client.forget()
    yield
    redis_client.forget()


def test_one_holds_it_until_its_end() -> None:
    with only_one("work", seconds=30) as first:
        with only_one("work", seconds=30) as second, only_one("other", seconds=30) as other:
            assert (first, second, other) == (True, False, True)
        with only_one("work", seconds=30) as third:
            assert not third, "whoever did not get it does not give it back"
    with only_one("work", seconds=30) as again:
        assert again


def test_a_holder_that_was_killed_holds_it_no_longer_than_said() -> None:
    with only_one("work", seconds=30):
        assert 0 < redis_client().pttl("lock:work") <= 30_000


def test_what_was_forgotten_is_given_back_without_an_error() -> None:
    with only_one("work", seconds=30):
        redis_client().delete("lock:work")
        with only_one("work", seconds=30) as second:
            assert second
    assert not redis_client().exists("lock:work")


def test_without_redis_the_work_is_done(no_redis) -> None:
    with only_one("work", seconds=30) as alone:
        assert alone
