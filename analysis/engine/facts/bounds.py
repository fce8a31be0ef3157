"""Bounds on a figure: at least, more than, at most, less than, before it or after it."""

from enum import StrEnum

from lib.text.tokens import Tokens


class Bound(StrEnum):
    """On which side of its value an amount lies."""

    NONE = ""
    LEAST = "at least"
    OVER = "more than"
    MOST = "at most"
    UNDER = "less than"

    @property
    def is_lower(self) -> bool:
        """Whether the amount lies at or above the value."""
        return self in _LOWER

    @property
    def is_upper(self) -> bool:
        """Whether the amount lies at or below the value."""
        return self in _UPPER


_NONE = Bound.NONE
_LOWER, _UPPER = (Bound.LEAST, Bound.OVER), (Bound.MOST, Bound.UNDER)
_BEFORE = {
    Bound.LEAST: "at least; no less than; not less than; no fewer than; not fewer than; minimum; "
    "minimum of; minimum is; a minimum of; min; no sooner than; no shorter than; not below; "
    "not under; as little as; ≥; > =",
    Bound.OVER: "more than; over; above; greater than; longer than; higher than; larger than; "
    "exceeding; exceeds; exceed; exceeded; upwards of; in excess of; older than; beyond; "
    "not only; warmer than; hotter than; heavier than; wider than; taller than; deeper than; "
    "faster than; thicker than; >",
    Bound.MOST: "at most; up to; no more than; not more than; not be higher than; "
    "not be greater than; not be longer than; not be above; not be over; not higher than; "
    "maximum; maximum of; maximum is; max; limited to; within; no longer than; not longer than; "
    "no later than; "
    "not exceed; not exceeding; never exceed; not exceeds; not to exceed; not be more than; "
    "not over; not above; never more than; as much as; as many as; not be exceeded; "
    "capped at; ≤; < =",
    Bound.UNDER: "less than; fewer than; under; below; lower than; shorter than; younger than; "
    "smaller than; colder than; cooler than; lighter than; cheaper than; thinner than; "
    "narrower than; slower than; <",
}
_AFTER = {
    Bound.LEAST: "or more; or over; or above; or longer; or older; or higher; or greater; "
    "and over; and above; and older; and up; and more; minimum; +; at least; at minimum",
    Bound.MOST: "or less; or fewer; or under; or below; or younger; or shorter; or lower; "
    "and under; and younger; and below; maximum; max; at most; at maximum; or sooner",
}
_LONGEST = 4
_YEARS_OLD = ["years", "old"]
_LATEST, _AHEAD = Bound.LEAST, frozenset({"before", "ahead", "prior"})


def _table(phrases: dict[Bound, str]) -> dict[tuple[str, ...], Bound]:
    return {
        tuple(phrase.split()): bound
        for bound, line in phrases.items()
        for phrase in line.split("; ")
    }


_BEFORE_TABLE, _AFTER_TABLE = _table(_BEFORE), _table(_AFTER)
_LAST_BEFORE = frozenset(phrase[-1] for phrase in _BEFORE_TABLE)
_FIRST_AFTER = frozenset(phrase[0] for phrase in _AFTER_TABLE)
_SKIPPED = frozenset({"a", "an", "the", "than", "old", "of", "age", "just", "about", "only", "by"})
_JUST_BEFORE = _LAST_BEFORE | _SKIPPED | {":", "at"}
"""A bound stands before a figure only where one of these does."""


def bound_at(tokens: Tokens, first: int, start: int, end: int, last: int) -> tuple[Bound, int, int]:
    """The bound of the figure at tokens [start, end), and the tokens it then takes up."""
    for skipped in (0, 1) if start and tokens.lower[start - 1] in _JUST_BEFORE else ():
        edge = start - skipped
        if edge <= first or (skipped and not _is_skipped(tokens, edge)):
            break
        if tokens.lower[edge - 1] not in _LAST_BEFORE:
            continue
        for length in range(min(_LONGEST, edge - first), 0, -1):
            phrase_bound = _BEFORE_TABLE.get(tuple(tokens.lower[edge - length : edge]))
            if phrase_bound and not _is_arrow(tokens, edge - length):
                bound = _LATEST if _is_ahead(tokens, edge - length, end) else phrase_bound
                return bound, edge - length, end
    after = end + (tokens.lower[end : end + 2] == _YEARS_OLD)
    if after >= last or tokens.lower[after] not in _FIRST_AFTER:
        return _NONE, start, end
    for length in (2, 1):
        phrase_bound = _AFTER_TABLE.get(tuple(tokens.lower[after : min(after + length, last)]))
        if phrase_bound:
            return phrase_bound, start, after + length
    return _NONE, start, end


def _is_ahead(tokens: Tokens, at: int, end: int) -> bool:
    """ "No later than 10 days before" is at least 10 days before."""
    later = tokens.lower[at : at + 3] == ["no", "later", "than"]
    return later and not _AHEAD.isdisjoint(tokens.lower[end : end + 1])


def _is_arrow(tokens: Tokens, at: int) -> bool:
    """Whether a ">" is the head of an arrow: "-> 500 m"."""
    return tokens.words[at] == ">" and at > 0 and tokens.words[at - 1] in ("-", "=", "--")


def _is_skipped(tokens: Tokens, at: int) -> bool:
    """Whether a word may stand between a bound and its figure: "at most at 10 feet"."""
    word = tokens.lower[at]
    bound_before = at > 0 and tokens.lower[at - 1] in ("most", "least")
    return word in _SKIPPED or word == ":" or (word == "at" and bound_before)
