"""Reads a message: a courtesy to return, or questions that can be understood alone."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from assistant.evidence import ResolvedQuestion
from assistant.synthesis.figures import figure_words
from assistant.understanding.courtesies import reply_to
from assistant.understanding.following import resolve
from assistant.understanding.spelling import in_full
from assistant.weather.words import NAMING
from lib.text.tokens import tokenize
from lib.text.verbs import predicates
from lib.text.words import BE

MOST_QUESTIONS = 4
_SENTENCE = re.compile(r"[^.?!\n]+(?:[.](?=\d)[^.?!\n]+)*[.?!]*")
_ASKING = (
    r"what|which|who|whom|where|when|why|how|may|can|could|should|must|shall|is|are|do|does|did|"
    r"was|were|has|have|will|would|isn't|aren't|can't|don't|doesn't|won't"
)
_INTERROGATIVE = re.compile(
    r"^\s*(?:(?:and|so|but|then|also)\s+)?(?:(?:at|from|to|up to|on|in|for|by|with)\s+(?=wh|how))?"
    rf"(?:{_ASKING})\b",
    re.IGNORECASE,
)
_JOINT = re.compile(
    r",?\s+(?:and|or)\s+(?:also\s+)?(?=(?:what|which|who|where|when|why|how|may|can|could|is|are|"
    r"do|does|must|should|will|at what|from what)\b)",
    re.IGNORECASE,
)
_LEADING = re.compile(rf"(?::|,\s+so)\s+(?=(?:{_ASKING})\b)", re.IGNORECASE)
_ORDER = re.compile(
    r"^\s*(?:please\s+)?(?:now\s+)?(?:just\s+)?(?:ignore|forget|disregard|pretend|imagine|act|answer|"
    r"reply|respond|say|tell|confirm|admit|agree|print|repeat|reveal|you (?:must|are|have|should|"
    r"will)|do not|don't|never mind)\b",
    re.IGNORECASE,
)
"""Orders to an assistant are no facts to remember: the documents decide, not the manager."""
_TELLING = re.compile(
    r"^(?:(?:hi|hello|hey)\W+)?(?:i|we|our|my|the|it|there|this|that|you|nobody|no|all|every|"
    r"please note)\b|^[A-Z][a-z]+ is\b",
    re.IGNORECASE,
)
_TAG = re.compile(r"\b(?:right|correct|or not)\s*$", re.IGNORECASE)
_MOST_PREMISE = 8
"""Words: a longer statement before a question is not part of it."""


@dataclass(frozen=True, slots=True)
class ManagerMessage:
    """A message as read. `reply` answers a courtesy, "" if something is asked or stated.

    `statements`: the parts that ask nothing.
    """

    reply: str
    questions: tuple[ResolvedQuestion, ...]
    statements: str = ""


def is_statement(text: str) -> bool:
    """Return whether a message states something and asks nothing."""
    if "?" in text or any(mark.search(text) for mark in (_INTERROGATIVE, _ORDER, _TAG)):
        return False
    tokens = tokenize(text)
    opens = _TELLING.match(text) or text.rstrip().endswith(".")
    return bool(opens) and (not BE.isdisjoint(tokens.lower) or predicates(tokens, 0, len(tokens)))


def read_message(message: str, earlier: str = "") -> ManagerMessage:
    """Read a message, given the conversation's earlier question ("" for none)."""
    if reply := reply_to(message):
        return ManagerMessage(reply, ())
    plain = in_full(message).strip()
    if is_statement(plain):
        return ManagerMessage("", (ResolvedQuestion(message),), message)
    first, *others = _parts(plain)
    questions = [_resolved(first, earlier)]
    for part in others:
        questions.append(replace(_resolved(part, questions[-1].text), changed=False))
    return ManagerMessage("", tuple(questions), _statements(plain, questions[0].text))


def _resolved(part: str, earlier: str) -> ResolvedQuestion:
    text = resolve(part, earlier)
    return ResolvedQuestion(text, changed=text != part)


def _statements(message: str, question: str) -> str:
    """Return the sentences that state something, without those that introduce a question."""
    sentences = [item.strip() for item in _SENTENCE.findall(message)]
    return " ".join(
        item
        for item in sentences
        if not _asks(item)
        and not _ORDER.match(item)
        and not _TAG.search(item)
        and not (len(sentences) > 1 and question.startswith(item.rstrip(" .!")))
        and (is_statement(item) or bool(figure_words(item)))
    )


def _asks(sentence: str) -> bool:
    return sentence.endswith("?") or _INTERROGATIVE.match(sentence) is not None


def _parts(message: str) -> Sequence[str]:
    """Return the questions of a message; the whole message if it is one, or about the weather.

    A short statement with a figure before the first is part of it: "Scaffold is 4 m up. Fall
    protection needed?".
    """
    sentences = [item.strip() for item in _SENTENCE.findall(_LEADING.sub(". ", message))]
    asking = list(filter(_asks, sentences))
    if not asking or not NAMING.isdisjoint(tokenize(message).lower):
        return [message]
    parts = [piece.strip(" ,") for item in asking for piece in _JOINT.split(item)]
    first, last = parts[: MOST_QUESTIONS - 1], parts[MOST_QUESTIONS - 1 :]
    questions = [*first, *([" ".join(last)] if last else [])]
    before = sentences[: sentences.index(asking[0])][-1:]
    premise = "".join(item.rstrip(" .!") for item in before if not _ORDER.match(item))
    if figure_words(premise) and len(premise.split()) <= _MOST_PREMISE:
        questions[0] = f"{premise}, {questions[0]}"
    return questions
