"""Stage 2: a fact that passed its judge supersedes, is a duplicate, or is written.

One transaction at a time writes into one memory: it holds a lock named after the owner, so that
two turns at once can write neither the same fact twice nor two values of one slot. The vector is
made before, since a model must not be waited for with a lock in hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import uuid_utils.compat as uuid
from django.db import connection, transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from pgvector.django import CosineDistance

from audit.models import Event
from audit.services import append
from memory.embedding import embed, model_id
from memory.models import Manager, MemoryEntry, Origin, Target
from memory.outcomes import FactOutcome, Status
from memory.slots.matching import same_slot, same_value
from memory.slots.rules import slot_of
from memory.slots.types import Slot

SIMILAR = 0.85
"""From this cosine on two facts without different slots say the same (seed 2, section 4)."""
_NO_SLOT = Slot("", "")


@dataclass(frozen=True, slots=True)
class NewFact:
    """What is to be written. `stated_at` is None for now."""

    text: str
    target: Target
    confidence: float
    judge: str
    origin: Origin = Origin.STATED
    source: str = ""
    stated_at: datetime | None = None
    replaces: UUID | None = None
    """The entry that a correction supersedes, whatever its slot."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What the memory holds of a new fact: its slot, what it supersedes, what says it already."""

    slot: Slot
    older: tuple[UUID, ...]
    same: UUID | None
    reason: str = ""


def write(manager: Manager, fact: NewFact, *, by: str) -> FactOutcome:
    """Write a fact into the memory it belongs to, and say what became of it."""
    vector, model = embed([fact.text])[0], model_id()
    slot = slot_of(fact.text) or _NO_SLOT
    with transaction.atomic():
        hold(manager, fact.target)
        found = _look(owned(manager, fact.target), fact, slot, vector, model)
        if found.same:
            return _outcome(Status.DUPLICATE, fact, found.same, reason=found.reason)
        entry = _insert(manager, fact, found, vector, model)
        _tell(entry, found, by)
    status = Status.SUPERSEDED if found.older else Status.WRITTEN
    return _outcome(status, fact, entry.pk, older=found.older)


def hold(manager: Manager, target: Target) -> None:
    """Wait until nobody else writes into this memory; let go at the end of the transaction."""
    owner = manager.pk if target == Target.USER else manager.application_id
    with connection.cursor() as cursor:
        name = f"memory {target} {owner}"
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])


def owned(manager: Manager, target: Target) -> QuerySet[MemoryEntry]:
    """The active entries of the memory that this manager's facts of this target go into."""
    active = MemoryEntry.objects.filter(
        application=manager.application_id, target=target, superseded_at=None
    )
    return active.filter(manager=manager) if target == Target.USER else active


def _look(
    entries: QuerySet[MemoryEntry], fact: NewFact, slot: Slot, vector: Any, model: str
) -> _Found:
    """First the slot, only then similarity: "limit 25" and "limit 30" are at 0.97."""
    older = tuple(filter(None, [fact.replaces]))
    others = entries.exclude(pk__in=older)
    text = others.filter(text__iexact=fact.text).values_list("pk", flat=True).first()
    if text:
        return _Found(slot, older, text, "The very same words are remembered already.")
    if slot.key:
        held = _of_slot(others, slot)
        same = next((pk for pk, key, value in held if same_value(key, value, slot.value)), None)
        if same:
            return _Found(slot, older, same, "This value is remembered already.")
        if held:
            return _Found(Slot(held[0][1], slot.value), (*older, *(h[0] for h in held)), None)
    near = _nearest(others, slot, vector, model)
    return _Found(slot, older, near, "Nearly the same is remembered already." if near else "")


def _of_slot(entries: QuerySet[MemoryEntry], slot: Slot) -> list[tuple[UUID, str, str]]:
    """Id, slot and value of the entries of the same slot."""
    held = entries.exclude(slot="").order_by("-stated_at").values_list("pk", "slot", "value")
    return [(pk, key, value) for pk, key, value in held if same_slot(key, slot.key)]


def _nearest(entries: QuerySet[MemoryEntry], slot: Slot, vector: Any, model: str) -> UUID | None:
    """The entry within the cosine, of those that do not speak of something else by their slot."""
    open_to = entries.filter(slot="") if slot.key else entries
    near = open_to.filter(embedding_model=model).annotate(
        distance=CosineDistance("embedding", vector)
    )
    found = near.filter(distance__lte=1 - SIMILAR).order_by("distance").values_list("pk", flat=True)
    return found.first()


def _insert(manager: Manager, fact: NewFact, found: _Found, vector: Any, model: str) -> MemoryEntry:
    """The new row; the older ones make room first, since a slot has one value at a time."""
    new_id = uuid.uuid7()
    stated_at = fact.stated_at or Now()
    MemoryEntry.objects.filter(pk__in=found.older).update(
        superseded_at=stated_at, superseded_by=new_id
    )
    entry = MemoryEntry(
        id=new_id,
        application_id=manager.application_id,
        target=fact.target,
        manager=manager if fact.target == Target.USER else None,
        stated_by=manager,
        text=fact.text,
        slot=found.slot.key,
        value=found.slot.value,
        confidence=fact.confidence,
        judge=fact.judge,
        origin=fact.origin,
        source=fact.source,
        embedding=vector,
        embedding_model=model,
        stated_at=stated_at,
    )
    entry.save(force_insert=True)
    return entry


def _tell(entry: MemoryEntry, found: _Found, by: str) -> None:
    """The trail knows that something was written, never what."""
    append(
        Event.MEMORY_WRITTEN,
        subject=entry,
        by=by,
        application_id=entry.application_id,
        target=entry.target,
        origin=entry.origin,
        judge=entry.judge,
        superseded=[str(pk) for pk in found.older],
    )


def _outcome(
    status: Status,
    fact: NewFact,
    entry_id: UUID,
    *,
    older: Sequence[UUID] = (),
    reason: str = "",
) -> FactOutcome:
    return FactOutcome(
        status,
        fact.text,
        str(fact.target),
        fact.confidence,
        code="duplicate" if reason else "",
        reason=reason,
        entry_id=entry_id,
        superseded_ids=tuple(older),
    )
