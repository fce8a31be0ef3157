"""From a statement to an entry and back to a question, by two at once, and after a new model."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from pytest_django.asserts import assertNumQueries

from audit.models import TrailEntry
from memory import services
from memory.models import Manager, MemoryEntry
from memory.outcomes import FactOutcome, Status
from memory.selectors import recall
from memory.selectors.entries import came_from, entries_of
from memory.services import NotUndoable, correct, delete, undo
from memory.services.managers import create_manager, delete_manager
from tests.commands import run

LIMIT = "The scaffold wind limit on our site is 25 km/h."
RAISED = "The scaffold wind limit is now 30 km/h."
ROLE = "I'm the site safety manager."


def remember(manager: Manager, statement: str, *, source: str = "") -> FactOutcome:
    """Remember a statement and return its main fact."""
    return services.remember(manager, statement, source=source).main


def active(manager: Manager) -> list[str]:
    return [entry.text for entry in entries_of(manager)]


def test_what_is_stated_is_found_again(ann) -> None:
    outcome = remember(ann, LIMIT, source="conversation 7")
    assert outcome.status is Status.WRITTEN
    (memory,) = recall(ann, "May we work on the scaffold in this wind?")
    assert (memory.entry_id, memory.text, memory.target) == (outcome.entry_id, LIMIT, "company")
    assert "Ann" in memory.came_from
    assert "conversation 7" in memory.came_from


def test_a_conversation_is_named_for_people(ann) -> None:
    remember(ann, ROLE, source="conversation 01a1ff15-9b87-7430-922a-f799af93a935")
    entry = entries_of(ann).get()
    assert came_from(entry).endswith(", in a conversation")
    assert entry.source.endswith("f799af93a935"), "for programs it keeps its name"


def test_nothing_is_recalled_that_has_nothing_to_do_with_the_question(ann) -> None:
    remember(ann, LIMIT)
    assert recall(ann, "Who wrote the opera Carmen?") == ()


def test_each_sentence_is_judged_by_itself(ann) -> None:
    statement = f"{ROLE} {LIMIT} May we lift today? My mobile is 07700 900123."
    facts = services.remember(ann, statement).facts
    assert [(fact.status, fact.target) for fact in facts if fact.stored] == [
        (Status.WRITTEN, "user"),
        (Status.WRITTEN, "company"),
    ]
    assert {fact.code for fact in facts if not fact.stored} == {"question", "personal_data"}


def test_another_value_supersedes_and_both_keep_their_dates(ann) -> None:
    first, second = remember(ann, LIMIT), remember(ann, RAISED)
    assert (second.status, second.superseded_ids) == (Status.SUPERSEDED, (first.entry_id,))
    old, new = MemoryEntry.objects.order_by("stated_at")
    assert (old.superseded_by_id, old.superseded_at) == (new.pk, new.stated_at)
    assert old.stated_at < new.stated_at
    assert active(ann) == [RAISED]


def test_two_crews_and_three_are_told_apart_where_similarity_is_blind(ann) -> None:
    remember(ann, "We have 3 crews.")
    assert remember(ann, "We have 5 crews.").status is Status.SUPERSEDED
    assert remember(ann, "We've got five crews.").status is Status.DUPLICATE


def test_the_same_again_is_a_duplicate(ann, ben) -> None:
    first = remember(ann, LIMIT)
    again = remember(ben, "Scaffold limit: 25 km/h wind.")
    assert (again.status, again.entry_id) == (Status.DUPLICATE, first.entry_id)
    assert MemoryEntry.objects.count() == 1


def test_near_words_without_a_slot_are_a_duplicate(ann) -> None:
    first = remember(ann, "My active work packages are the piling and the basement slab.")
    again = remember(ann, "My active work packages: the piling and the basement slab.")
    assert (again.status, again.entry_id) == (Status.DUPLICATE, first.entry_id)


def test_memories_are_isolated(ann, ben, stranger) -> None:
    own = remember(ann, ROLE)
    ours = remember(ann, LIMIT)
    assert set(active(ann)) == {ROLE, LIMIT}
    assert active(ben) == [LIMIT], "company memory is the application's, user memory is Ann's"
    assert active(stranger) == []
    assert remember(stranger, LIMIT).status is Status.WRITTEN, "no duplicate across applications"
    assert remember(ben, ROLE).status is Status.WRITTEN, "no duplicate across managers"
    for entry_id in (own.entry_id, ours.entry_id):
        for other in (ben, stranger):
            for change in (undo, delete, lambda entry, who: correct(entry, who, RAISED)):
                with pytest.raises(MemoryEntry.DoesNotExist):
                    change(entry_id, other)


def test_undo_brings_back_what_was_superseded(ann) -> None:
    remember(ann, LIMIT)
    newer = remember(ann, RAISED)
    undo(newer.entry_id, ann)
    assert active(ann) == [LIMIT]
    assert not MemoryEntry.objects.exclude(superseded_at=None).exists()


def test_only_the_newest_can_be_undone(ann) -> None:
    older = remember(ann, LIMIT)
    remember(ann, RAISED)
    with pytest.raises(NotUndoable):
        undo(older.entry_id, ann)
    assert active(ann) == [RAISED]


def test_a_correction_supersedes_and_the_guards_hold(ann) -> None:
    first = remember(ann, LIMIT)
    assert correct(first.entry_id, ann, "The gate code is 4711.").code == "secret"
    outcome = correct(first.entry_id, ann, "The scaffold limit is 28 km/h.")
    assert outcome.superseded_ids == (first.entry_id,)
    assert active(ann) == ["The scaffold limit is 28 km/h."]
    assert MemoryEntry.objects.get(pk=outcome.entry_id).origin == "corrected"


def test_what_is_deleted_is_gone_and_the_trail_never_knew_it(ann) -> None:
    remember(ann, LIMIT)
    newer = remember(ann, RAISED)
    assert delete(newer.entry_id, ann) == 2, "the value that it superseded goes along"
    assert not MemoryEntry.objects.exists()
    trail_entries = TrailEntry.objects.filter(event__startswith="memory.").order_by("id")
    events = ["memory.written", "memory.written", "memory.deleted"]
    assert [entry.event for entry in trail_entries] == events
    assert trail_entries[2].data == {"target": "company", "entries": 2}
    assert not any("scaffold" in str(entry.data).lower() for entry in trail_entries)


def test_a_manager_goes_with_their_own_memory_alone(ann, ben) -> None:
    remember(ann, ROLE)
    remember(ann, LIMIT)
    delete_manager(manager=ann, by="test")
    assert list(MemoryEntry.objects.values_list("text", flat=True)) == [LIMIT]
    assert "no longer here" in recall(ben, "scaffold wind limit")[0].came_from


@pytest.mark.parametrize("words", ["My mobile is +44 20 7946 0958.", "The gate code is 4711."])
def test_private_words_are_neither_stored_nor_repeated(ann, words) -> None:
    outcome = remember(ann, words)
    assert outcome.status is Status.REFUSED
    assert outcome.fact == ""
    assert not MemoryEntry.objects.exists()


@pytest.mark.parametrize("others", [0, 12])
def test_remembering_and_recalling_cost_the_same_with_many_entries(ann, others) -> None:
    for n in range(others):
        remember(ann, f"The crane limit of block {n} is {20 + n} km/h.")
    with CaptureQueriesContext(connection) as queries:
        assert remember(ann, LIMIT).status is Status.WRITTEN
    # savepoint, lock, same words, slots, similar, savepoint of the insert and the entry, trail
    assert len(queries) <= 9
    with assertNumQueries(1):
        recall(ann, "scaffold wind limit")


def test_the_database_holds_the_rules(ann, stranger) -> None:
    memory_entry = MemoryEntry.objects.get(pk=remember(ann, LIMIT).entry_id)
    for change in (
        {"superseded_at": memory_entry.stated_at},
        {"target": "user"},
        {"manager": ann},
        {"confidence": 0.5},
        {"value": ""},
        {"origin": "rumour"},
        {"superseded_at": memory_entry.stated_at, "superseded_by": memory_entry.pk},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            MemoryEntry.objects.filter(pk=memory_entry.pk).update(**change)
    for field in ("stated_by", "manager"):
        change = {field: stranger} | ({"target": "user"} if field == "manager" else {})
        with transaction.atomic():
            MemoryEntry.objects.filter(pk=memory_entry.pk).update(**change)
            with pytest.raises(IntegrityError, match=r"memory_(owner_of|stated_in)_application"):
                connection.check_constraints()
            transaction.set_rollback(True)
    twin = MemoryEntry.objects.get(pk=memory_entry.pk)
    twin.pk, twin.text, twin.value = None, "Other words.", "9"
    with pytest.raises(IntegrityError, match="memory_one_value_a_slot"), transaction.atomic():
        twin.save(force_insert=True)


TURNS = 6


@pytest.fixture
def sam(transactional_db, application) -> Iterator[Manager]:
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


def test_the_same_fact_is_written_once(sam) -> None:
    statuses = at_once(sam, ["We have 3 glazing crews on site."] * TURNS)
    assert sorted(statuses) == [Status.DUPLICATE] * (TURNS - 1) + [Status.WRITTEN]
    assert MemoryEntry.objects.count() == 1


def test_a_slot_ends_with_one_value(sam) -> None:
    statements = [f"The crane wind limit is {30 + n} km/h." for n in range(TURNS)]
    statuses = at_once(sam, statements)
    assert sorted(statuses) == [Status.SUPERSEDED] * (TURNS - 1) + [Status.WRITTEN]
    assert MemoryEntry.objects.filter(superseded_at=None).count() == 1
    assert MemoryEntry.objects.count() == TURNS


def test_entries_of_another_model_are_embedded_again(ann) -> None:
    remember(ann, "The scaffold wind limit is 25 km/h.")
    remember(ann, "I'm the site safety manager.")
    texts = dict(MemoryEntry.objects.values_list("pk", "text"))
    MemoryEntry.objects.filter(text__startswith="The").update(
        embedding=[1.0] + [0.0] * 383, embedding_model="another"
    )
    assert recall(ann, "When do scaffolds stop?") == ()
    assert run("reembed_memory", verbosity=0).strip() == "1 entries embedded again"
    assert recall(ann, "When do scaffolds stop?")[0].text.startswith("The scaffold")
    assert dict(MemoryEntry.objects.values_list("pk", "text")) == texts
