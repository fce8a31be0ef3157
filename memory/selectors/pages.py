"""The data of a manager's own page."""

from collections import defaultdict
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from memory.files import file_name
from memory.models import Manager, MemoryEntry, Target
from memory.selectors.entries import came_from, entries_of

MOST_SHOWN = 500
_TITLES = ((Target.USER, _("About you")), (Target.COMPANY, _("About the site")))


@dataclass(frozen=True, slots=True)
class ShownEntry:
    """A fact with its origin and its earlier values, newest first.

    `mine`: this manager may correct and delete it.
    """

    entry: MemoryEntry
    came_from: str
    mine: bool
    earlier: tuple["ShownEntry", ...] = ()


@dataclass(frozen=True, slots=True)
class ShownMemory:
    target: Target
    title: str
    file_name: str
    entries: tuple[ShownEntry, ...]


def both_memories(manager: Manager) -> tuple[ShownMemory, ...]:
    """Return both memories of a manager, newest fact first. One query."""
    before = defaultdict[UUID | None, list[MemoryEntry]](list)
    for entry in entries_of(manager, history=True)[:MOST_SHOWN]:
        before[entry.superseded_by_id].append(entry)
    entries = [(entry.target, _shown_entry(entry, manager, before)) for entry in before[None]]
    return tuple(
        ShownMemory(
            target,
            str(title),
            file_name(target),
            tuple(entry for of, entry in entries if of == target),
        )
        for target, title in _TITLES
    )


def _shown_entry(
    entry: MemoryEntry, manager: Manager, before: dict[UUID | None, list[MemoryEntry]]
) -> ShownEntry:
    """Return the entry with all earlier values, however often it was replaced."""
    mine = entry.target == Target.USER or entry.stated_by_id == manager.pk
    earlier = tuple(_shown_entry(older, manager, before) for older in before.get(entry.pk, ()))
    flat = tuple(item for older in earlier for item in (older, *older.earlier))
    return ShownEntry(entry, came_from(entry), mine, flat)
