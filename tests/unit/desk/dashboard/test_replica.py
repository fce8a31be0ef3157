"""The database that the router names, and the handling of a replica that fails."""

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, connections
from psycopg2.errors import QueryCanceled

from desk.dashboard import replica
from desk.dashboard.replica import REPLICA, FigureSource, ReplicaRead, Router, read
from lib.workqueue.broker import Outage


def test_reads_within_go_to_the_replica_and_writes_never() -> None:
    router = Router()
    assert router.db_for_read(User) is None
    with replica._routed():
        assert router.db_for_read(User) == REPLICA
        assert router.db_for_write(User) == "default"
    assert router.db_for_read(User) is None
    assert router.allow_relation(User(), User())
    assert not router.allow_migrate(REPLICA, "auth")
    assert router.allow_migrate("default", "auth")


def test_without_a_replica_the_primary_is_read() -> None:
    assert read(lambda: 7) == ReplicaRead(7, FigureSource.PRIMARY)


@pytest.fixture
def failing(monkeypatch):
    """Return a replica that fails with an error of choice, which counts how often it was asked."""
    monkeypatch.setitem(connections.databases, REPLICA, {})
    monkeypatch.setattr(replica, "_outage", Outage(30))
    attempts: list[None] = []

    def fail_with(error: Exception) -> list[None]:
        def ask(work: object) -> None:
            attempts.append(None)
            raise error

        monkeypatch.setattr(replica, "_from_replica", ask)
        return attempts

    return fail_with


def test_a_replica_that_fails_is_left_alone_for_a_while(failing) -> None:
    attempts = failing(OperationalError("gone"))
    assert [read(lambda: 7) for _ in range(3)] == [ReplicaRead(7, FigureSource.FALLBACK)] * 3
    assert len(attempts) == 1


def test_a_question_that_took_too_long_is_not_asked_of_the_primary(failing) -> None:
    error = OperationalError("canceling statement due to statement timeout")
    error.__cause__ = QueryCanceled()
    failing(error)
    with pytest.raises(OperationalError):
        read(lambda: pytest.fail("asked of the primary"))
