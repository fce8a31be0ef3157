"""Changes by people: managers undo, correct and delete; leads delete company facts."""

from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext

from audit.models import Event
from audit.services import append
from memory.models import Manager, MemoryEntry, Origin, Target
from memory.outcomes import FactOutcome
from memory.selectors.entries import changeable
from memory.services.remembering import guarded_write, tidy
from memory.services.writing import NewFact, hold

BY_HAND = "manager"
"""The judge of what a manager wrote by hand."""


class NotUndoable(Exception):
    """Raised if the entry was superseded meanwhile: the newer one must be undone first."""


@transaction.atomic
def undo(entry_id: UUID, manager: Manager, *, by: str = "") -> None:
    """Undo an entry: the row is deleted, and what it superseded becomes valid again.

    Raises MemoryEntry.DoesNotExist if this manager may not change it, and NotUndoable if a newer
    value superseded it.
    """
    entry = _lock_entry(changeable(manager), entry_id)
    if entry.superseded_at is not None:
        raise NotUndoable(gettext("A newer value has replaced it. Undo that one first."))
    before = list(entry.supersedes.values_list("pk", flat=True))
    # The newer value leaves the slot before the older one comes back into it.
    MemoryEntry.objects.filter(pk=entry_id).update(slot="", value="")
    MemoryEntry.objects.filter(pk__in=before).update(superseded_by=None, superseded_at=None)
    append(
        Event.MEMORY_UNDONE,
        subject=entry,
        by=by or f"manager:{manager.pk}",
        application_id=entry.application_id,
        target=entry.target,
        restored=[str(pk) for pk in before],
    )
    MemoryEntry.objects.filter(pk=entry_id).delete()


def correct(entry_id: UUID, manager: Manager, text: str, *, by: str = "") -> FactOutcome:
    """Replace an entry's wording; the old one stays with its dates.

    The guards apply here too. Raises MemoryEntry.DoesNotExist if this manager may not change it or
    it was superseded.
    """
    entry = changeable(manager).get(pk=entry_id, superseded_at=None)
    fact = NewFact(
        tidy(text),
        Target(entry.target),
        1.0,
        BY_HAND,
        Origin.CORRECTED,
        entry.source,
        replaces=entry.pk,
    )
    return guarded_write(manager, fact, by=by or f"manager:{manager.pk}")


def delete(entry_id: UUID, manager: Manager, *, by: str = "") -> int:
    """Delete an entry with the earlier values it superseded; return the number of rows.

    Raises MemoryEntry.DoesNotExist if this manager may not change it.
    """
    return delete_from(changeable(manager), entry_id, by=by or f"manager:{manager.pk}")


@transaction.atomic
def delete_from(
    entries: QuerySet[MemoryEntry], entry_id: UUID, *, by: str, reason: str = ""
) -> int:
    """Delete one of these entries and what it superseded; the trail notes how many, not what."""
    entry = _lock_entry(entries, entry_id)
    subject = MemoryEntry(pk=entry.pk)
    _, deletions = MemoryEntry.objects.filter(pk=entry_id).delete()
    rows = deletions.get("memory.MemoryEntry", 0)
    append(
        Event.MEMORY_DELETED,
        subject=subject,
        by=by,
        application_id=entry.application_id,
        target=entry.target,
        entries=rows,
        **({"reason": reason} if reason else {}),
    )
    return rows


def _lock_entry(entries: QuerySet[MemoryEntry], entry_id: UUID) -> MemoryEntry:
    """Return the entry under a lock on its memory."""
    entry = entries.get(pk=entry_id)
    hold(entry.manager_id or entry.application_id)
    return entries.get(pk=entry_id)
