"""Frames that turn a whole statement round: "It is a myth that …", "Wrong: …", "…, which is false".

Only a frame that governs the statement counts: at its beginning, before its "that", or behind it.
"Formerly" in the middle of a sentence about something else says nothing of it.
"""

import re
from dataclasses import dataclass

from text.tokens import MARK, Tokens
from text.verbs import PAST, past_form
from text.words import word_set

_REACH = 60
"""Tokens that are looked at: a longer sentence says more than its frame."""
_FALSE = r"(?:false|untrue|wrong|incorrect|inaccurate|mistaken|not true|not correct|not the case)"
_MYTH = r"(?:myth|misconception|misunderstanding|fallacy|lie|rumou?r|hoax|legend|mistake|error)"
_SAYS = (
    r"(?:say|says|said|claim|claims|claimed|believe|believes|believed|think|thinks|assume|state)"
)
_IS = r"(?:is|was|'s|would be|is simply|is just|is also)"
_NOT = r"(?:not|never|n't)"
_THAT_FRAMES = re.compile(
    rf"\b(?:it {_IS}|it's) (?:a |an )?(?:\w+ )?{_MYTH} (?:to {_SAYS} )?that\b"
    rf"|\b(?:it {_IS}|it's) (?:\w+ )?{_FALSE} (?:to {_SAYS} )?that\b"
    rf"|\b(?:it isn't|it is not|it's not|it was not) (?:true|correct|right|so|accurate) that\b"
    rf"|^(?:but )?(?:nobody|no one|none of them) (?:\w+ )?{_SAYS} that\b"
    rf"|^(?:please )?(?:don't|do {_NOT}|never) {_SAYS} that\b"
    rf"|\bi (?:doubt|deny|don't {_SAYS}|do not {_SAYS}) that\b"
    rf"|\b(?:wrongly|falsely|mistakenly|incorrectly|erroneously) {_SAYS} that\b"
)
_LABELS = re.compile(
    rf"^(?:a |the |one )?(?:\w+ )?(?:{_MYTH}|{_FALSE}|fiction|{_FALSE} (?:statement|claim|answer))"
    r"s? :"
    rf"|^the following (?:\w+ )?(?:is|are) {_FALSE} :"
)
_CLOSINGS = re.compile(
    rf", which (?:is|was) (?:\w+ )?(?:{_FALSE}|an? (?:\w+ )?{_MYTH})$"
    r"|(?:,|–|—|-|\.{3}|…) not$"
    rf"|^(?:the|this) (?:claim|statement|idea|notion|belief|assertion|{_MYTH}|suggestion) that .* "
    rf"(?:is|was) (?:\w+ )?(?:{_FALSE}|an? (?:\w+ )?{_MYTH})$"
)
_PAST = re.compile(
    r"^(?:until|till|before|up to|prior to) (?:\w+ ){0,2}\d{4}\b"
    r"|^(?:formerly|previously|originally|historically|in the past|back then|in former times)\b"
)
_TIMES = word_set("was were had formerly previously originally past")
_YEAR = re.compile(r"\d{4}")


@dataclass(frozen=True, slots=True)
class Frame:
    """How a statement stands: `denied` as a whole, or true of the `past` only."""

    denied: bool = False
    past: bool = False


PLAIN = Frame()


def frame_of(tokens: Tokens, first: int, last: int) -> Frame:
    """The frame of the statement in tokens [first, last), and what follows it at once ("Not!")."""
    if last - first > _REACH:
        return PLAIN
    while first < last and tokens.kinds[first] == MARK:
        first += 1
    end = last
    while end > first and tokens.kinds[end - 1] == MARK:
        end -= 1
    said = " ".join(tokens.lower[first:end])
    denied = bool(_THAT_FRAMES.search(said) or _LABELS.match(said) or _CLOSINGS.search(said))
    return Frame(denied or _retracted(tokens, end), bool(_PAST.match(said)))


def speaks_of_now(tokens: Tokens, first: int, last: int) -> bool:
    """Whether a statement names no year and has no verb of the past."""
    return not any(
        word in _TIMES or word in PAST or past_form(word) or _YEAR.fullmatch(word)
        for word in tokens.lower[first:last]
    )


def _retracted(tokens: Tokens, end: int) -> bool:
    """Whether a sentence is followed by "Not!"."""
    at = end
    while at < len(tokens) and tokens.kinds[at] == MARK:
        at += 1
    alone = at + 1 == len(tokens) or (at + 1 < len(tokens) and tokens.words[at + 1] in ("!", "."))
    return at < len(tokens) and at > end and tokens.lower[at] == "not" and alone
