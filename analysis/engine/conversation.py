"""Extracts the answer and its question from a conversation: the assistant's last turn.

Only users' turns make up the question. The assistant's earlier words were not checked here, and
must not pass as something that the user asked about.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from lib.text.sentences import sentences
from lib.text.tokens import WORD, Tokens, tokenize
from lib.text.verbs import BASE, finite_form, predicates
from lib.text.words import CONJUNCTIONS, DETERMINERS, PREPOSITIONS, word_set

_REFERRING = word_set(
    "it its he she him her his hers they them their theirs this that these those one ones both such"
)
_OPENING = CONJUNCTIONS | PREPOSITIONS | word_set("also same what how")
_DETERMINING = word_set("this that these those both such one")
_ABOUT = word_set("about else")
_FEW = 1
"""A question of at most so many content words refers to something named before."""


class Role(StrEnum):
    """The author of a message."""

    SYSTEM = "system"
    DEVELOPER = "developer"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class LastAnswer:
    """A conversation's last answer and its question, with their turn indices."""

    answer: str
    at: int
    question: str
    asked_at: int | None


def turns_of(messages: Sequence[dict[str, Any]]) -> tuple[Turn, ...]:
    """Return the turns of validated messages.

    What the assistant passes to tools counts as stated: the arguments follow its words.
    """
    return tuple(Turn(Role(message["role"]), _text_of(message)) for message in messages)


def tool_results(turns: Sequence[Turn]) -> list[str]:
    """Return what tools returned, each as a source; JSON is read as a record all the same."""
    return [turn.content for turn in turns if turn.role is Role.TOOL and turn.content.strip()]


def _text_of(message: dict[str, Any]) -> str:
    calls = message.get("tool_calls") or ()
    arguments = [call["function"]["arguments"] for call in calls]
    return "\n\n".join(filter(str.strip, (message["content"], *arguments)))


def last_answer(turns: Sequence[Turn], most: int) -> LastAnswer | None:
    """Return the last answer with its question of at most `most` characters, or None.

    A question that depends on earlier ones ("And for children?") follows those, oldest first.
    """
    at = max((n for n, turn in enumerate(turns) if turn.role is Role.ASSISTANT), default=None)
    if at is None:
        return None
    users = [
        (n, turn.content.strip())
        for n, turn in enumerate(turns[:at])
        if turn.role is Role.USER and turn.content.strip()
    ]
    asked_at = users[-1][0] if users else None
    return LastAnswer(turns[at].content, at, _question([text for _, text in users], most), asked_at)


def _question(users: Sequence[str], most: int) -> str:
    """Return the last question after the earlier ones it depends on, as far as they fit."""
    turns: list[str] = []
    for text in reversed(users):
        if turns and sum(map(len, turns)) + len(turns) + len(text) > most:
            break
        turns.insert(0, text)
        if not leans(text):
            break
    return " ".join(turns)


def leans(question: str) -> bool:
    """Return whether a question names its subject by a pronoun, or omits it."""
    tokens = tokenize(question)
    content = sum(bool(term) for term in tokens.terms)
    if content <= _FEW or _is_continuation(tokens):
        return True
    return any(_refers_back(tokenize(question[s.start : s.end])) for s in sentences(question)[:1])


def _is_continuation(tokens: Tokens) -> bool:
    """Return whether a question continues another: "And for children?", "In winter?"."""
    first, second = (*tokens.lower[:2], "", "")[:2]
    if first in CONJUNCTIONS - word_set("when if while") or second in _ABOUT:
        return first in _OPENING
    return first in PREPOSITIONS and not predicates(tokens, 0, len(tokens))


def _refers_back(tokens: Tokens) -> bool:
    """Return whether a pronoun comes before anything that it could refer to."""
    for at, word in enumerate(tokens.lower):
        if word in _REFERRING and not _determines(tokens, at):
            return True
        if _names(tokens, at):
            return False
    return False


def _determines(tokens: Tokens, at: int) -> bool:
    """Return whether a pronoun belongs to a noun ("This museum"), so that it refers to nothing."""
    following = at + 1 < len(tokens) and bool(tokens.terms[at + 1])
    return (
        tokens.lower[at] in _DETERMINING and following and not _is_verb_form(tokens.lower[at + 1])
    )


def _names(tokens: Tokens, at: int) -> bool:
    """Return whether a token is a content word and no verb, which it never is after an article."""
    if tokens.kinds[at] != WORD or not tokens.terms[at]:
        return False
    before = tokens.lower[at - 1] if at else ""
    if before in DETERMINERS:
        return True
    return before != "how" and not _is_verb_form(tokens.lower[at])


def _is_verb_form(word: str) -> bool:
    return word in BASE or finite_form(word)
