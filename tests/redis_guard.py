"""Refuses servers to tests that do not ask for them, and to unit tests, which are the fast lane.

Whether this process's Redis runs depends on the tests before: what connects without asking would
pass or fail by their order.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from redis.connection import AbstractConnection

PORT = urlsplit(os.environ["REDIS_URL"]).port
_MESSAGE = "This test connects to Redis: ask for the fixture `servers`, or for a database."
_connect = AbstractConnection.connect


def may_connect(request: pytest.FixtureRequest) -> bool:
    """Whether the test asks for the servers, by a fixture or by the marker of pytest-django."""
    return asks_for_servers(request.node)


def asks_for_servers(item: pytest.Function) -> bool:
    """Whether a test uses PostgreSQL or Redis."""
    return "servers" in item.fixturenames or item.get_closest_marker("django_db") is not None


def unit_tests_with_servers(items: Iterable[pytest.Function]) -> list[str]:
    """The unit tests that use servers: they belong in tests/integration."""
    unit_tests = (item for item in items if item.nodeid.startswith("tests/unit/"))
    return [item.nodeid for item in unit_tests if asks_for_servers(item)]


@contextmanager
def refused() -> Iterator[None]:
    """Within the block a connection to it fails the test, those of a pool too."""
    AbstractConnection.connect = _refuse
    try:
        yield
    finally:
        AbstractConnection.connect = _connect


def _refuse(connection: AbstractConnection) -> None:
    if getattr(connection, "port", None) == PORT:
        pytest.fail(_MESSAGE)
    _connect(connection)
