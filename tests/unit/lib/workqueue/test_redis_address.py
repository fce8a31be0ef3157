"""Addresses of Redis: one server, or sentinels."""

import pytest

from lib.workqueue.redis_address import (
    AddressError,
    Sentinels,
    broker_options,
    broker_url,
    connection_pool,
    sentinels,
)

URL = "redis+sentinel://user:p%40ss@one:26379,two:26380,three/main/2?sentinel_password=s"


def test_sentinels_are_read_from_the_url() -> None:
    assert sentinels(URL) == Sentinels(
        nodes=(("one", 26379), ("two", 26380), ("three", 26379)),
        primary="main",
        database=2,
        username="user",
        password="p@ss",
        sentinel_password="s",
    )


def test_a_server_has_no_sentinels_and_its_url_stays() -> None:
    url = "redis://:secret@host:6379/1"
    assert sentinels(url) is None
    assert broker_url(url) == url
    assert broker_options(url, 2.0) == {}


def test_kombu_is_given_a_url_for_each_sentinel() -> None:
    assert broker_url(URL).split(";") == [
        "sentinel://user:p%40ss@one:26379/2",
        "sentinel://user:p%40ss@two:26380/2",
        "sentinel://user:p%40ss@three:26379/2",
    ]
    assert broker_options(URL, 2.0) == {
        "master_name": "main",
        "sentinel_kwargs": {"socket_timeout": 2.0, "socket_connect_timeout": 2.0, "password": "s"},
    }


@pytest.mark.parametrize(
    "url",
    [
        "redis+sentinel://one:26379",
        "redis+sentinel://one:26379/main/x",
        "redis+sentinel://one:26379,/main",
        "redis+sentinel://one:port/main",
    ],
)
def test_what_cannot_be_read_says_how_to_write_it(url: str) -> None:
    with pytest.raises(AddressError, match=r"REDIS_URL"):
        sentinels(url)


def test_a_socket_may_be_spelled_as_celery_does() -> None:
    pool = connection_pool("redis+socket:///run/redis.sock?db=1", timeout=1)
    assert pool.connection_kwargs["path"] == "/run/redis.sock"
