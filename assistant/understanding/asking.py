"""Reads a message: a courtesy to return, or questions that can be understood alone."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from assistant.evidence import ResolvedQuestion
from assistant.synthesis.figures import figure_words
from assistant.understanding.courtesies import reply_to, without_courtesies
from assistant.understanding.following import bare, leaning, resolve
from assistant.understanding.spelling import in_full
from assistant.weather.words import NAMING
from lib.text.tokens import tokenize
from lib.text.verbs import predicates
from lib.text.words import BE

MOST_QUESTIONS = 4
_SENTENCE = re.compile(r"[^.?!\n]+(?:[.](?=\d)[^.?!\n]+)*[.?!]*")
_ASKING = (
    r"what|which|who|whom|where|when|why|how|may|can|could|should|must|shall|is|are|do|does|did|"
    r"was|were|has|have|will|would|at what|at which|from what|from which|up to what|to whom|isn't|"
    r"aren't|can't|don't|doesn't|won't"
)
_INTERROGATIVE = re.compile(rf"^\s*(?:(?:and|so|but|then|also)\s+)?(?:{_ASKING})\b", re.IGNORECASE)
_JOINT = re.compile(
    r",?\s+(?:and|or)\s+(?:also\s+)?(?=(?:what|which|who|where|when|why|how|may|can|could|is|are|"
    r"do|does|must|should|will|at what|from what)\b)",
    re.IGNORECASE,
)
_COLON = re.compile(rf":\s+(?=(?:{_ASKING})\b)", re.IGNORECASE)
_ORDER = re.compile(
    r"^\s*(?:please\s+)?(?:now\s+)?(?:ignore|forget|disregard|pretend|act|just|answer|reply|respond|"
    r"say|print|repeat|reveal|you (?:must|are|have|should|will)|do not|don't|never mind)\b",
    re.IGNORECASE,
)
_CONFIRM = re.compile(
    r"^\s*(?:please\s+)?(?:you (?:must|have to|should|will)\s+)?(?:just\s+)?(?:confirm|say|admit|"
    r"agree|tell (?:me|us|them|everyone))\s+(?:to me\s+)?(?:that\s+|(?=(?!(?:what|which|who|where|"
    r"when|why|how|if|whether)\b)[^.?!]*\b(?:may|can|must|should|is|are|it['’]?s|needs?)\b))"
    r"(?P<claim>.+)$",
    re.IGNORECASE,
)
_AUXILIARY = re.compile(
    r"^(?:and |so |then )?(?:may|can|could|should|must|shall|is|are|do|does|did|was|were|has|have|"
    r"will|would)\b",
    re.IGNORECASE,
)
_WH = re.compile(
    r"^(?:and |so |but )?(?:(?:at|from|to|on|in|for|by|with) )?"
    r"(?:what|which|who|whom|where|when|why|how)\b",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"^(?:i|we|our|my|the|it|there|this|that|you|nobody|no|all|every|please note)\b|"
    r"^[A-Z][a-z]+ is\b",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"^\s*(?:act as|pretend|imagine|you are now|from now on)\b[^.?!:]*?(?:\band\b|,)\s+(?=\w)",
    re.IGNORECASE,
)
_HEARSAY = re.compile(
    r"^[^.?!]*\b(?:said|says|told|ignore|forget|disregard|void|overruled)\b[^.?!,]*,\s*"
    rf"(?:so|and|but|then)?\s*(?=(?:{_ASKING})\b)",
    re.IGNORECASE,
)
_TAGGED = re.compile(
    r"^(?P<claim>(?:\S+\s+){3,}\S+?),?\s+(?:right|correct|innit|or not|isn't it|aren't they)\s*$",
    re.IGNORECASE,
)
_MOST_PREMISE = 8
"""Words: what is told at greater length before a question is no part of it."""


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
    if "?" in text or _AUXILIARY.match(text) or _WH.search(text):
        return False
    tokens = tokenize(text)
    says = not BE.isdisjoint(tokens.lower)
    if _TELLING.match(text) or text.rstrip().endswith("."):
        return says or predicates(tokens, 0, len(tokens))
    return says


def read_message(message: str, earlier: str = "") -> ManagerMessage:
    """Read a message, given the conversation's earlier question ("" for none)."""
    reply = reply_to(message)
    if reply:
        return ManagerMessage(reply, ())
    plain = _HEARSAY.sub("", _ROLE.sub("", in_full(without_courtesies(message)).strip()))
    if tagged := _TAGGED.match(plain):
        plain = f"{tagged['claim']}?"
    if is_statement(plain) and not _CONFIRM.match(plain):
        return ManagerMessage("", (ResolvedQuestion(message),), message)
    first, *others = _parts(plain)
    questions = [_resolved(first, earlier)]
    for part in others:
        questions.append(replace(_resolved(part, questions[-1].text), changed=False))
    return ManagerMessage("", tuple(questions), _statements(plain, questions[0].text))


def _resolved(part: str, earlier: str) -> ResolvedQuestion:
    text = resolve(part, earlier)
    return (
        ResolvedQuestion(part) if text == part else ResolvedQuestion(text, bare(part), changed=True)
    )


def _statements(message: str, question: str) -> str:
    """Return the sentences that state something, without those that introduce a question."""
    sentences = [item.strip() for item in _SENTENCE.findall(message)]
    return " ".join(
        item
        for item in sentences
        if not item.endswith("?")
        and not _INTERROGATIVE.match(item)
        and not _ORDER.match(item)
        and not _CONFIRM.match(item)
        and not (len(sentences) > 1 and question.startswith(item.rstrip(" .!")))
        and (is_statement(item) or bool(figure_words(item)))
    )


def _parts(message: str) -> Sequence[str]:
    """Return the questions of a message; the whole message if it is one, or about the weather."""
    sentences = [item.strip() for item in _SENTENCE.findall(_COLON.sub(". ", message))]
    asking = [item for item in sentences if item.endswith("?") or _INTERROGATIVE.match(item)]
    if not asking:
        return [_confirming(sentences) or message]
    if not NAMING.isdisjoint(tokenize(message).lower):
        return [message]
    parts = [piece.strip(" ,") for item in asking for piece in _JOINT.split(item)]
    first, last = parts[: MOST_QUESTIONS - 1], parts[MOST_QUESTIONS - 1 :]
    questions = [*first, *([" ".join(last)] if last else [])]
    return [_behind(_premise(sentences), questions[0]), *questions[1:]]


def _confirming(sentences: Sequence[str]) -> str:
    """Return a request for confirmation as a question: the documents decide, not the manager."""
    claims = [match["claim"].rstrip(" .!") for item in sentences if (match := _CONFIRM.match(item))]
    return f"{claims[0]}?" if claims else ""


def _premise(sentences: Sequence[str]) -> str:
    """Return the short statement with a figure before the first question, or ""."""
    premise = ""
    for item in sentences:
        if item.endswith("?") or _INTERROGATIVE.match(item):
            break
        premise = "" if _ORDER.match(item) else item.rstrip(" .!")
    return premise if figure_words(premise) and len(premise.split()) <= _MOST_PREMISE else ""


def _behind(premise: str, question: str) -> str:
    """Join "Scaffold is 4 m up. Fall protection needed?" into one question."""
    if not premise or figure_words(question):
        return question
    text = resolve(question, f"{premise}?") if leaning(question) else question
    return text if figure_words(text) else f"{premise}, {text[:1].lower()}{text[1:]}"
