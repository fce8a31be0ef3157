"""Bounds of figures: at least, more than, at most, less than, before, after."""

from enum import StrEnum
from itertools import product

from msgspec import Struct

from lib.text.tokens import MARK, NUMBER, Tokens
from lib.text.units import SMALL
from lib.text.words import word_set


class Bound(StrEnum):
    """The side of its value on which an amount, a date or a time lies."""

    NONE = ""
    LEAST = "at least"
    OVER = "more than"
    MOST = "at most"
    UNDER = "less than"

    @property
    def is_lower(self) -> bool:
        """True if the figure is at or above the value."""
        return self in _LOWER

    @property
    def is_upper(self) -> bool:
        """True if the figure is at or below the value."""
        return self in _UPPER


class BoundAt(Struct, frozen=True, gc=False):
    """The bound of a figure, and the tokens [first, last) of both."""

    bound: Bound
    first: int
    last: int
    turned: bool = False
    """True if a denial turned it: "must not be stored for longer than 72 hours"."""
    lead: str = ""
    """The words between the two, "be stored for"; "those" for "nobody"."""


_LOWER, _UPPER = (Bound.LEAST, Bound.OVER), (Bound.MOST, Bound.UNDER)
_TURNED = {
    Bound.OVER: Bound.MOST, Bound.UNDER: Bound.LEAST, Bound.LEAST: Bound.UNDER,
    Bound.MOST: Bound.OVER,
}  # fmt: skip
_HIGHER = (
    "more greater longer higher larger older later warmer hotter heavier wider taller deeper "
    "faster thicker"
)
_LESSER = (
    "less fewer lower shorter younger smaller sooner earlier colder cooler lighter cheaper thinner "
    "narrower slower"
)


def _phrases(*parts: str) -> str:
    """Return each choice of one word from every part: "no more than; no longer than"."""
    return "; ".join(map(" ".join, product(*map(str.split, parts))))


_BEFORE = {
    Bound.LEAST: "at least; minimum; minimum of; a minimum of; minimum is; min; min .; ≥; > =; "
    "as little as; not below; not under; " + _phrases("no not", _LESSER, "than"),
    Bound.OVER: "over; above; exceeding; exceeds; exceed; exceeded; upwards of; in excess of; "
    "beyond; not only; >; " + _phrases(_HIGHER, "than"),
    Bound.MOST: "at most; up to; maximum; maximum of; maximum is; max; max .; limited to; within; "
    "not exceed; not exceeding; never exceed; not exceeds; not to exceed; not over; not above; "
    "not be above; not be over; never over; never above; as much as; as many as; "
    f"capped at; ≤; < =; {_phrases('no not never', _HIGHER, 'than')}; "
    + _phrases("not", "be", _HIGHER, "than"),
    Bound.UNDER: "under; below; <; " + _phrases(_LESSER, "than"),
}
_MORE = "more over above longer older higher greater later up upwards"
_LESS = "less fewer under below younger shorter lower earlier sooner"
_AFTER = {
    Bound.LEAST: "minimum; +; at least; at minimum; onwards; " + _phrases("or and", _MORE),
    Bound.MOST: "maximum; max; at most; at maximum; " + _phrases("or and", _LESS),
}
_LONGEST = 4
_YEARS_OLD = ["years", "old"]
_AHEAD = frozenset({"before", "ahead", "prior"})


def _table(phrases: dict[Bound, str]) -> dict[tuple[str, ...], Bound]:
    return {
        tuple(phrase.split()): bound
        for bound, line in phrases.items()
        for phrase in line.split("; ")
    }


_BEFORE_TABLE, _AFTER_TABLE = _table(_BEFORE), _table(_AFTER)
_LAST_BEFORE = frozenset(phrase[-1] for phrase in _BEFORE_TABLE)
_FIRST_AFTER = frozenset(phrase[0] for phrase in _AFTER_TABLE)
_SKIPPED = word_set("a an the than old of age just about only by")
_COPULAS = word_set("is are be was were of at : shall must may can should set to")
_JUST_BEFORE = _LAST_BEFORE | _SKIPPED | _COPULAS
"""A bound stands before a figure only where one of these does."""
_LIMITS = {
    **dict.fromkeys(("maximum", "max", "ceiling"), Bound.MOST),
    **dict.fromkeys(("minimum", "min"), Bound.LEAST),
}
"""Nouns and adjectives that take a value by a copula: "the maximum twist shall be 1.5 %"."""
_LIMIT_REACH = 8
_DENYING = word_set("not never cannot can't mustn't")
_PASSED = word_set(
    "anyone anybody be been being for at to by in it a the held kept used left are is was stay"
)
_REACH = 6
_PEOPLE = word_set("one person persons people child children visitor visitors")
_CARRIED_ON = word_set("or nor and")
_REFUSING = word_set("forbidden prohibited refused rejected banned disallowed declined illegal")
_GRANTING = word_set("allowed permitted accepted admitted possible")
_REFUSED_REACH = 8


def bound_at(
    tokens: Tokens, first: int, start: int, end: int, last: int, before: BoundAt | None = None
) -> BoundAt:
    """Return the bound of the figure at tokens [start, end); `before` is the previous figure's."""
    for skipped in (0, 1) if start > first and tokens.lower[start - 1] in _JUST_BEFORE else ():
        edge = start - skipped
        if edge <= first or (skipped and not _is_skipped(tokens, edge)):
            break
        if tokens.lower[edge - 1] not in _LAST_BEFORE:
            continue
        for length in range(min(_LONGEST, edge - first), 0, -1):
            bound = _BEFORE_TABLE.get(tuple(tokens.lower[edge - length : edge]))
            if bound and not _is_arrow(tokens, edge - length):
                return _turned(tokens, first, edge - length, end, last, bound, before)
    after = end + (tokens.lower[end : end + 2] == _YEARS_OLD)
    if after < last and tokens.lower[after] in _FIRST_AFTER:
        for length in (2, 1):
            bound = _AFTER_TABLE.get(tuple(tokens.lower[after : min(after + length, last)]))
            if bound and not _is_of_next(tokens, after, after + length, last):
                return BoundAt(bound, start, after + length)
    return BoundAt(_told_limit(tokens, first, start), start, end)


def _turned(
    tokens: Tokens, first: int, at: int, end: int, last: int, bound: Bound, before: BoundAt | None
) -> BoundAt:
    """Return the bound at a token, inverted if it is negated or what it bounds is refused."""
    if tokens.lower[at : at + 3] == ["no", "later", "than"] and end < len(tokens):
        # "No later than 10 days before" is at least 10 days before.
        bound = Bound.LEAST if tokens.lower[end] in _AHEAD else bound
    carried = before and before.turned and at == before.last + 1
    if carried and tokens.lower[at - 1] in _CARRIED_ON:
        return BoundAt(_TURNED[bound], at, end, turned=True)
    if bound not in (Bound.OVER, Bound.UNDER):
        return BoundAt(bound, at, end)
    words = tokens.lower
    subject = at - 1 - (at - 1 > first and words[at - 1] in _PEOPLE)
    who = words[subject] if subject >= first else ""
    nobody = who in ("nobody", "none") or (who == "no" and words[at - 1] in _PEOPLE)
    if nobody and bound is Bound.UNDER:
        return BoundAt(_TURNED[bound], subject, end, turned=True, lead="those")
    for place in range(at - 1, max(first, at - _REACH) - 1, -1):
        word = words[place]
        if word in _DENYING:
            lead = " ".join(tokens.words[place + 1 : at])
            return BoundAt(_TURNED[bound], place, end, turned=True, lead=lead)
        if word not in _PASSED and not word.endswith(("ed", "en", "pt")):
            break
    if _is_refused(tokens, end, last):
        return BoundAt(_TURNED[bound], at, end, turned=True)
    return BoundAt(bound, at, end)


def _is_refused(tokens: Tokens, end: int, last: int) -> bool:
    """Return whether the clause refuses what it names: "files larger than 50 MB are rejected"."""
    for place in range(end, min(end + _REFUSED_REACH, last)):
        word = tokens.lower[place]
        if tokens.kinds[place] == MARK or word in _CARRIED_ON:
            return False
        if word in _REFUSING or (word in _GRANTING and tokens.lower[place - 1] == "not"):
            return True
    return False


def _told_limit(tokens: Tokens, first: int, start: int) -> Bound:
    """Return the bound set by a noun before a copula: "the maximum twist shall be" 1.5 %."""
    at = start - 1
    while at >= first and tokens.lower[at] in _COPULAS:
        at -= 1
    if at == start - 1:
        return Bound.NONE
    for place in range(at, max(first, at - _LIMIT_REACH) - 1, -1):
        if tokens.kinds[place] in (MARK, NUMBER):
            break
        if tokens.lower[place] in _LIMITS:
            return _LIMITS[tokens.lower[place]]
    return Bound.NONE


def _is_arrow(tokens: Tokens, at: int) -> bool:
    """Return whether a ">" is the head of an arrow: "-> 500 m"."""
    return tokens.words[at] == ">" and at > 0 and tokens.words[at - 1] in ("-", "=", "--")


def _is_of_next(tokens: Tokens, at: int, end: int, last: int) -> bool:
    """Return whether the bound at tokens [at, end) is of the figure after it.

    "17.90 + 15.00", "5 ml at most 3 times" beside "14+", "100 km+".
    """
    if tokens.words[at] == "+" and tokens.starts[at] > tokens.ends[at - 1]:
        return True
    return end < last and (tokens.kinds[end] == NUMBER or tokens.lower[end] in SMALL)


def _is_skipped(tokens: Tokens, at: int) -> bool:
    """Return whether a word may separate a bound from its figure: "at most at 10 feet"."""
    word = tokens.lower[at]
    bound_before = at > 0 and tokens.lower[at - 1] in ("most", "least")
    return word in _SKIPPED or word == ":" or (word == "at" and bound_before)
