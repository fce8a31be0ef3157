"""The morning briefing: the day's weather against the handbook, for each of a manager's works.

A briefing is a conversation like any other; its questions are ours, so nothing of them is
remembered as if the manager had said it.
"""

from collections.abc import Callable

from django.db import transaction
from django.utils import timezone

from assistant import works
from assistant.models import BriefingMail, Conversation, Turn
from assistant.services.answering import answer
from assistant.services.asking import start_conversation
from assistant.services.lifecycle import accept
from assistant.services.understanding import BRIEFING
from memory.models import Manager
from memory.selectors import recall

_MOST_FACTS = 8
_UNANSWERED = "This could not be answered: every attempt failed."


def start_briefing(manager: Manager, *, email: str = "", enqueue: bool = True) -> Conversation:
    """Keep the questions of a briefing for the workers to answer; committed, none is lost.

    `email`: send the answers there once they stand. Raises inference.errors.ModelError.
    """
    facts = [item.text for item in recall(manager, works.RECALL, limit=_MOST_FACTS)]
    with transaction.atomic():
        title = f"Briefing of {timezone.localdate():%-d %B %Y}"
        conversation = start_conversation(manager, title=title)
        for question in works.questions(facts):
            accept(conversation, question, by=f"{BRIEFING}{manager.pk}", enqueue=enqueue)
        if email:
            BriefingMail.objects.create(conversation=conversation, email=email)
    return conversation


def brief(manager: Manager, *, on_turn: Callable[[Turn], None] = lambda _: None) -> Conversation:
    """A briefing, answered here and now; what fails here a worker goes on with."""
    conversation = start_briefing(manager, enqueue=False)
    for turn in conversation.turns.order_by("id"):
        on_turn(turn)
        answer(turn.pk)
    return conversation


def text_of(conversation: Conversation) -> str:
    """Questions and answers of a briefing for a terminal or an e-mail. One query."""
    turns = conversation.turns.order_by("id").values_list("question", "answer")
    parts = [f"{question}\n\n{answer or _UNANSWERED}" for question, answer in turns]
    rule = "\n\n" + "-" * 72 + "\n\n"
    return f"{conversation.title}\n\n" + rule.join(parts) + "\n"
