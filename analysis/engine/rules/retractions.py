"""Sentences that take back what an answer says: "… That is false.", "The following is wrong. …"."""

import re
from bisect import bisect_left
from dataclasses import dataclass

from analysis.engine.claims.reading import Reading, SentenceRange
from lib.text.tokens import MARK

_FALSE = (
    r"(?:false|untrue|wrong|incorrect|inaccurate|nonsense|rubbish|fake|invented|made up|outdated"
    r"|not (?:\w+ )?(?:true|correct|right|so|the case|accurate|valid)|no longer (?:true|valid)"
    r"|an? (?:\w+ )?(?:myth|misconception|lie|joke|hoax|error|mistake|fiction|invention))"
)
_ADVERBS = r"(?:(?!not\b|never\b)\w+ ){0,2}"
_IS = r"(?:is|are|was|were|'s|has been|have been)"
_ISNT = r"(?:isn't|aren't|wasn't|weren't|is n't)"
_TRUE = r"(?:true|correct|right|so|the case|accurate)"
_OPENING = (
    r"(?:(?:but|and|however|actually|in fact|of course|sorry|well|no|though|note|ps|correction"
    r"|update) )*"
)
_ABOVE = (
    r"(?:that|this|it|these|those|which|(?:all|everything|most|each|any)(?: of (?:that|this|it|the "
    r"above))?(?: above| before)?|(?:the|what is) (?:above|foregoing)|what (?:i|we|you) (?:just )?"
    r"(?:said|wrote|read)|(?:the|this|that|my) (?:\w+ )?(?:statement|claim|answer|sentence|figure|"
    r"number|information|value|text)s?(?: above| before)?)"
)
_BELOW = (
    r"(?:the following|(?:all|everything|what|anything)(?: of)?(?: the| that)? "
    r"(?:following|follows|below|comes next)|the (?:next|following) (?:\w+ )?(?:statement|claim|"
    r"answer|sentence|line|paragraph)s?|the (?:statement|claim|answer|sentence|text|list)s? below)"
)
_ALONE = (
    r"not (?:really )?(?:true|so|correct|right)|(?:just |only )?(?:kidding|joking)"
    r"|i (?:am|was|'m) (?:just |only )?(?:kidding|joking|lying)|i'm (?:just |only )?(?:kidding|"
    r"joking|lying)|april fools?|(?:the|quite the) (?:opposite|contrary|reverse)(?: (?:is|holds)"
    r"(?: \w+){0,2})?|on the contrary|wrong|false|nonsense|untrue|incorrect"
    r"|(?:scratch|strike|forget) that|never mind|on second thoughts?(?: no)?|or is it|or not"
    r"|or maybe not|i (?:made|am making) (?:that|this|it) up|i take (?:that|it) back"
    r"|psych|as if|yeah right|in your dreams|you wish|s|sarcasm|lol no|(?:that's|it's|this is) "
    r"(?:a lie|not true|false|wrong|a joke|untrue|incorrect|nonsense)"
    r"|(?:please )?(?:ignore|disregard|forget|do not believe|don't believe|do not trust) "
    rf"{_ABOVE}"
)
_BACK = re.compile(
    rf"^{_OPENING}(?:{_ABOVE} {_IS} {_ADVERBS}{_FALSE}|{_ABOVE} {_ISNT} (?:\w+ )?{_TRUE}"
    rf"|none of (?:this|that|it|these|the above) {_IS} (?:\w+ )?{_TRUE}|{_ALONE})$"
)
_AHEAD = re.compile(
    rf"^{_OPENING}(?:{_BELOW} {_IS} {_ADVERBS}{_FALSE}|{_BELOW} {_ISNT} (?:\w+ )?{_TRUE}"
    rf"|none of (?:the following|what follows) {_IS} (?:\w+ )?{_TRUE})$"
)
_ALL = re.compile(
    r"\b(?:all|everything|none|above|foregoing|following|follows|below|text|answer)\b"
)
_REPORTED = re.compile(
    r"\b(?:some|many|most|people|often|sometimes|commonly|myth|misconception|rumou?r|belief|"
    r"believed?|believes|thinks?|thought|claims?|claimed|said|says|supposed|allegedly)\b"
)
_LONGEST = 14
_MOST = 50
"""Sentences that take something back; an answer with more of them is not allowed anyway."""


@dataclass(frozen=True, slots=True)
class Retraction:
    """A statement (index) that an answer takes back, and the sentence that does."""

    statement: int
    sentence: str


def retractions(reading: Reading) -> list[Retraction]:
    """What the answer takes back; a statement that only reports what others say is left out."""
    withdrawals, taking_back = list[Retraction](), 0
    for at, line in enumerate(reading.lines):
        words = _words(reading, line)
        back, ahead = _BACK.match(words), _AHEAD.match(words)
        if not (back or ahead):
            continue
        whole = bool(_ALL.search(words))
        sentence = reading.text[
            reading.tokens.starts[line.first] : reading.tokens.ends[line.last - 1]
        ]
        targets = _target_statements(reading, at, bool(ahead), whole)
        withdrawals += [Retraction(index, sentence) for index in targets]
        taking_back += bool(targets)
        if taking_back == _MOST:
            break
    return withdrawals


def _target_statements(reading: Reading, line: int, ahead: bool, whole: bool) -> list[int]:
    """The statements before or behind a line: all of them, or those of the nearest sentence."""
    statements = reading.statements
    border = bisect_left(statements, line + ahead, key=lambda statement: statement.sentence)
    candidates = range(border, len(statements)) if ahead else range(border)
    if candidates and not whole:
        nearest = statements[candidates[0 if ahead else -1]].sentence
        near = reading.of_line(nearest)
        candidates = candidates[: len(near)] if ahead else candidates[-len(near) :]
    return [index for index in candidates if not _reports(reading, index)]


def _reports(reading: Reading, statement: int) -> bool:
    return bool(_REPORTED.search(reading.statements[statement].claim.text.lower()))


def _words(reading: Reading, line: SentenceRange) -> str:
    """The words of a short line, marks left out; "" for a long one."""
    tokens = reading.tokens
    kinds = zip(
        tokens.lower[line.first : line.last], tokens.kinds[line.first : line.last], strict=True
    )
    words = [word for word, kind in kinds if kind != MARK]
    return " ".join(words) if len(words) <= _LONGEST else ""
