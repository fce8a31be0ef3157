"""Accepts questions and briefings from managers and clients: idempotent and limited.

Scheduled briefings are not counted: they come once a day.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils.translation import ngettext

from analysis.services.idempotency import Accepted, Idempotency, keep_key, once
from assistant.models import Conversation, Turn, TurnState
from assistant.services.asking import start_conversation
from assistant.services.briefings import start_briefing
from assistant.services.lifecycle import accept
from memory.models import Manager

_OPEN = (TurnState.QUEUED, TurnState.RUNNING)


class TooManyOpen(Exception):
    """Raised if the manager already has the allowed number of open questions."""

    def __init__(self, open_: int) -> None:
        text = ngettext(
            "%(n)d question of this manager waits to be answered; the next is taken after that.",
            "%(n)d questions of this manager wait to be answered; the next is taken after that.",
            open_,
        )
        super().__init__(text % {"n": open_})


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
    keep_question = partial(
        _keep, manager, conversation, question,
        by=by, collections=collections, documents=documents, key=idempotency,
    )  # fmt: skip
    return once(manager.application_id, idempotency, "made_id", keep_question)


@transaction.atomic
def brief_later(manager: Manager) -> Conversation:
    """Queue a briefing for the workers. Raises TooManyOpen and inference.errors.ModelError."""
    _assert_room(manager)
    return start_briefing(manager)


@transaction.atomic
def _keep(
    manager: Manager,
    conversation: Conversation | None,
    question: str,
    *,
    by: str,
    collections: Sequence[str],
    documents: Mapping[str, Any] | None,
    key: Idempotency | None,
) -> UUID:
    _assert_room(manager)
    target = conversation or start_conversation(manager, title=question)
    turn = accept(target, question, by=by, collections=collections, documents=documents)
    keep_key(manager.application_id, key, made_id=turn.pk)
    return turn.pk


def _assert_room(manager: Manager) -> None:
    """Raise TooManyOpen if no further question may wait.

    Locks the manager, so that simultaneous requests are counted one by one; call within a
    transaction.
    """
    Manager.objects.select_for_update(no_key=True).get(pk=manager.pk)
    open_ = Turn.objects.filter(conversation__manager=manager, state__in=_OPEN).count()
    if open_ >= settings.ASSISTANT_OPEN_QUESTIONS:
        raise TooManyOpen(open_)
