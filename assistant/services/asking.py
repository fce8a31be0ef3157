"""Starts conversations; answers a question in the process that asks it, or keeps it for a worker.

A question that is kept for a worker is idempotent and limited. Scheduled briefings are not counted:
they come once a day.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.translation import ngettext

from accounts.models import Application
from analysis.services.idempotency import Accepted, Idempotency, keep_key, once
from assistant.models import MOST_TITLE, OPEN, Conversation, Turn
from assistant.services.answering import answer
from assistant.services.lifecycle import accept
from memory.models import Manager
from memory.services.managers import create_manager


class TooManyOpen(Exception):
    """Raised if the manager already has the allowed number of open questions."""

    def __init__(self, open_: int) -> None:
        text = ngettext(
            "%(n)d question of this manager waits to be answered; the next is taken after that.",
            "%(n)d questions of this manager wait to be answered; the next is taken after that.",
            open_,
        )
        super().__init__(text % {"n": open_})


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


def ask_later(
    manager: Manager,
    conversation: Conversation | None,
    question: str,
    *,
    by: str,
    collections: Sequence[str] = (),
    documents: Mapping[str, Any] | None = None,
    idempotency: Idempotency | None = None,
) -> Accepted:
    """Store a question for a worker, in a new conversation or the given one.

    Raises TooManyOpen, and IdempotencyConflict if the key was used for another request.
    """

    @transaction.atomic
    def keep() -> UUID:
        assert_room(manager)
        target = conversation or start_conversation(manager, title=question)
        turn = accept(target, question, by=by, collections=collections, documents=documents)
        keep_key(manager.application_id, idempotency, made_id=turn.pk)
        return turn.pk

    return once(manager.application_id, idempotency, "made_id", keep)


def assert_room(manager: Manager) -> None:
    """Raise TooManyOpen if no further question may wait.

    Locks the manager, so that simultaneous requests are counted one by one; call within a
    transaction.
    """
    Manager.objects.select_for_update(no_key=True).get(pk=manager.pk)
    open_ = Turn.objects.filter(conversation__manager=manager, state__in=OPEN).count()
    if open_ >= settings.ASSISTANT_OPEN_QUESTIONS:
        raise TooManyOpen(open_)
