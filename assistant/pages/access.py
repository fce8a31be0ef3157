"""Whose page it is: the managers that a log-in stands for, and their conversations."""

from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.http import Http404

from assistant.models import Conversation, Turn
from assistant.selectors import turn_of
from assistant.selectors.pages import own_conversation
from memory.models import Manager
from memory.selectors.entries import managers_for

Person = User | AnonymousUser


def manager_for(user: Person, manager_id: UUID) -> Manager:
    """The manager of this id that the log-in stands for; another's is not found."""
    manager = next((item for item in managers_for(user) if item.pk == manager_id), None)
    if manager is None:
        raise Http404
    return manager


def conversation_for(manager: Manager, conversation_id: UUID) -> Conversation:
    """The manager's conversation; another's is not found."""
    try:
        conversation = own_conversation(manager, conversation_id)
    except Conversation.DoesNotExist:
        raise Http404 from None
    conversation.manager = manager
    return conversation


def turn_for(manager: Manager, conversation_id: UUID, turn_id: UUID) -> Turn:
    """A turn of the manager's conversation; another's is not found."""
    try:
        turn = turn_of(manager.application_id, turn_id)
    except Turn.DoesNotExist:
        raise Http404 from None
    if turn.conversation_id != conversation_id or turn.conversation.manager_id != manager.pk:
        raise Http404
    return turn
