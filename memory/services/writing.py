"""Stage 2: a fact that passed its judge supersedes, is a duplicate, or is written.

One transaction at a time writes into one memory: it holds a lock named after the owner, so that two
simultaneous turns can write neither the same fact twice nor two values of one slot. The vector is
made before, since a lock must not wait for a model.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import uuid_utils.compat as uuid
from django.db import connection, transaction
from django.db.models import QuerySet
from pgvector.django import CosineDistance

from audit.models import Event
from audit.services import append
from memory.embedding import embed, model_id
from memory.models import Manager, MemoryEntry, Origin, Target
from memory.outcomes import FactOutcome, Status
from memory.selectors.entries import visible
from memory.slots import Slot, same_slot, same_value, slot_of

SIMILAR = 0.85
"""From this cosine on two facts without different slots say the same."""
_NO_SLOT = Slot("", "")


@dataclass(frozen=True, slots=True)
class NewFact:
    """A fact to write. `stated_at` is None for now."""

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
class _Related:
    """The related entries of a new fact: its slot, the superseded ones, and a duplicate."""

    slot: Slot
    older: tuple[UUID, ...]
    same: UUID | None
    reason: str = ""
    newer: bool = False
    """True if a value that was stated later is remembered: an old file does not undo it."""


def write(manager: Manager, fact: NewFact, *, by: str) -> FactOutcome:
    """Write a fact into its memory, and return the outcome."""
    vector = embed([fact.text])[0]
    slot = slot_of(fact.text) or _NO_SLOT
    with transaction.atomic():
        now = hold(manager.pk if fact.target == Target.USER else manager.application_id)
        active = visible(manager).filter(target=fact.target, superseded_at=None)
        related = _look(active, fact, slot, vector)
        if related.newer:
            return _not_written(Status.REFUSED, "older", fact, related)
        if related.same:
            return _not_written(Status.DUPLICATE, "duplicate", fact, related)
        entry = _insert(manager, fact, related, vector, now)
        # Note in the trail that something was written, never what.
        append(
            Event.MEMORY_WRITTEN,
            subject=entry,
            by=by,
            target=entry.target,
            origin=entry.origin,
            judge=entry.judge,
            superseded=[str(pk) for pk in related.older],
        )
    status = Status.SUPERSEDED if related.older else Status.WRITTEN
    return FactOutcome(
        status,
        fact.text,
        str(fact.target),
        fact.confidence,
        entry_id=entry.pk,
        superseded_ids=related.older,
    )


def hold(owner_id: UUID) -> datetime:
    """Wait until nobody else writes into this manager's or this application's memory.

    Returns the database's time then. Released at the end of the transaction.
    """
    with connection.cursor() as cursor:
        name = f"memory of {owner_id}"
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])
        cursor.execute("SELECT clock_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now


def _look(entries: QuerySet[MemoryEntry], fact: NewFact, slot: Slot, vector: Any) -> _Related:
    """Find related entries by slot, then by similarity: "limit 25" and "limit 30" are at 0.97."""
    # The corrected entry's id. Raises MemoryEntry.DoesNotExist if it is gone.
    older = (entries.get(pk=fact.replaces).pk,) if fact.replaces else ()
    others = entries.exclude(pk__in=older)
    repeated = others.filter(text__iexact=fact.text).values_list("pk", flat=True).first()
    if repeated:
        return _Related(slot, older, repeated, "The very same words are remembered already.")
    slot_entries = _of_slot(others, slot) if slot.key else []
    if slot_entries:
        # Compare values: the same is a duplicate, another supersedes unless it was stated earlier.
        same = next((e.pk for e in slot_entries if same_value(slot.key, e.value, slot.value)), None)
        if same:
            return _Related(slot, older, same, "This value is remembered already.")
        if fact.stated_at and slot_entries[0].stated_at > fact.stated_at:
            return _Related(
                slot, older, slot_entries[0].pk, "A newer value is remembered.", newer=True
            )
        new_slot = Slot(slot_entries[0].slot, slot.value)
        return _Related(new_slot, (*older, *(entry.pk for entry in slot_entries)), None)
    near = _nearest(others, slot, vector)
    return _Related(slot, older, near, "Nearly the same is remembered already." if near else "")


def _of_slot(entries: QuerySet[MemoryEntry], slot: Slot) -> list[MemoryEntry]:
    """Return the entries of the same slot, newest first."""
    candidates = entries.exclude(slot="").only("slot", "value", "stated_at").order_by("-stated_at")
    return [entry for entry in candidates if same_slot(entry.slot, slot.key)]


def _nearest(entries: QuerySet[MemoryEntry], slot: Slot, vector: Any) -> UUID | None:
    """Return the nearest entry within the cosine limit that has no conflicting slot."""
    open_to = entries.filter(slot="") if slot.key else entries
    of_model = open_to.filter(embedding_model=model_id())
    near = of_model.annotate(distance=CosineDistance("embedding", vector))
    nearest = near.filter(distance__lte=1 - SIMILAR).order_by("distance")
    return nearest.values_list("pk", flat=True).first()


def _insert(
    manager: Manager, fact: NewFact, related: _Related, vector: Any, now: datetime
) -> MemoryEntry:
    """Insert the new row; older ones are superseded first, since a slot has one value."""
    new_id = uuid.uuid7()
    stated_at = fact.stated_at or now
    MemoryEntry.objects.filter(pk__in=related.older).update(
        superseded_at=stated_at, superseded_by=new_id
    )
    entry = MemoryEntry(
        id=new_id,
        application_id=manager.application_id,
        target=fact.target,
        manager=manager if fact.target == Target.USER else None,
        stated_by=manager,
        text=fact.text,
        slot=related.slot.key,
        value=related.slot.value,
        confidence=fact.confidence,
        judge=fact.judge,
        origin=fact.origin,
        source=fact.source,
        embedding=vector,
        embedding_model=model_id(),
        stated_at=stated_at,
    )
    entry.save(force_insert=True)
    return entry


def _not_written(status: Status, code: str, fact: NewFact, related: _Related) -> FactOutcome:
    return FactOutcome(
        status,
        fact.text,
        str(fact.target),
        fact.confidence,
        code=code,
        reason=related.reason,
        entry_id=related.same,
    )
