"""Opening hours in a claim compared with those of a record.

"Monday to Saturday from 11 am to 9 pm and Sunday from 12 pm to 7 pm" is read as groups of days,
each with its times; a record says when each day opens and shuts.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf

from analysis.engine.evidence.record_fields import DAYS, Week
from text.clock import CLOCK_OPEN, HALF_DAY, clock_at
from text.stems import stem
from text.tokens import Tokens
from text.words import word_set

_DAY_OF = {form: at for at, day in enumerate(DAYS) for form in (day, f"{day}s", day[:3])}
_TO = word_set("to through thru till until - – —")
_AND = word_set("and , & / or")
_EVERY = (("daily",), ("everyday",), ("every", "day"), ("each", "day"), ("all", "week"),
          ("seven", "days"), ("7", "days"))  # fmt: skip
WORDS = word_set("open hours operate operating close closed") | _DAY_OF.keys()
_OPENING = {stem(word) for word in ("open", "hours", "operate", "operating", "close", "closed")}
_SHUT = word_set("closed closes shut")
_NOT = word_set("not n't never except isn't aren't")
_NAMED = {"noon": 720.0, "midnight": 0.0}
_MINUTES = 1440
_REACH = 6
_VARIES = word_set("extended longer later vary varies varying different differ slightly")


@dataclass(frozen=True, slots=True)
class Days:
    """Days (0 Monday) that a claim names together, and the times it gives them."""

    at: int
    days: frozenset[int]
    loosely: bool = False
    """ "weekdays": true of most of them is true enough."""
    times: tuple["Times", ...] = ()


@dataclass(frozen=True, slots=True)
class Times:
    """From when to when, each as the minutes after midnight that it may mean."""

    at: int
    opens: frozenset[int]
    shuts: frozenset[int]

    def fits(self, hours: tuple[int, int]) -> bool:
        """Whether it is what the record says."""
        return hours[0] % _MINUTES in self.opens and hours[1] % _MINUTES in self.shuts


@dataclass(frozen=True, slots=True)
class Opening:
    """What a claim's hours come to: it agrees, or `conflict` says in words why not."""

    conflict: str


def compare_hours(tokens: Tokens, first: int, last: int, week: Week) -> Opening | None:
    """The hours of tokens [first, last) against a record's; None where they say none."""
    varies = not _VARIES.isdisjoint(tokens.lower[first:last])
    items = list(_items(tokens, first, last))
    if varies:
        items = [item for item in items if isinstance(item, Days) and not item.loosely]
    grouped = _grouped(items)
    about_opening = any(stem(word) in _OPENING for word in tokens.lower[first:last])
    if not about_opening and not any(group.times for group in grouped):
        return None
    if not grouped:
        return _times_alone([item for item in items if isinstance(item, Times)], week)
    verdicts = [_of_group(tokens, first, last, group, week) for group in grouped]
    return Opening(next((conflict for conflict in verdicts if conflict), ""))


def _of_group(tokens: Tokens, first: int, last: int, group: Days, week: Week) -> str:
    """Why the record says otherwise of these days; "" where it agrees."""
    shut = not group.times and _is_shut(tokens, first, last, group.at)
    verdicts = [_of_day(day, shut, group, week) for day in sorted(group.days)]
    if group.loosely and not all(verdicts):
        return ""
    return next((conflict for conflict in verdicts if conflict), "")


def _of_day(day: int, shut: bool, group: Days, week: Week) -> str:
    hours, name = week.days[day], DAYS[day].title()
    if shut:
        return "" if hours is None else f"the record does not list {name} as closed"
    if hours is None:
        return f"the record lists no opening hours for {name}"
    fits = not group.times or any(time.fits(hours) for time in group.times)
    return "" if fits else f"the record lists different hours for {name}"


def _times_alone(times: list[Times], week: Week) -> Opening | None:
    """Hours without days: in conflict where no day has them, unclear where some have."""
    open_days = [hours for hours in week.days if hours]
    if not times:
        return None
    fitting = [hours for hours in open_days if any(time.fits(hours) for time in times)]
    if not fitting:
        return Opening("the record lists these hours for no day")
    return Opening("") if len(fitting) == len(open_days) else None


def _is_shut(tokens: Tokens, first: int, last: int, at: int) -> bool:
    near = tokens.lower[max(first, at - _REACH) : min(last, at + _REACH)]
    denied = not _NOT.isdisjoint(near)
    shut = not _SHUT.isdisjoint(near) and "open" not in near
    return shut != denied and (shut or denied)


def _grouped(items: list[Days | Times]) -> list[Days]:
    """Each group of days with the times after it; before it where times come first."""
    days = [item for item in items if isinstance(item, Days)]
    times = [item for item in items if isinstance(item, Times)]
    edges = [-inf, *(group.at for group in days), inf]
    shift = 0 if isinstance(next(iter(items), None), Times) else 1
    return [
        replace(group, times=tuple(each for each in times if low < each.at < high))
        for group, low, high in zip(days, edges[shift:], edges[shift + 1 :], strict=False)
    ]


def _items(tokens: Tokens, first: int, last: int) -> Iterator[Days | Times]:
    at = first
    while at < last:
        day_items: Days | Times | None
        day_items, end = _days(tokens, at, last)
        if day_items is None:
            day_items, end = _times(tokens, at, last)
        if day_items is not None:
            yield day_items
        at = max(end, at + 1)


def _days(tokens: Tokens, at: int, last: int) -> tuple[Days | None, int]:
    words = tokens.lower
    for form in _EVERY:
        if tuple(words[at : at + len(form)]) == form and at + len(form) <= last:
            loosely = form[-1] == "day"
            return Days(at, frozenset(range(7)), loosely), at + len(form)
    if words[at] in ("weekdays", "weekends"):
        some = range(5) if words[at] == "weekdays" else (5, 6)
        return Days(at, frozenset(some), True), at + 1
    days, end = set[int](), at
    while end < last and words[end] in _DAY_OF:
        day = _DAY_OF[words[end]]
        if end + 2 < last and words[end + 1] in _TO and words[end + 2] in _DAY_OF:
            until = _DAY_OF[words[end + 2]]
            days.update((day + step) % 7 for step in range((until - day) % 7 + 1))
            end += 3
        else:
            days.add(day)
            end += 1
        end = _past_and(words, end, last)
    return (Days(at, frozenset(days)), end) if days else (None, at)


def _past_and(words: list[str], end: int, last: int) -> int:
    """The next day after "and" or commas; the same place where none follows."""
    ahead = end
    while ahead < last and words[ahead] in _AND:
        ahead += 1
    return ahead if ahead < last and words[ahead] in _DAY_OF else end


def _times(tokens: Tokens, at: int, last: int) -> tuple[Times | None, int]:
    words = tokens.lower
    if words[at] == "24" and at + 1 < last and words[at + 1].startswith("hour"):
        return Times(at, frozenset({0}), frozenset({0})), at + 2
    opens = _time(tokens, at, last)
    if opens is None or opens[1] >= last or words[opens[1]] not in _TO | {"and"}:
        return None, at
    closes = _time(tokens, opens[1] + 1, last)
    return (Times(at, opens[0], closes[0]), closes[1]) if closes else (None, at)


def _time(tokens: Tokens, at: int, last: int) -> tuple[frozenset[int], int] | None:
    """The minutes that a time may mean, and the token after it."""
    if at >= last:
        return None
    if tokens.lower[at] in _NAMED:
        return frozenset({int(_NAMED[tokens.lower[at]])}), at + 1
    clock = clock_at(tokens, at, last)
    if clock is None:
        return None
    minutes, unit, end = clock
    either = {minutes, minutes + HALF_DAY} if unit == CLOCK_OPEN else {minutes}
    return frozenset(int(each) % _MINUTES for each in either), end
