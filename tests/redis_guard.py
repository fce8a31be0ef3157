"""Refuses this process's Redis to a test that does not ask for it.

Whether it runs depends on the tests before: what connects without asking would pass or fail by
their order.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from redis.connection import AbstractConnection

PORT = urlsplit(os.environ["REDIS_URL"]).port
_MESSAGE = "This test connects to Redis: ask for the fixture `servers`, or for a database."
_connect = AbstractConnection.connect


def may_connect(request: pytest.FixtureRequest) -> bool:
    """Whether the test asks for the servers, by a fixture or by the marker of pytest-django."""
    asked = "servers" in request.fixturenames
    return asked or request.node.get_closest_marker("django_db") is not None


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
