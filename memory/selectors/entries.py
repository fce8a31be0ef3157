"""Reads of managers and their entries, always within one application."""

import re
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q, QuerySet
from django.utils import dateformat
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memory.models import Manager, MemoryEntry, Origin, Target

_CONVERSATION = re.compile(r"conversation [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""How a conversation is named for programs; nobody reads such a name."""
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
