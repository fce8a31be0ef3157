"""Turns of the same moment: neither a duplicate nor two values of one slot."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from accounts.models import Application
from memory.models import Manager, MemoryEntry
from memory.outcomes import Status
from memory.services import remember
from memory.services.managers import create_manager

TURNS = 6


@pytest.fixture
def sam(transactional_db: None, application: Application) -> Iterator[Manager]:
    """Make a manager whose rows other connections see."""
    yield create_manager(application=application, name="Sam", by="test")
    MemoryEntry.objects.all().delete()


def at_once(manager: Manager, statements: list[str]) -> list[Status]:
    """Send each statement from a thread and a connection of its own, all at the same time."""
    gate = Barrier(len(statements))

    def say(statement: str) -> Status:
        try:
            gate.wait(60)
            return remember(manager, statement).status
        finally:
            connection.close()

    with ThreadPoolExecutor(len(statements)) as threads:
        return list(threads.map(say, statements))


def test_the_same_fact_is_written_once(sam: Manager) -> None:
    statuses = at_once(sam, ["We have 3 glazing crews on site."] * TURNS)
    assert sorted(statuses) == [Status.DUPLICATE] * (TURNS - 1) + [Status.WRITTEN]
    assert MemoryEntry.objects.count() == 1


def test_a_slot_ends_with_one_value(sam: Manager) -> None:
    statements = [f"The crane wind limit is {30 + n} km/h." for n in range(TURNS)]
    statuses = at_once(sam, statements)
    assert sorted(statuses) == [Status.SUPERSEDED] * (TURNS - 1) + [Status.WRITTEN]
    assert MemoryEntry.objects.filter(superseded_at=None).count() == 1
    assert MemoryEntry.objects.count() == TURNS
