"""Reads a message as questions, using the conversation so far and the passages found."""

from collections.abc import Sequence
from dataclasses import replace

from assistant.evidence import EvidenceBundle, ResolvedQuestion
from assistant.models import Turn
from assistant.services.writing import endpoints
from assistant.understanding.asking import ManagerMessage, is_statement, read_message
from assistant.understanding.courtesies import GERMAN, is_german, reply_in
from assistant.understanding.spelling import corrected, words_of
from documents.embedding import embedder
from inference.errors import ModelError
from inference.language import other_language

BRIEFING = "briefing:"
"""Prefix of `asked_by` where the question was generated and is not in the manager's words."""
_MOST_BACK = 3
"""Turns: a question does not lean on what was asked longer ago."""
_SPECIAL_TOKENS = 2


def message_of(turn: Turn) -> ManagerMessage:
    """Return the message of a turn; one query."""
    if turn.asked_by.startswith(BRIEFING):
        return ManagerMessage("", (ResolvedQuestion(turn.question),))
    if reply := _not_understood(turn.question):
        return ManagerMessage(reply, ())
    return read_message(turn.question, _earlier_question(turn))


def _not_understood(message: str) -> str:
    """Return the reply to a message in another language, or "" if it can be read.

    A configured language model reads other languages too, and its answer is checked.
    """
    if endpoints():
        return ""
    return reply_in(GERMAN if is_german(message) else other_language(message))


def _earlier_question(turn: Turn) -> str:
    """Return the conversation's last question before this turn, as understood, or ""."""
    earlier = Turn.objects.filter(conversation_id=turn.conversation_id, pk__lt=turn.pk)
    rows = earlier.order_by("-pk").values_list("question", "evidence__contents__questions")
    for question, resolved in rows[:_MOST_BACK]:
        text = resolved[-1]["text"] if resolved else question
        if not is_statement(text) and (resolved or not read_message(question).reply):
            return str(text)
    return ""


def spelt(
    questions: Sequence[ResolvedQuestion], bundle: EvidenceBundle
) -> tuple[ResolvedQuestion, ...]:
    """Return the questions with typing errors corrected by the words of the evidence."""
    items = [*bundle.usable, *bundle.remembered]
    headings = [str(item.place.get("heading", "")) for item in items]
    vocabulary = words_of([*(item.text for item in items), *headings])
    if not vocabulary:
        return tuple(questions)
    texts = [corrected(item.text, vocabulary, _is_word) for item in questions]
    return tuple(
        replace(item, text=text, changed=item.changed or text != item.text)
        for item, text in zip(questions, texts, strict=True)
    )


def _is_word(word: str) -> bool:
    """Return whether the embedding model's vocabulary has the word; True without the model."""
    try:
        return embedder().count_tokens([word])[0] <= 1 + _SPECIAL_TOKENS
    except ModelError:
        return True
