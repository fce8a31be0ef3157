"""From a statement to an entry, and back to a question."""

import pytest

from audit.models import TrailEntry
from memory.models import Manager, MemoryEntry
from memory.outcomes import Status
from memory.selectors import recall
from memory.services import remember, undo

LIMIT = "The scaffold wind limit on our site is 25 km/h."


def test_what_is_stated_is_found_again(ann: Manager) -> None:
    outcome = remember(ann, LIMIT, source="conversation 7")
    assert outcome.status is Status.WRITTEN
    (found,) = recall(ann, "May we work on the scaffold in this wind?")
    assert (found.entry_id, found.text, found.target) == (outcome.entry_id, LIMIT, "company")
    assert "Ann" in found.came_from
    assert "conversation 7" in found.came_from


def test_the_same_again_is_a_duplicate(ann: Manager, ben: Manager) -> None:
    first = remember(ann, LIMIT)
    again = remember(ben, LIMIT)
    assert (again.status, again.entry_id) == (Status.DUPLICATE, first.entry_id)
    assert MemoryEntry.objects.count() == 1


def test_what_was_written_can_be_taken_back(ann: Manager) -> None:
    written = remember(ann, LIMIT)
    undo(written.entry_id, ann)
    assert not MemoryEntry.objects.exists()
    told = TrailEntry.objects.filter(event__startswith="memory.").order_by("id")
    assert [entry.event for entry in told] == ["memory.written", "memory.undone"]
    assert "scaffold" not in str([entry.data for entry in told])


@pytest.mark.parametrize("words", ["My mobile is +44 20 7946 0958.", "The gate code is 4711."])
def test_private_words_are_neither_stored_nor_repeated(ann: Manager, words: str) -> None:
    outcome = remember(ann, words)
    assert outcome.status is Status.REFUSED
    assert outcome.main.fact == ""
    assert not MemoryEntry.objects.exists()
