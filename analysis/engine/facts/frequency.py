"""How often: daily, twice a week, every six hours, BID; as times a second."""

from collections.abc import Iterator, Sequence
from itertools import compress

from lib.text.digits import parse
from lib.text.tokens import NUMBER, Tokens
from lib.text.units import SMALL, UNITS

_DAY, _WEEK, _MONTH, _YEAR = 86400.0, 604800.0, 2629800.0, 31557600.0
_ADVERBS = {
    "hourly": 1 / 3600, "daily": 1 / _DAY, "nightly": 1 / _DAY, "weekly": 1 / _WEEK,
    "biweekly": 0.5 / _WEEK, "fortnightly": 0.5 / _WEEK, "monthly": 1 / _MONTH,
    "quarterly": 1 / (3 * _MONTH), "annually": 1 / _YEAR, "yearly": 1 / _YEAR,
    "annual": 1 / _YEAR, "biennially": 0.5 / _YEAR, "everyday": 1 / _DAY,
    "qd": 1 / _DAY, "bid": 2 / _DAY, "tid": 3 / _DAY, "qid": 4 / _DAY,
}  # fmt: skip
_CLINICAL = frozenset({"bid", "tid", "qid", "qd"})
_TIMES = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_PERIODS = {
    **{f"{name}{s}": worth for name, worth in (
        ("hour", 3600.0), ("day", _DAY), ("night", _DAY), ("morning", _DAY), ("evening", _DAY),
        ("week", _WEEK), ("fortnight", 2 * _WEEK), ("month", _MONTH), ("quarter", 3 * _MONTH),
        ("year", _YEAR), ("minute", 60.0), ("shift", 0.0)) for s in ("", "s")},
}  # fmt: skip
_EACH = frozenset({"a", "an", "per", "each", "every", "/"})
_COUNTED = ("times", "time")
OPENERS = _ADVERBS.keys() | _TIMES.keys() | {"times", "time", "every", "each"}
"""One of these stands in every frequency."""

_LIMITS = frozenset({"most", "maximum", "max", "exceed", "exceeding", "limit", "than", "total"})
_NEAR = 7

Frequency = tuple[int, int, float]
"""Tokens [first, last) and times a second."""


def frequencies(tokens: Tokens, first: int, last: int) -> Iterator[Frequency]:
    """The frequencies in tokens [first, last), left to right."""
    if OPENERS.isdisjoint(tokens.lower[first:last]):
        return
    begins, end = _begins(tokens.lower, first, last), first
    for at in begins:
        match = _at(tokens, at, first, last) if at >= end else None
        if match:
            yield match
            end = match[1]


def _begins(lower: Sequence[str], first: int, last: int) -> list[int]:
    """Where a frequency may begin: before "times", and at any other of its first words."""
    opening = compress(range(first, last), map(OPENERS.__contains__, lower[first:last]))
    places = [(at, at - 1) if lower[at] in _COUNTED else (at,) for at in opening]
    return sorted({at for pair in places for at in pair if at >= first})


def _at(tokens: Tokens, at: int, first: int, last: int) -> Frequency | None:
    word = tokens.lower[at]
    count, end = _count(tokens, at, last)
    if count:
        if end < last and tokens.lower[end] in _ADVERBS:
            return at, end + 1, count * _ADVERBS[tokens.lower[end]]
        every = _every(tokens, end, last, _EACH)
        return (at, every[0], count / every[1]) if every else None
    if word in ("every", "each"):
        # An amount before it is a rate: "8 hours every day".
        every = _every(tokens, at, last, frozenset({"every", "each"}))
        return (at, every[0], 1 / every[1]) if every else None
    if word in _ADVERBS and (word not in _CLINICAL or tokens.words[at].isupper()):
        if _is_of_limit(tokens, at, first):
            return None
        return at, at + 1, _ADVERBS[word]
    return None


def _is_of_limit(tokens: Tokens, at: int, first: int) -> bool:
    """Whether "daily" belongs to a limit, "at most 3 g daily", and says nothing of how often."""
    if at - first < 2 or tokens.kinds[at - 2] != NUMBER or tokens.lower[at - 1] not in UNITS:
        return False
    return not _LIMITS.isdisjoint(tokens.lower[max(first, at - _NEAR) : at])


def _count(tokens: Tokens, at: int, last: int) -> tuple[float, int]:
    """The count of "twice" and of "three times", and where it ends; 0 for none."""
    word = tokens.lower[at]
    if word in _TIMES:
        return _TIMES[word], at + 1
    if at + 1 < last and tokens.lower[at + 1] in _COUNTED:
        value = _number(tokens, at)
        return (value, at + 2) if value else (0.0, at)
    return 0.0, at


def _number(tokens: Tokens, at: int) -> float:
    if tokens.lower[at] in SMALL:
        return SMALL[tokens.lower[at]]
    number = parse(tokens.words[at]) if tokens.kinds[at] == NUMBER else None
    return number[0] if number else 0.0


def _every(tokens: Tokens, at: int, last: int, openers: frozenset[str]) -> tuple[int, float] | None:
    """End and seconds of "a day", "every six hours", "every other week"."""
    if at + 1 >= last or tokens.lower[at] not in openers:
        return None
    after, factor = at + 1, 1.0
    if tokens.lower[after] in ("other", "second"):
        after, factor = after + 1, 2.0
    elif after + 1 < last and (number := _number(tokens, after)):
        after, factor = after + 1, number
        after += after < last and tokens.words[after] == "-"
    if after >= last:
        return None
    word = tokens.lower[after]
    seconds = _PERIODS.get(word, 0.0) * factor
    if seconds and UNITS.get(word, ("s", 0))[0] == "s":
        return after + 1, seconds
    return None
