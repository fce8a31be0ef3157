"""The figures of a sentence: amounts, dates, times, days, frequencies and rates, as intervals."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from math import inf
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from analysis.engine.facts.bounds import Bound, BoundAt, bound_at
from analysis.engine.facts.model import FactKind, TextSpan
from lib.text.dates import CLOCK, CLOCK_OPEN, HALF_DAY, Date
from lib.text.figures import NO_FIGURES, parse
from lib.text.figures import figures as read_text
from lib.text.quantity import LABEL, ORDINAL, Quantity
from lib.text.stems import stem
from lib.text.tokens import MARK, NUMBER, WORD, Tokens
from lib.text.units import CURRENCIES, SMALL, UNITS
from lib.text.words import STOPWORDS, word_set

_DAY, _WEEK, _MONTH, _YEAR = (UNITS[unit][1] for unit in ("day", "week", "month", "year"))
"""Lengths in seconds."""
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
WEEKDAYS = {form: at for at, day in enumerate(_NAMES) for form in (day, f"{day}s", day[:3])}
"""The names of the days and their short forms, by number (0 Monday)."""
_DAYS = {
    **{form: {at} for form, at in WEEKDAYS.items()},
    "tues": {1},
    "thurs": {3},
    **{word: {0, 1, 2, 3, 4} for word in ("weekday", "weekdays", "workdays")},
    **{word: {5, 6} for word in ("weekend", "weekends")},
}
TO, AND = word_set("to through thru till until - – —"), word_set("and & , / or")
"""Words between the ends of a range, and between the items of a list."""
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
    if not count and end < last and tokens.lower[end] in ("times", "time"):
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
        until = _days_of(tokens, end + 1, last)
        if until and len(day) == len(until) == 1 and tokens.lower[end] in TO:
            opens, shuts = min(day), min(until)
            days |= {(opens + step) % 7 for step in range((shuts - opens) % 7 + 1)}
            end += 2
        ahead = end
        while ahead < last and tokens.lower[ahead] in AND:
            ahead += 1
        end = ahead if _days_of(tokens, ahead, last) else end
    return (end, frozenset(days)) if days else None


def _days_of(tokens: Tokens, at: int, last: int) -> set[int] | None:
    """Return the days that one word names; lower-case "sat" and "sun" are other words."""
    if at >= last:
        return None
    word = tokens.words[at]
    return _DAYS.get(tokens.lower[at]) if len(word) != 3 or word[0].isupper() else None


_TIME, _DATE = FactKind.TIME, FactKind.DATE
DAY, YEAR = 1440.0, 372.0
"""Minutes, and days in a year of twelve months of 31: dates are in order, not far apart."""
YEARLY = "date of any year"
"""The unit of a date without its year."""
_OPEN, _SHUT = word_set("open opens opened opening"), word_set("close closes closed shut shuts")
_SINCE, _UNTIL = word_set("from since"), word_set("until till by through thru")
_START = _OPEN | _SINCE | word_set("start starts started starting begin begins beginning began")
_END = _SHUT | _UNTIL | word_set(
    "closing end ends ended ending finishes finish deadline expire expires"
)  # fmt: skip
_STATES = word_set("is are was were be been stay stays remain remains")
EDGE_WORDS = _START | _END | {"hour", "hours"}
_EDGE_REACH = 5
_BEYOND = word_set("above beyond over exceeding")
_MOVED = word_set("moved changed postponed shifted rescheduled delayed")
"""Beside one of these "from March to April" is a change."""
_KINDS = {
    **dict.fromkeys(CURRENCIES.values(), FactKind.MONEY),
    **dict.fromkeys((CLOCK, CLOCK_OPEN), _TIME),
    **dict.fromkeys(("%", "pp"), FactKind.PERCENT),
    "s": FactKind.DURATION,
    **dict.fromkeys(("", LABEL, ORDINAL), FactKind.NUMBER),
}
_JOINTS = word_set("to through until till - – —")
_PLACE = attrgetter("first", "last")
_OLD = (["-", "old"], ["of", "age"])
_SIDES = {"after": Bound.OVER, "before": Bound.UNDER}


class Edge(StrEnum):
    """The end of an interval that a date or a time marks."""

    NONE = ""
    START = "start"
    END = "end"


class Figure(Struct, frozen=True, gc=False):
    """A figure at tokens [first, last): the interval [low, high], or days of the week.

    Amounts are in the base unit of their dimension `unit`, times in minutes, dates in days of
    372-day years, frequencies in times per second. `step` is the value of the last digit, `spelled`
    the unit as written, `things` are the stems of what a bare number counts. A bound means all
    values on one side, `is_range` all between its ends; an interval without either is an inexact
    value, such as a year.
    """

    kind: FactKind
    unit: str
    low: float
    high: float
    first: int
    last: int
    bound: Bound = Bound.NONE
    step: float = 0.0
    spelled: str = ""
    about: bool = False
    things: frozenset[str] = frozenset()
    rate: Rate | None = None
    edge: Edge = Edge.NONE
    date: Date | None = None
    until: Date | None = None
    days: frozenset[int] = frozenset()
    hyphenated: bool = False
    """True if it describes a noun: "a five-day week"."""
    is_range: bool = False
    turned: bool = False
    """True if a denial turned its bound."""
    lead: str = ""
    """The words of the claim between that denial and the bound."""

    @property
    def extent(self) -> tuple[float, float]:
        """The interval that the figure stands for."""
        low = self.high if self.bound is Bound.OVER else self.low
        high = self.low if self.bound is Bound.UNDER else self.high
        return -inf if self.bound.is_upper else low, inf if self.bound.is_lower else high


def figures(stretch: TextSpan) -> tuple[Figure, ...]:
    """Return the figures of a span, left to right."""
    tokens, first, last = stretch.tokens, stretch.first, stretch.last
    plain = read_text(tokens, first, last)
    recurring = [] if OPENERS.isdisjoint(tokens.lower[first:last]) else list(_recurring(stretch))
    if not recurring and plain is NO_FIGURES:
        return ()
    places = {
        at for figure in recurring if figure.kind is FactKind.FREQUENCY
        for at in range(figure.first, figure.last)
    }  # fmt: skip
    amounts = list(_with_units(stretch, _amounts(stretch, plain.quantities, places)))
    dates = _dates(stretch, plain.dates)
    every = [*recurring, *amounts, *dates, *_beyond(stretch, amounts)]
    return tuple(sorted(every, key=_PLACE))


def _recurring(stretch: TextSpan) -> Iterator[Figure]:
    tokens, at = stretch.tokens, stretch.first
    while at < stretch.last:
        end = at + 1
        if often := frequency_at(tokens, at, stretch.first, stretch.last):
            end, times = often
            limit = bound_at(tokens, stretch.first, at, end, stretch.last)
            yield Figure(
                FactKind.FREQUENCY, "times", times, times, limit.first, limit.last, limit.bound
            )
        elif days := days_at(tokens, at, stretch.last):
            end, of_week = days
            yield Figure(FactKind.DAYS, "days", 0, 0, at, end, days=of_week)
        at = end


def _amounts(
    stretch: TextSpan, quantities: Sequence[Quantity], places: set[int]
) -> Iterator[Figure]:
    """Yield the amounts, except those that begin at tokens already used."""
    before: BoundAt | None = None
    for quantity in quantities:
        if quantity.first in places:
            continue
        sign = quantity.first > stretch.first and (
            stretch.tokens.lower[quantity.first - 1] in CURRENCIES
        )
        start, end = quantity.first - sign, quantity.last
        before = bound_at(stretch.tokens, stretch.first, start, end, stretch.last, before)
        figure = _of_quantity(stretch, quantity, before)
        yield _timed(stretch, figure, quantity.first) if figure.kind is _TIME else figure


def _of_quantity(stretch: TextSpan, quantity: Quantity, bounded: BoundAt) -> Figure:
    low = quantity.high if quantity.low == -inf else quantity.low
    high = quantity.low if quantity.high == inf else quantity.high
    unit, after = quantity.unit, quantity.last
    behind = stretch.tokens.lower[after : min(after + 2, stretch.last)]
    old = quantity.spelled == "year" and (behind[:1] == ["old"] or behind in _OLD)
    if old:
        # Ages are told with and without their unit: "at least 18".
        low, high, unit = low / _YEAR, high / _YEAR, ""
        after += 1 if behind[0] == "old" else 2
    rate, after = rate_after(stretch.tokens, after, stretch.last)
    if bounded.bound and high > low:
        low = high = high if bounded.bound.is_upper else low
    before_unit = stretch.tokens.words[quantity.first + 1 : quantity.last][-2:-1]
    return Figure(
        _KINDS.get(unit, FactKind.MEASURE), unit, low, high, bounded.first,
        max(bounded.last, after), bounded.bound, 1.0 if old else quantity.step,
        "" if old else quantity.spelled, quantity.about, quantity.things, rate,
        hyphenated=bool(unit) and before_unit == ["-"],
        is_range=high > low and unit not in (LABEL, ORDINAL), turned=bounded.turned,
        lead=bounded.lead,
    )  # fmt: skip


def _timed(stretch: TextSpan, figure: Figure, at: int) -> Figure:
    """Return a time of day, or a range; one that ends the next day ends after 24 hours."""
    if figure.is_range or figure.high < figure.low:
        high = figure.high
        while high <= figure.low:
            high += HALF_DAY if figure.unit == CLOCK_OPEN else DAY
        return replace(figure, high=high, is_range=True)
    edge, bound = _edge(stretch, at)
    return replace(figure, edge=edge, bound=figure.bound or bound)


def _edge(stretch: TextSpan, at: int) -> tuple[Edge, Bound]:
    """Return the end marked by the nearest preceding word, and the bound for all on one side."""
    lower = stretch.tokens.lower
    for place in range(at - 1, max(stretch.first, at - _EDGE_REACH) - 1, -1):
        word = lower[place]
        near = place >= at - 2
        if word in _SIDES and near:
            return Edge.NONE, _SIDES[word]
        if word in _OPEN | _SHUT and not _STATES.isdisjoint(lower[max(0, place - 2) : place]):
            break
        if word in _START:
            return Edge.START, Bound.LEAST if word in _OPEN | _SINCE else Bound.NONE
        if word in _END:
            return Edge.END, Bound.MOST if word in _SHUT | _UNTIL else Bound.NONE
        if stretch.tokens.kinds[place] == NUMBER and word not in _JOINTS:
            break
    return Edge.NONE, Bound.NONE


def _dates(stretch: TextSpan, dates: Sequence[Date]) -> Iterator[Figure]:
    """Yield the dates; "from 2004 to 2011" and "between May and June" are one each."""
    lower, at = stretch.tokens.lower, 0
    moved = not _MOVED.isdisjoint(stretch.words)
    while at < len(dates):
        first, last = dates[at], dates[at]
        opening = lower[first.first - 1] if first.first > stretch.first else ""
        if at + 1 < len(dates) and not moved:
            between = lower[first.last : dates[at + 1].first]
            joint = between[0] if between[1:] in ([], ["the"]) and between else ""
            if joint in _JOINTS or (joint == "and" and opening == "between"):
                last = dates[at + 1]
        at += 1 if last is first else 2
        yield _ranged(first, last) if last is not first else _dated(stretch, first)


def _dated(stretch: TextSpan, date: Date) -> Figure:
    edge, bound = _edge(stretch, date.first)
    unit, low, high = _interval(date)
    limit = bound_at(stretch.tokens, stretch.first, date.first, date.last, stretch.last)
    if not limit.bound or stretch.tokens.lower[limit.first] == "within":
        limit = BoundAt(bound, date.first, date.last)
    return Figure(
        _DATE, unit, low, high, limit.first, limit.last, limit.bound, edge=edge, date=date
    )


def _ranged(first: Date, last: Date) -> Figure:
    """Return a range of two dates; the second may provide the first's year."""
    begin = first if first.year else replace(first, year=last.year)
    unit, low, _ = _interval(begin)
    high = _interval(last)[2]
    if high < low:
        # "From November to February" crosses the turn of a year.
        if unit == YEARLY:
            high += YEAR
        elif not first.year:
            low -= YEAR
    return Figure(
        _DATE, unit, low, high, first.first, last.last, date=begin, until=last, is_range=high > low
    )


def _interval(date: Date) -> tuple[str, float, float]:
    """Return unit, first and last day of a date."""
    year, month, day = date.year or 0, date.month, date.day
    low = year * YEAR + 31 * ((month or 1) - 1) + (day or 1) - 1
    length = 1 if day else 31 if month else YEAR * date.years
    return "date" if date.year else YEARLY, low, low + length - 1


def factor_of(figure: Figure) -> float | None:
    """Return the factor of the figure's unit as it is written, or None if it has no such unit."""
    unit = UNITS.get(figure.spelled) or UNITS.get(f"{figure.spelled}s")
    return unit[1] if unit else None


def _with_units(stretch: TextSpan, amounts: Iterator[Figure]) -> Iterator[Figure]:
    """Yield amounts; a bare number takes the previous figure's unit: "16 weeks, the primary 4"."""
    before: Figure | None = None
    for figure in amounts:
        factor = factor_of(before) if before else None
        if before and factor and _is_bare(stretch, figure):
            figure = replace(
                figure, kind=before.kind, unit=before.unit, low=figure.low * factor,
                high=figure.high * factor, step=factor, spelled=before.spelled, rate=before.rate,
            )  # fmt: skip
        yield figure
        before = figure


def _is_bare(stretch: TextSpan, figure: Figure) -> bool:
    """Return whether a number counts nothing and ends its clause."""
    if figure.unit or figure.things:
        return False
    at = figure.last
    if stretch.tokens.lower[figure.first - 1] in ("in", "of", "out", "year", "level"):
        return False
    return at >= stretch.last or stretch.tokens.kinds[at] == MARK


def _beyond(stretch: TextSpan, amounts: Sequence[Figure]) -> Iterator[Figure]:
    """Yield an amount again with the opposite bound: "up to $10,000; above that the CFO"."""
    lower = stretch.tokens.lower
    if not amounts or _BEYOND.isdisjoint(lower[stretch.first : stretch.last]):
        return
    for at in range(stretch.first, stretch.last - 1):
        if lower[at] in _BEYOND and lower[at + 1] in ("that", "this"):
            before = [figure for figure in amounts if figure.last <= at]
            if before:
                yield replace(before[-1], first=at, last=at + 2, bound=Bound.OVER)
