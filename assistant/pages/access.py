"""Access to the page: the managers that a user represents, and their conversations."""

from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.http import Http404

from accounts.access import or_404
from assistant.models import Conversation, Turn
from assistant.selectors import turn_of
from memory.models import Manager
from memory.selectors.entries import managers_for

Person = User | AnonymousUser


def manager_for(user: Person, manager_id: UUID) -> Manager:
    """Return the manager of this id that the user represents, or raise Http404."""
    return or_404(managers_for(user).get, pk=manager_id)


def conversation_for(manager: Manager, conversation_id: UUID) -> Conversation:
    """Return the manager's conversation; another's raises Http404."""
    conversation = or_404(Conversation.objects.get, pk=conversation_id, manager=manager)
    conversation.manager = manager
    return conversation


def turn_for(manager: Manager, conversation_id: UUID, turn_id: UUID) -> Turn:
    """Return a turn of the manager's conversation; another's raises Http404."""
    turn = or_404(turn_of, manager.application_id, turn_id)
    if turn.conversation_id != conversation_id or turn.conversation.manager_id != manager.pk:
        raise Http404
    return turn
