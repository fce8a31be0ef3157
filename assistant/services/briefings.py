"""The morning briefing: the day's weather compared with the handbook, for each work.

A briefing is a conversation like any other, but nothing of its questions is remembered, since the
manager did not write them.
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
    """Store the questions of a briefing for the workers; once committed, none is lost.

    `email`: send the answers there when complete. Raises inference.errors.ModelError.
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
    """Write a briefing at once; a worker continues whatever fails here."""
    conversation = start_briefing(manager, enqueue=False)
    for turn in conversation.turns.order_by("id"):
        on_turn(turn)
        answer(turn.pk)
    return conversation


def text_of(conversation: Conversation) -> str:
    """Return a briefing's questions and answers for a terminal or an e-mail. One query."""
    turns = conversation.turns.order_by("id").values_list("question", "answer")
    parts = [f"{question}\n\n{answer or _UNANSWERED}" for question, answer in turns]
    rule = "\n\n" + "-" * 72 + "\n\n"
    return f"{conversation.title}\n\n" + rule.join(parts) + "\n"
