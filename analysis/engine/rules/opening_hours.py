"""Compares opening hours in a claim with those of a record.

"Monday to Saturday from 11 am to 9 pm and Sunday from 12 pm to 7 pm" is read as groups of days with
their times; a record says when each day opens and closes.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf

from analysis.engine.evidence.record_fields import DAYS, Week
from lib.text.dates import CLOCK_OPEN, HALF_DAY, clock_at
from lib.text.negation import NEGATORS
from lib.text.stems import stem
from lib.text.tokens import NUMBER, Tokens
from lib.text.units import SMALL
from lib.text.words import word_set

_DAY_OF = {form: at for at, day in enumerate(DAYS) for form in (day, f"{day}s", day[:3])}
_TO = word_set("to through thru till until - – —")
_AND = word_set("and , & / or")
_EVERY = (("daily",), ("everyday",), ("every", "day"), ("each", "day"), ("all", "week"),
          ("seven", "days"), ("7", "days"))  # fmt: skip
WORDS = word_set("open hours operate operating close closed") | _DAY_OF.keys()
_OPENING = {stem(word) for word in ("open", "hours", "operate", "operating", "close", "closed")}
_PARTS_OF_WEEK = {
    "weekdays": range(5), "weekday": range(5), "weekends": range(5, 7), "weekend": range(5, 7),
}  # fmt: skip
_SHUT = word_set("closed closes shut")
_NOT = word_set("not n't never except isn't aren't")
_NAMED = {"noon": 720.0, "midnight": 0.0}
_OPENS_AT = word_set("open opens opening from")
_SHUTS_AT = word_set("close closes closing shut shuts shutting until till")
_ALL_DAY = frozenset(range(1440))
_MINUTES = 1440
_REACH = 6
_VARIES = word_set("extended longer earlier later vary varies varying different differ slightly")
_EXCEPTED = word_set("except normally usually otherwise other")
"""Beside these words it is not told which of several times a day has."""
_SPAN_WORDS = word_set("half quarter third hour")


@dataclass(frozen=True, slots=True)
class Days:
    """Days (0 Monday) that a claim names together, and their times."""

    at: int
    end: int
    days: frozenset[int]
    loosely: bool = False
    """ "weekdays": true of most of them is true enough."""
    times: tuple["Times", ...] = ()


@dataclass(frozen=True, slots=True)
class Times:
    """An opening period; each end is the set of minutes after midnight that it may mean.

    If a claim only gives the opening time, it may close at any time.
    """

    at: int
    end: int
    opens: frozenset[int]
    shuts: frozenset[int]

    def fits(self, hours: tuple[int, int]) -> bool:
        """Return whether it fits the record's hours."""
        return hours[0] % _MINUTES in self.opens and hours[1] % _MINUTES in self.shuts


@dataclass(frozen=True, slots=True)
class Opening:
    """The result for a claim's hours: it agrees, or `conflict` says why not.

    `positions` are the tokens of its days and times.
    """

    conflict: str
    positions: frozenset[int]


def compare_hours(tokens: Tokens, first: int, last: int, week: Week) -> Opening | None:
    """Compare the hours of tokens [first, last) with a record's; None if they name none.

    None also if they agree as far as they are read and another number is beside them: "open for six
    hours on Sundays".
    """
    varies = not _VARIES.isdisjoint(tokens.lower[first:last])
    items = list(_items(tokens, first, last))
    if not _EXCEPTED.isdisjoint(tokens.lower[first:last]) and any(map(_is_one_end, items)):
        return None
    if varies:
        items = [item for item in items if isinstance(item, Days) and not item.loosely]
    grouped = _grouped(items)
    about_opening = any(stem(word) in _OPENING for word in tokens.lower[first:last])
    if not grouped or not (about_opening or any(group.times for group in grouped)):
        return None
    shuts = [not varies and _is_shut(tokens, first, last, each.at) for each in grouped]
    verdicts = [_of_group(*each, week) for each in zip(grouped, shuts, strict=True)]
    conflict = next((each for each in verdicts if each), "")
    positions = frozenset(at for item in items for at in range(item.at, item.end))
    unsure = not conflict or any(map(_is_one_end, items))
    if unsure and not _reads_all(tokens, first, last, positions):
        return None
    return Opening(conflict, positions)


def _reads_all(tokens: Tokens, first: int, last: int, positions: frozenset[int]) -> bool:
    """Return whether no number is outside the days and times that were read."""
    return not any(
        tokens.kinds[at] == NUMBER or tokens.lower[at] in SMALL or tokens.lower[at] in _SPAN_WORDS
        for at in range(first, last)
        if at not in positions
    )


def _of_group(group: Days, shut: bool, week: Week) -> str:
    """Return why the record contradicts these days, or "" if it agrees."""
    shut = shut and not group.times
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


def _is_shut(tokens: Tokens, first: int, last: int, at: int) -> bool:
    near = tokens.lower[max(first, at - _REACH) : min(last, at + _REACH)]
    denied = not _NOT.isdisjoint(near)
    shut = not _SHUT.isdisjoint(near) and "open" not in near
    return shut != denied and (shut or denied)


def _is_one_end(item: Days | Times) -> bool:
    return isinstance(item, Times) and _ALL_DAY in (item.opens, item.shuts)


def _grouped(items: list[Days | Times]) -> list[Days]:
    """Return each group of days with its following times; preceding ones if times come first."""
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
            return Days(at, at + len(form), frozenset(range(7)), loosely), at + len(form)
    if words[at] in _PARTS_OF_WEEK:
        some = _PARTS_OF_WEEK[words[at]]
        return Days(at, at + 1, frozenset(some), True), at + 1
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
    return (Days(at, end, frozenset(days)), end) if days else (None, at)


def _past_and(words: list[str], end: int, last: int) -> int:
    """Return the next day after "and" or commas, or the same position."""
    ahead = end
    while ahead < last and words[ahead] in _AND:
        ahead += 1
    return ahead if ahead < last and words[ahead] in _DAY_OF else end


def _times(tokens: Tokens, at: int, last: int) -> tuple[Times | None, int]:
    words = tokens.lower
    if words[at] == "24" and at + 1 < last and words[at + 1].startswith("hour"):
        return Times(at, at + 2, frozenset({0}), frozenset({0})), at + 2
    opens = _time(tokens, at, last)
    if opens is None:
        return None, at
    if opens[1] < last and words[opens[1]] in _TO | {"and"}:
        closes = _time(tokens, opens[1] + 1, last)
        if closes:
            return Times(at, closes[1], opens[0], closes[0]), closes[1]
    return _one_end(tokens, at, opens)


def _one_end(tokens: Tokens, at: int, time: tuple[frozenset[int], int]) -> tuple[Times | None, int]:
    """Return one given end and an open one: "opens at 10", "until 6 pm"."""
    before = tokens.lower[max(0, at - 2) : at]
    if not NEGATORS.isdisjoint(tokens.lower[max(0, at - _REACH) : at]):
        return None, at
    minutes, end = time
    edge = before[-1:] if before[-1:] != ["at"] else before[:1]
    if not _SHUTS_AT.isdisjoint(edge):
        return Times(at, end, _ALL_DAY, minutes), end
    if not _OPENS_AT.isdisjoint(edge):
        return Times(at, end, minutes, _ALL_DAY), end
    return None, at


def _time(tokens: Tokens, at: int, last: int) -> tuple[frozenset[int], int] | None:
    """Return the minutes that a time may mean, and the token after it."""
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
