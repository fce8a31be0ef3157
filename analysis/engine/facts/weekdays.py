"""Days of the week in words: "weekdays", "Mon-Fri", "Saturdays and Sundays"."""

from collections.abc import Iterator

from lib.text.tokens import Tokens

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY_OF = {
    form: at
    for at, day in enumerate(DAYS)
    for form in (day, f"{day}s", day[:3], {"tue": "tues", "thu": "thurs"}.get(day[:3], day[:3]))
}
_SHORT = frozenset({"sun", "sat", "wed", "mon"})
_NAMED = {
    "weekday": range(5), "weekdays": range(5), "workdays": range(5), "weekend": range(5, 7),
    "weekends": range(5, 7),
}  # fmt: skip
DAY_WORDS = _DAY_OF.keys() | _NAMED.keys()
_TO = frozenset({"to", "through", "thru", "till", "until", "-", "–", "—"})
_AND = frozenset({"and", "&", ",", "/", "or"})

DaySet = tuple[int, int, frozenset[int]]
"""Tokens [first, last) and the days (0 Monday)."""


def day_sets(tokens: Tokens, first: int, last: int) -> Iterator[DaySet]:
    """The groups of days in tokens [first, last), left to right."""
    if DAY_WORDS.isdisjoint(tokens.lower[first:last]):
        return
    at = first
    while at < last:
        days, end = _group(tokens, at, last)
        if days:
            yield at, end, frozenset(days)
        at = max(end, at + 1)


def in_words(days: frozenset[int]) -> str:
    """Days in plain words: "Monday, Tuesday"; "Monday to Friday" for a run of them."""
    ordered = sorted(days)
    if len(ordered) > 2 and ordered[-1] - ordered[0] == len(ordered) - 1:
        return f"{DAYS[ordered[0]].title()} to {DAYS[ordered[-1]].title()}"
    return ", ".join(DAYS[day].title() for day in ordered)


def _group(tokens: Tokens, at: int, last: int) -> tuple[set[int], int]:
    days, end = set[int](), at
    while end < last and (day := _day(tokens, end)) is not None:
        days |= day
        end += 1
        if end + 1 < last and tokens.lower[end] in _TO and len(day) == 1:
            until = _day(tokens, end + 1)
            if until and len(until) == 1:
                opens, shuts = min(day), min(until)
                days |= {(opens + step) % 7 for step in range((shuts - opens) % 7 + 1)}
                end += 2
        end = _past_joint(tokens, end, last)
    return days, end


def _past_joint(tokens: Tokens, end: int, last: int) -> int:
    ahead = end
    while ahead < last and tokens.lower[ahead] in _AND:
        ahead += 1
    return ahead if ahead < last and _day(tokens, ahead) else end


def _day(tokens: Tokens, at: int) -> set[int] | None:
    word = tokens.lower[at]
    if word in _NAMED:
        return set(_NAMED[word])
    # "sun" and "sat" are words of their own where they are not capitalised.
    if word not in _DAY_OF or (word in _SHORT and not tokens.words[at][0].isupper()):
        return None
    return {_DAY_OF[word]}
