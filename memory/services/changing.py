"""A manager's own hand: undo, correct, delete."""

from uuid import UUID

from django.db import transaction

from audit.models import Event
from audit.services import append
from memory.models import Manager, MemoryEntry, Target
from memory.services.writing import hold


class NotUndoable(Exception):
    """The entry was superseded meanwhile: the newer one is undone first."""


@transaction.atomic
def undo(entry_id: UUID, manager: Manager, *, by: str = "") -> None:
    """Take back what was written: the row goes, and what it superseded holds again.

    Only by the manager who stated it. Raises MemoryEntry.DoesNotExist for anything else, and
    NotUndoable where a newer value stands on it.
    """
    entry = MemoryEntry.objects.get(
        pk=entry_id, application=manager.application_id, stated_by=manager
    )
    hold(manager, Target(entry.target))
    entry.refresh_from_db()
    if entry.superseded_at is not None:
        raise NotUndoable("A newer value has taken its place. Undo that one first.")
    before = list(entry.supersedes.values_list("pk", flat=True))
    MemoryEntry.objects.filter(pk__in=before).update(superseded_at=None, superseded_by=None)
    MemoryEntry.objects.filter(pk=entry_id).delete()
    append(
        Event.MEMORY_UNDONE,
        subject=entry,
        by=by or f"manager:{manager.pk}",
        application_id=entry.application_id,
        target=entry.target,
        restored=[str(pk) for pk in before],
    )
