"""A sentence of a rule, read: what it forbids, requires or allows, and from which figure on."""

import math
import re
from dataclasses import dataclass
from enum import StrEnum

from lib.text.figures import figures
from lib.text.quantity import Quantity
from lib.text.tokens import tokenize


class Stance(StrEnum):
    """What a sentence does with what it speaks of."""

    FORBIDS = "forbids"
    ONLY = "only"
    REQUIRES = "requires"
    ALLOWS = "allows"
    STATES = "states"


class Side(StrEnum):
    """For which values a figure's condition holds; `AT_MOST` and `AT_LEAST` bound what is right."""

    ABOVE = "above"
    FROM = "from"
    BELOW = "below"
    UP_TO = "up to"
    AT_MOST = "at most"
    AT_LEAST = "at least"
    BETWEEN = "between"
    EXACTLY = "exactly"


@dataclass(frozen=True, slots=True)
class Limit:
    """A figure of a rule: its worth in the base unit, its words, and where its condition holds.

    `excepted`: the condition stands behind "unless" or "except".
    """

    low: float
    high: float
    unit: str
    words: str
    side: Side
    excepted: bool = False

    @property
    def value(self) -> float:
        """The one end that counts."""
        return self.low if math.isfinite(self.low) else self.high

    def holds(self, value: float) -> bool:
        """Whether the condition (or the bound) holds for a value, but for "unless"."""
        end = self.value
        if self.side is Side.BETWEEN:
            return self.low <= value <= self.high
        is_met = {
            Side.ABOVE: value > end,
            Side.FROM: value >= end,
            Side.BELOW: value < end,
            Side.UP_TO: value <= end,
            Side.AT_MOST: value <= end,
            Side.AT_LEAST: value >= end,
            Side.EXACTLY: math.isclose(value, end),
        }[self.side]
        return is_met != self.excepted

    @property
    def bounds(self) -> bool:
        """Whether it says what is right, rather than when something holds."""
        return self.side in (Side.AT_MOST, Side.AT_LEAST, Side.BETWEEN)


_FORBIDS = re.compile(
    r"\b(?:stops?|stopped|nobody|no one|never|prohibit(?:s|ed)?|forbidden|forbids?|bans?|banned|"
    r"not (?:be )?(?:allowed|permitted|acceptable|admitted)|(?:shall|must|may|can|should) not|"
    r"cannot|must never|does not apply|(?:is|are|does|do) not)\b|^(?:no|not)\b|: no\b",
    re.IGNORECASE,
)
_NOT_REQUIRED = re.compile(r"\b(?:not|no longer) (?:required|needed|necessary)\b", re.IGNORECASE)
_ONLY = re.compile(r"\bonly\b", re.IGNORECASE)
_REQUIRES = re.compile(
    r"\b(?:needs?|shall|must|required?|requires|mandatory|have to|has to|obliged)\b", re.IGNORECASE
)
_ALLOWS = re.compile(r"\b(?:may|can|allowed|permitted|acceptable|allows|permits)\b", re.IGNORECASE)
_BOUND_MAX = re.compile(
    r"\b(?:no|not|never) (?:be )?(?:more|greater|higher|longer|steeper|over|above|exceed(?:ing)?)"
    r"(?: than)?(?: an?)? $|\bat most (?:\w+ )?$|\bup to $|"
    r"\b(?:maximum|max\.?|limit)\b[^.;]{0,30}$|\bwithin $|\bnot exceed(?:ing)? (?:\w+ )?$",
    re.IGNORECASE,
)
_BOUND_MIN = re.compile(
    r"\b(?:at least|(?:no|not) (?:be )?(?:less|fewer|lower|nearer|closer)(?: than)?|"
    r"minimum\b[^.;]{0,25}) ?$",
    re.IGNORECASE,
)
_ABOVE = re.compile(
    r"\b(?:more than|over|above|exceeds?|exceeding|greater than|higher than|beyond|longer than|"
    r"deeper than) $",
    re.IGNORECASE,
)
_BELOW = re.compile(
    r"\b(?:less than|below|under|fewer than|lower than|colder than) $", re.IGNORECASE
)
_OR_MORE = re.compile(
    r"^(?:\s*\([^)]{1,20}\))?[^.;:]{0,30}?\b"
    r"(?:or (?:more|above|higher|deeper|over)|and (?:above|more)|upwards?|on,)",
    re.IGNORECASE,
)
_EXCEPTED = re.compile(r"\b(?:unless|except)\b", re.IGNORECASE)
_CONVERTED = re.compile(r"\(\s*$")
_DEGREES = re.compile(r"^\s*(?:degrees?|°)")


def stance_of(sentence: str) -> Stance:
    """What the main clause of a sentence does; what stands behind "unless" is left out."""
    main = _EXCEPTED.split(sentence)[0] or sentence
    if _NOT_REQUIRED.search(main):
        return Stance.ALLOWS
    if _ONLY.search(main) and not re.search(r"\bnot only\b", main, re.IGNORECASE):
        return Stance.ONLY
    if _forbids(main):
        return Stance.FORBIDS
    if _REQUIRES.search(main):
        return Stance.REQUIRES
    return Stance.ALLOWS if _ALLOWS.search(main) else Stance.STATES


def _forbids(main: str) -> bool:
    """Whether it forbids: "not more than" bounds, and forbids nothing."""
    for match in _FORBIDS.finditer(main):
        behind = main[match.end() :].lstrip()
        bounded = re.match(r"(?:be )?(?:more|less|greater|exceed|fewer|closer|nearer)\b", behind)
        if not bounded or match[0].lower() in ("nobody", "stops", "stop"):
            return True
    return False


def limits_in(sentence: str) -> tuple[Limit, ...]:
    """The figures of a sentence that have a dimension, conversions in brackets left out."""
    tokens = tokenize(sentence)
    limits = list[Limit]()
    for quantity in figures(tokens, 0, len(tokens)).quantities:
        start, end = tokens.starts[quantity.first], tokens.ends[quantity.last - 1]
        if _CONVERTED.search(sentence[:start]):
            continue
        limits.append(_limit(sentence, quantity, start, end))
    return tuple(limits)


def _limit(sentence: str, quantity: Quantity, start: int, end: int) -> Limit:
    unit = quantity.unit or ("degrees" if _DEGREES.match(sentence[end:]) else _unit_words(quantity))
    words = sentence[start:end]
    if not quantity.unit:
        words += (_DEGREES.match(sentence[end:]) or _unit_behind(quantity, sentence[end:]) or [""])[
            0
        ]
    before, after = sentence[:start], sentence[end:]
    return Limit(
        quantity.low, quantity.high, unit, words.strip(), _side(quantity, sentence, before, after),
        bool(_EXCEPTED.search(before)),
    )  # fmt: skip


def _unit_behind(quantity: Quantity, after: str) -> re.Match[str] | None:
    """The one word that a number counts, such as "dB"."""
    match = re.match(r"\s+(\w+)", after)
    return match if match and quantity.things == {match[1].lower()} else None


def _unit_words(quantity: Quantity) -> str:
    return "count " + " ".join(sorted(quantity.things)) if quantity.things else ""


def _side(quantity: Quantity, sentence: str, before: str, after: str) -> Side:
    if (
        math.isfinite(quantity.low)
        and math.isfinite(quantity.high)
        and quantity.low < quantity.high
    ):
        return Side.BETWEEN
    tail = before[-60:]
    if _BOUND_MAX.search(tail):
        return Side.AT_MOST
    if _BOUND_MIN.search(tail):
        return Side.AT_LEAST
    if _ABOVE.search(tail):
        return Side.ABOVE
    if _BELOW.search(tail):
        return Side.BELOW
    if _OR_MORE.search(after):
        return Side.FROM
    if re.search(r"\b(?:reach(?:es)?|from|at)\b[^.;,]{0,25}$", tail, re.IGNORECASE):
        return Side.FROM
    return Side.AT_MOST if re.search(r"\b(?:limit|maximum)\b", sentence, re.I) else Side.EXACTLY
