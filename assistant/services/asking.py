"""Starts conversations, and answers a question in the process that asks it."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import IntegrityError

from accounts.models import Application
from assistant.models import MOST_TITLE, Conversation, Turn
from assistant.services.answering import answer
from assistant.services.lifecycle import accept
from memory.models import Manager
from memory.services.managers import create_manager


def manager_named(application_id: UUID, name: str, *, by: str) -> Manager:
    """Return the application's manager of this id or name; create one for a new name.

    Raises Manager.DoesNotExist for an unknown id, which is never a name.
    """
    if manager_id := _as_uuid(name):
        return Manager.objects.get(application_id=application_id, pk=manager_id)
    managers = Manager.objects.filter(application_id=application_id, name=name)
    manager = managers.first()
    if manager is not None:
        return manager
    application = Application.objects.get(pk=application_id)
    try:
        return create_manager(application=application, name=name, by=by)
    except IntegrityError:
        # A concurrent call has created it.
        return managers.get()


def _as_uuid(name: str) -> UUID | None:
    try:
        return UUID(name)
    except ValueError:
        return None


def start_conversation(manager: Manager, *, title: str = "") -> Conversation:
    """Start a conversation, named after its first question."""
    return Conversation.objects.create(manager=manager, title=" ".join(title.split())[:MOST_TITLE])


def ask(
    manager: Manager,
    conversation: Conversation,
    question: str,
    *,
    by: str = "",
    collections: Sequence[str] = (),
    documents: Mapping[str, Any] | None = None,
) -> Turn:
    """Store a question and answer it at once; if that fails, a worker continues.

    Raises ValueError for another manager's conversation and for a question without words.
    """
    if conversation.manager_id != manager.pk:
        raise ValueError("the conversation belongs to another manager")
    if not question.strip():
        raise ValueError("a question has words")
    conversation.manager = manager
    turn = accept(
        conversation,
        question,
        by=by or f"manager:{manager.pk}",
        collections=collections,
        documents=documents,
        enqueue=False,
    )
    answer(turn.pk)
    turn.refresh_from_db()
    return turn
