"""Refuses servers to tests that do not ask for them, and to unit tests, which are to be fast.

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
    """Return whether the test asks for the servers, by a fixture or pytest-django's marker."""
    return asks_for_servers(request.node)


def asks_for_servers(item: pytest.Function) -> bool:
    """Return whether a test uses PostgreSQL or Redis."""
    return "servers" in item.fixturenames or item.get_closest_marker("django_db") is not None


def unit_tests_with_servers(items: Iterable[pytest.Function]) -> list[str]:
    """Return the unit tests that use servers: they belong in tests/integration."""
    unit_tests = (item for item in items if item.nodeid.startswith("tests/unit/"))
    return [item.nodeid for item in unit_tests if asks_for_servers(item)]


@contextmanager
def refused() -> Iterator[None]:
    """Fail the test at a connection within the block, also one of a pool."""
    AbstractConnection.connect = _refuse
    try:
        yield
    finally:
        AbstractConnection.connect = _connect


def _refuse(connection: AbstractConnection) -> None:
    if getattr(connection, "port", None) == PORT:
        pytest.fail(_MESSAGE)
    _connect(connection)
