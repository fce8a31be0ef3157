"""Recurrence: days of the week, frequencies, and rates such as "per day"."""

from msgspec import Struct

from lib.text.figures import parse
from lib.text.stems import stem
from lib.text.tokens import NUMBER, WORD, Tokens
from lib.text.units import SMALL, UNITS
from lib.text.words import STOPWORDS, word_set

_DAY, _WEEK, _MONTH, _YEAR = 86400.0, 604800.0, 2629800.0, 31557600.0
_ADVERBS = {
    "hourly": 3600.0, "daily": _DAY, "nightly": _DAY, "everyday": _DAY, "weekly": _WEEK,
    "biweekly": 2 * _WEEK, "fortnightly": 2 * _WEEK, "monthly": _MONTH, "quarterly": 3 * _MONTH,
    "annually": _YEAR, "yearly": _YEAR, "annual": _YEAR, "biennially": 2 * _YEAR,
}  # fmt: skip
_CLINICAL = {"QD": _DAY, "BID": _DAY / 2, "TID": _DAY / 3, "QID": _DAY / 4}
_PERIODS = {word: worth for word, (unit, worth) in UNITS.items() if unit == "s"} | {
    **dict.fromkeys(("night", "morning", "evening"), _DAY), "quarter": 3 * _MONTH,
}  # fmt: skip
_TIMES = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_EVERY, _PER = word_set("every each"), word_set("a an per each every /")
_LIMITS = word_set("most maximum max exceed exceeding limit than total")
_NEAR = 7
_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAYS = {
    **{form: {at} for at, day in enumerate(_NAMES) for form in (day, f"{day}s", day[:3])},
    "tues": {1},
    "thurs": {3},
    **{word: {0, 1, 2, 3, 4} for word in ("weekday", "weekdays", "workdays")},
    **{word: {5, 6} for word in ("weekend", "weekends")},
}
_TO, _AND = word_set("to through thru till until - – —"), word_set("and & , / or")
OPENERS = {*_ADVERBS, *map(str.lower, _CLINICAL), *_TIMES, *_EVERY, *_DAYS, "time", "times"}
"""One of these stands in every frequency and every group of days."""


class Rate(Struct, frozen=True, gc=False):
    """The denominator of a rate: a time span in seconds, or the stem of a thing."""

    seconds: float = 0.0
    thing: str = ""


def rate_after(tokens: Tokens, at: int, last: int) -> tuple[Rate | None, int]:
    """Return the rate at a token ("per day", "a week", "daily") and the token after it."""
    start = at
    at += at < last and tokens.lower[at] in ("calendar", "working", "days", "hours")
    word = tokens.lower[at] if at < last else ""
    if word in _ADVERBS and word != "annual":
        return Rate(seconds=_ADVERBS[word]), at + 1
    if word not in _PER or at + 1 >= last or tokens.kinds[at + 1] != WORD:
        return None, start
    unit = tokens.lower[at + 1]
    if unit in UNITS and UNITS[unit][0] == "s":
        return Rate(seconds=UNITS[unit][1]), at + 2
    if word in ("per", "/") and unit not in STOPWORDS:
        return Rate(thing=stem(unit)), at + 2
    return None, start


def frequency_at(tokens: Tokens, at: int, first: int, last: int) -> tuple[int, float] | None:
    """Return end and times per second of "daily", "twice a week", "every six hours"; or None."""
    word = tokens.lower[at]
    count, end = _TIMES.get(word, 0.0), at + 1
    if not count and tokens.lower[end : end + 1] in (["times"], ["time"]) and end < last:
        count, end = _number(tokens, at), end + 1
    if count:
        adverb = _ADVERBS.get(tokens.lower[end]) if end < last else None
        every = (end + 1, adverb) if adverb else _period(tokens, end, last, _PER)
        return (every[0], count / every[1]) if every else None
    if word in _EVERY:
        every = _period(tokens, at, last, _EVERY)
        return (every[0], 1 / every[1]) if every else None
    seconds = _ADVERBS.get(word) or _CLINICAL.get(tokens.words[at])
    return (at + 1, 1 / seconds) if seconds and not _is_of_limit(tokens, at, first) else None


def _is_of_limit(tokens: Tokens, at: int, first: int) -> bool:
    """Return whether "daily" belongs to a limit, "at most 3 g daily", and is no frequency."""
    if at - first < 2 or tokens.kinds[at - 2] != NUMBER or tokens.lower[at - 1] not in UNITS:
        return False
    return not _LIMITS.isdisjoint(tokens.lower[max(first, at - _NEAR) : at])


def _number(tokens: Tokens, at: int) -> float:
    if tokens.lower[at] in SMALL:
        return SMALL[tokens.lower[at]]
    number = parse(tokens.words[at]) if tokens.kinds[at] == NUMBER else None
    return number[0] if number else 0.0


def _period(
    tokens: Tokens, at: int, last: int, openers: frozenset[str]
) -> tuple[int, float] | None:
    """Return end and seconds of "a day", "every six hours", "every other week"; or None."""
    if at + 1 >= last or tokens.lower[at] not in openers:
        return None
    after, factor = at + 1, 1.0
    if tokens.lower[after] in ("other", "second"):
        after, factor = after + 1, 2.0
    elif number := _number(tokens, after):
        after, factor = after + 1, number
        after += after < last and tokens.words[after] == "-"
    seconds = _PERIODS.get(tokens.lower[after], 0.0) * factor if after < last else 0.0
    return (after + 1, seconds) if seconds else None


def days_at(tokens: Tokens, at: int, last: int) -> tuple[int, frozenset[int]] | None:
    """Return end and days (0 Monday) of "weekdays", "Mon-Fri", "Saturdays and Sundays"; or None."""
    days, end = set[int](), at
    while day := _days_of(tokens, end, last):
        days |= day
        end += 1
        until = _days_of(tokens, end + 1, last) if tokens.lower[end : end + 1] else None
        if until and len(day) == len(until) == 1 and tokens.lower[end] in _TO:
            opens, shuts = min(day), min(until)
            days |= {(opens + step) % 7 for step in range((shuts - opens) % 7 + 1)}
            end += 2
        ahead = end
        while ahead < last and tokens.lower[ahead] in _AND:
            ahead += 1
        end = ahead if _days_of(tokens, ahead, last) else end
    return (end, frozenset(days)) if days else None


def _days_of(tokens: Tokens, at: int, last: int) -> set[int] | None:
    """Return the days that one word names; lower-case "sat" and "sun" are other words."""
    days = _DAYS.get(tokens.lower[at]) if at < last else None
    short = len(tokens.words[at]) == 3 if days else False
    return None if short and not tokens.words[at][0].isupper() else days
