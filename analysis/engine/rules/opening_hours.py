"""Compares the opening hours that a claim gives with the week of a record."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf

from analysis.engine.facts.figures import DAY_NAMES, TO, days_at
from lib.text.dates import CLOCK_OPEN, HALF_DAY, clock_at
from lib.text.negation import NEGATORS
from lib.text.stems import stem, stem_set
from lib.text.tokens import NUMBER, Tokens, tokenize
from lib.text.units import SMALL
from lib.text.words import word_set

_LEAST_DAYS = 3
_EVERY = (("daily",), ("everyday",), ("every", "day"), ("each", "day"), ("all", "week"),
          ("seven", "days"), ("7", "days"))  # fmt: skip
_OPENING = stem_set("open hours operate operating close closed")
_SHUT = word_set("closed closes shut")
_NOT = word_set("not n't never except isn't aren't")
_NAMED = {"noon": 720, "midnight": 0}
_OPENS_AT = word_set("open opens opening from")
_SHUTS_AT = word_set("close closes closing shut shuts shutting until till")
_MINUTES = 1440
_ANY_TIME = frozenset(range(_MINUTES))
_REACH = 6
_VARIES = word_set("extended longer earlier later vary varies varying different differ slightly")
_EXCEPTED = word_set("except normally usually otherwise other")
"""With these words it is unclear which of several times applies to a day."""
_SPAN_WORDS = word_set("half quarter third hour")
_TERMS = _OPENING | frozenset(map(stem, DAY_NAMES))
"""The words that hours account for."""


@dataclass(frozen=True, slots=True)
class Times:
    """An opening period at tokens [at, end); each end is the minutes of a day that it may mean.

    If a text only gives the opening time, it may close at any time.
    """

    at: int
    end: int
    opens: frozenset[int]
    shuts: frozenset[int]

    @property
    def has_one_end(self) -> bool:
        """True if the text gives only one of the two."""
        return _ANY_TIME in (self.opens, self.shuts)

    def fits(self, other: "Times") -> bool:
        """Return whether both may mean the same."""
        return not (self.opens.isdisjoint(other.opens) or self.shuts.isdisjoint(other.shuts))


@dataclass(frozen=True, slots=True)
class Days:
    """Days (0 Monday) that tokens [at, end) name together, and their times."""

    at: int
    end: int
    days: frozenset[int]
    loosely: bool
    """ "weekdays": true of most of them is true enough."""
    times: tuple[Times, ...] = ()


@dataclass(frozen=True, slots=True)
class Week:
    """Opening hours by day (0 Monday), None for a closed day, and the passage that gives them."""

    days: tuple[Times | None, ...]
    passage: int


@dataclass(frozen=True, slots=True)
class Opening:
    """The result for a claim's hours: it agrees, or `conflict` says why not.

    `terms` are the claim's terms that the hours account for.
    """

    conflict: str
    terms: frozenset[str]


def read_week(hours: Mapping[str, str], passage: int) -> Week | None:
    """Return the week that names of days and their hours make; days without hours are closed."""
    if len(hours) < _LEAST_DAYS or not hours.keys() <= set(DAY_NAMES):
        return None
    days = tuple(_hours(hours.get(day, "")) for day in DAY_NAMES)
    return Week(days, passage) if any(days) else None


def _hours(text: str) -> Times | None:
    """Return the hours of a day; None for a closed one, "12:00 am to 12:00 am"."""
    tokens = tokenize(text)
    times = _times(tokens, 0, len(tokens))
    is_whole = times is not None and times.end == len(tokens)
    is_closed = times is not None and times.opens == times.shuts and "hours" not in tokens.lower
    return times if is_whole and not is_closed else None


def compare_hours(tokens: Tokens, first: int, last: int, week: Week) -> Opening | None:
    """Compare the hours of tokens [first, last) with a record's; None if they name none.

    None also if they agree as far as they are read and another number is beside them: "open for six
    hours on Sundays".
    """
    lower = tokens.lower[first:last]
    items = list(_items(tokens, first, last))
    has_one_end = any(isinstance(item, Times) and item.has_one_end for item in items)
    if has_one_end and not _EXCEPTED.isdisjoint(lower):
        return None
    varies = not _VARIES.isdisjoint(lower)
    if varies:
        items = [item for item in items if isinstance(item, Days) and not item.loosely]
    grouped = _grouped(items)
    about_opening = any(stem(word) in _OPENING for word in lower)
    if not grouped or not (about_opening or any(group.times for group in grouped)):
        return None
    states = (False if varies else _is_shut(tokens, first, last, group.at) for group in grouped)
    conflicts = (
        _of_group(group, bool(shut), week)
        for group, shut in zip(grouped, states, strict=True)
        if shut is not None or group.times
    )
    conflict = next(filter(None, conflicts), "")
    positions = {at for item in items for at in range(item.at, item.end)}
    unsure = not conflict or (has_one_end and not varies)
    if unsure and not _reads_all(tokens, first, last, positions):
        return None
    return Opening(conflict, _TERMS.union(tokens.terms[at] for at in positions))


def _reads_all(tokens: Tokens, first: int, last: int, positions: set[int]) -> bool:
    """Return whether no number is outside the days and times that were read."""
    return not any(
        tokens.kinds[at] == NUMBER or tokens.lower[at] in SMALL or tokens.lower[at] in _SPAN_WORDS
        for at in range(first, last)
        if at not in positions
    )


def _of_group(group: Days, shut: bool, week: Week) -> str:
    """Return why the record contradicts these days, or "" if it agrees."""
    shut = shut and not group.times
    conflicts = [_of_day(day, shut, group, week) for day in sorted(group.days)]
    if group.loosely and not all(conflicts):
        return ""
    return next(filter(None, conflicts), "")


def _of_day(day: int, shut: bool, group: Days, week: Week) -> str:
    hours, name = week.days[day], DAY_NAMES[day].title()
    if shut:
        return "" if hours is None else f"the record does not list {name} as closed"
    if hours is None:
        return f"the record lists no opening hours for {name}"
    fits = not group.times or any(time.fits(hours) for time in group.times)
    return "" if fits else f"the record lists different hours for {name}"


def _is_shut(tokens: Tokens, first: int, last: int, at: int) -> bool | None:
    """Return whether the place is said to be closed on the days at `at`.

    None if it is called both open and closed near them: "closed on Monday and open on Tuesday".
    """
    near = tokens.lower[max(first, at - _REACH) : min(last, at + _REACH)]
    denied, shut = not _NOT.isdisjoint(near), not _SHUT.isdisjoint(near)
    return None if shut and "open" in near else shut != denied


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
        item = _days(tokens, at, last) or _times(tokens, at, last)
        if item:
            yield item
        at = item.end if item else at + 1


def _days(tokens: Tokens, at: int, last: int) -> Days | None:
    for form in _EVERY:
        end = at + len(form)
        if end <= last and tuple(tokens.lower[at:end]) == form:
            return Days(at, end, frozenset(range(7)), loosely=form[-1] == "day")
    days = days_at(tokens, at, last)
    return Days(at, *days, loosely=tokens.lower[at].startswith("week")) if days else None


def _times(tokens: Tokens, at: int, last: int) -> Times | None:
    words = tokens.lower
    if at + 1 < last and words[at] == "24" and words[at + 1].startswith("hour"):
        return Times(at, at + 2, frozenset({0}), frozenset({0}))
    time = _time(tokens, at, last)
    if time is None:
        return None
    minutes, end = time
    if end < last and words[end] in TO | {"and"}:
        closes = _time(tokens, end + 1, last)
        if closes:
            return Times(at, closes[1], minutes, closes[0])
    return _one_end(tokens, at, end, minutes)


def _one_end(tokens: Tokens, at: int, end: int, minutes: frozenset[int]) -> Times | None:
    """Return a period of which only one end is given: "opens at 10", "until 6 pm"."""
    before = tokens.lower[max(0, at - 2) : at]
    if not NEGATORS.isdisjoint(tokens.lower[max(0, at - _REACH) : at]):
        return None
    edge = before[-1:] if before[-1:] != ["at"] else before[:1]
    if not _SHUTS_AT.isdisjoint(edge):
        return Times(at, end, _ANY_TIME, minutes)
    if not _OPENS_AT.isdisjoint(edge):
        return Times(at, end, minutes, _ANY_TIME)
    return None


def _time(tokens: Tokens, at: int, last: int) -> tuple[frozenset[int], int] | None:
    """Return the minutes that a time may mean, and the token after it."""
    if at >= last:
        return None
    if tokens.lower[at] in _NAMED:
        return frozenset({_NAMED[tokens.lower[at]]}), at + 1
    clock = clock_at(tokens, at, last)
    if clock is None:
        return None
    minutes, unit, end = clock
    either = {minutes, minutes + HALF_DAY} if unit == CLOCK_OPEN else {minutes}
    return frozenset(int(each) % _MINUTES for each in either), end
