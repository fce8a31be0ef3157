"""Creates, changes and deletes managers, and changes entries by hand."""

from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext

from accounts.models import Application
from audit.models import Event
from audit.services import append
from memory.models import MOST_NAME, Manager, MemoryEntry, Origin, Target
from memory.outcomes import FactOutcome
from memory.selectors.entries import changeable
from memory.services.remembering import guarded_write, tidy
from memory.services.writing import NewFact, hold


@transaction.atomic
def create_manager(
    *, application: Application, name: str, by: str, user: User | None = None
) -> Manager:
    """Create a manager. Raises IntegrityError if the name or the user is taken."""
    manager = Manager.objects.create(application=application, name=name, user=user)
    append(Event.MANAGER_CREATED, subject=manager, by=by)
    return manager


@transaction.atomic
def change_manager(*, manager: Manager, by: str) -> None:
    """Save a manager's name and user. Raises IntegrityError if one of them is taken."""
    manager.save(update_fields=["name", "user"])
    append(Event.MANAGER_CHANGED, subject=manager, by=by)


@transaction.atomic
def assign_managers(user: User, slugs: frozenset[str], by: str) -> None:
    """Make a person manager of exactly these applications.

    A former manager keeps name and memory, without a user. An existing manager of that name may be
    somebody else: a new one gets a number after the name.
    """
    managers = {m.application.slug: m for m in user.managers.select_related("application")}
    for slug, manager in managers.items():
        if slug not in slugs:
            manager.user = None
            change_manager(manager=manager, by=by)
    for application in Application.objects.filter(slug__in=slugs - set(managers)):
        name = _free_name(application, user.get_username())
        create_manager(application=application, name=name, by=by, user=user)


def _free_name(application: Application, stem: str) -> str:
    stem = stem[: MOST_NAME - 4]
    managers = Manager.objects.filter(application=application, name__startswith=stem)
    existing = set(managers.values_list("name", flat=True))
    names = (stem, *(f"{stem} {number}" for number in range(2, len(existing) + 3)))
    return next(name for name in names if name not in existing)


@transaction.atomic
def delete_manager(*, manager: Manager, by: str) -> None:
    """Delete a manager and everything of theirs; what they said of the company stays."""
    entries = manager.entries.count()
    append(Event.MANAGER_DELETED, subject=manager, by=by, entries=entries)
    manager.delete()


# Changes by people: managers undo, correct and delete; leads delete company facts.

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
