"""Reads of managers and their entries, always within one application."""

import re
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import F, Q, QuerySet
from django.utils import dateformat, timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from pgvector.django import CosineDistance

from memory.embedding import embed, model_id
from memory.models import Manager, MemoryEntry, Origin, Target

_CONVERSATION = re.compile(r"conversation [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""The name of a conversation for programs; nobody reads it."""
MEMORY_PAGE = "the memory page"
"""The source of what was stated on a manager's own page."""
_BY_ORIGIN = {
    Origin.STATED: _("stated by %(who)s on %(day)s"),
    Origin.CORRECTED: _("corrected by %(who)s on %(day)s"),
    Origin.IMPORTED: _("imported by %(who)s on %(day)s"),
}


def managers_of(application_id: UUID) -> QuerySet[Manager]:
    """Return an application's managers by name."""
    return Manager.objects.filter(application_id=application_id).order_by("name")


def manager_of(application_id: UUID, manager_id: UUID) -> Manager:
    """Return one manager. Raises Manager.DoesNotExist, also for another application's."""
    return Manager.objects.get(pk=manager_id, application_id=application_id)


def managers_for(user: User | AnonymousUser) -> QuerySet[Manager]:
    """Return the managers that a user represents, at most one per application."""
    if not isinstance(user, User) or not user.is_active:
        return Manager.objects.none()
    managers = Manager.objects.filter(user=user).select_related("application")
    return managers.order_by("application__name")


def visible(manager: Manager) -> QuerySet[MemoryEntry]:
    """Return everything this manager may see: their own facts, and the application's."""
    return MemoryEntry.objects.filter(
        Q(target=Target.USER, manager=manager) | Q(target=Target.COMPANY),
        application=manager.application_id,
    ).defer("embedding")


def changeable(manager: Manager) -> QuerySet[MemoryEntry]:
    """Return what this manager may correct, delete and undo: their own facts and statements.

    Somebody else's company fact is changed by stating its new value.
    """
    return visible(manager).filter(Q(target=Target.USER) | Q(stated_by=manager))


def entries_of(
    manager: Manager, *, target: str | None = None, history: bool = False
) -> QuerySet[MemoryEntry]:
    """Return a manager's visible facts, newest first; `history` adds superseded ones. One query."""
    entries = visible(manager).select_related("stated_by").order_by("-id")
    if target is not None:
        entries = entries.filter(target=target)
    return entries if history else entries.filter(superseded_at=None)


def came_from(entry: MemoryEntry) -> str:
    """Return a fact's origin: "stated by Ann on 21 Nov 2026, in a conversation"."""
    who = entry.stated_by.name if entry.stated_by else gettext("a manager who is no longer here")
    day = dateformat.format(entry.stated_at, "j M Y")
    where = f", {_place(entry.source)}" if entry.source else ""
    return _BY_ORIGIN[Origin(entry.origin)] % {"who": who, "day": day} + where


def _place(source: str) -> str:
    if source == MEMORY_PAGE:
        return gettext("on the memory page")
    return _CONVERSATION.sub(gettext("in a conversation"), source)


# The data of a manager's own page.

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
    entries: tuple[ShownEntry, ...]


def both_memories(manager: Manager) -> tuple[ShownMemory, ...]:
    """Return both memories of a manager, newest fact first. One query."""
    before = defaultdict[UUID | None, list[MemoryEntry]](list)
    for entry in entries_of(manager, history=True)[:MOST_SHOWN]:
        before[entry.superseded_by_id].append(entry)
    entries = [(entry.target, _shown_entry(entry, manager, before)) for entry in before[None]]
    return tuple(
        ShownMemory(target, str(title), tuple(item for of, item in entries if of == target))
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


# `recall`: finds memories relevant to a question.

RECENCY_WEIGHT = 0.1
HALF_LIFE = timedelta(days=90)
NEAREST = 50
"""So many nearest entries are ranked; recency cannot lift one from below them."""
FLOOR = 0.2
"""Entries less similar to the question than this have nothing to do with it."""


@dataclass(frozen=True, slots=True)
class RecalledMemory:
    """A relevant entry. `score` (0 to 1) combines similarity with recency."""

    entry_id: UUID
    text: str
    target: str
    stated_at: datetime
    score: float
    came_from: str
    """Its origin in words: who stated it, when and where."""


def recall(manager: Manager, question: str, *, limit: int = 4) -> tuple[RecalledMemory, ...]:
    """Return the remembered facts relevant to a question, best first. One query."""
    vector = embed([question])[0]
    near = (
        visible(manager)
        .filter(superseded_at=None, embedding_model=model_id())
        .annotate(similarity=1 - CosineDistance("embedding", vector))
        .filter(similarity__gte=FLOOR)
        .select_related("stated_by")
        .order_by(F("similarity").desc(), "-stated_at")[:NEAREST]
    )
    now = timezone.now()
    ranked = [_recalled_memory(entry, now) for entry in near]
    return tuple(sorted(ranked, key=lambda memory: -memory.score)[:limit])


def _recalled_memory(entry: MemoryEntry, now: datetime) -> RecalledMemory:
    age = max(now - entry.stated_at, timedelta())
    recency = 0.5 ** (age / HALF_LIFE)
    similarity: float = entry.similarity  # type: ignore[attr-defined]  # annotated
    score = (1 - RECENCY_WEIGHT) * similarity + RECENCY_WEIGHT * recency
    return RecalledMemory(
        entry.pk, entry.text, entry.target, entry.stated_at, round(score, 4), came_from(entry)
    )
