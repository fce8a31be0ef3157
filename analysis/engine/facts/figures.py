"""The figures of a sentence, each with its bound, its rate and the end of a range it marks."""

from collections.abc import Container, Iterator
from enum import StrEnum
from itertools import pairwise
from math import inf
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from analysis.engine.facts.bounds import Bound, bound_at
from analysis.engine.facts.frequency import OPENERS, frequencies
from analysis.engine.facts.model import FactKind, Stretch
from analysis.engine.facts.rates import Rate, rate_after
from analysis.engine.facts.weekdays import DAY_WORDS, day_sets
from lib.text.clock import CLOCK, CLOCK_OPEN
from lib.text.dates import Date
from lib.text.figures import NO_FIGURES, Figures
from lib.text.figures import figures as read_text
from lib.text.quantity import LABEL, ORDINAL, Quantity
from lib.text.tokens import MARK, NUMBER
from lib.text.units import CURRENCIES, UNITS
from lib.text.words import word_set

_MEASURE, _TIME, _DATE = FactKind.MEASURE, FactKind.TIME, FactKind.DATE
_UNBOUND = Bound.NONE
_START = word_set(
    "open opens opened opening start starts started starting begin begins beginning began from "
    "since"
)
_END = word_set(
    "close closes closed closing end ends ended ending until till by finish finishes shut shuts "
    "deadline expire expires through"
)
EDGE_WORDS = _START | _END | {"hour", "hours"}
_EDGE_REACH = 5
_BEYOND = frozenset({"above", "beyond", "over", "exceeding"})
_KINDS = {
    **dict.fromkeys(CURRENCIES.values(), FactKind.MONEY),
    **dict.fromkeys((CLOCK, CLOCK_OPEN), FactKind.TIME),
    "%": FactKind.PERCENT,
    "s": FactKind.DURATION,
    **dict.fromkeys(("", LABEL, ORDINAL), FactKind.NUMBER),
}
_RANGE_JOINTS = word_set("to through until till - – —")
_IN_WORDS = OPENERS | DAY_WORDS
"""One of these stands in every frequency and every group of days."""
_PLACE = attrgetter("first", "last")
_DATE_BOUNDS = {"after": Bound.OVER, "before": Bound.UNDER}


class Edge(StrEnum):
    """Which end of an interval a date or a time marks."""

    NONE = ""
    START = "start"
    END = "end"


class Figure(Struct, frozen=True, gc=False):
    """A figure at tokens [first, last): an amount [low, high], a date, days or a frequency.

    Amounts are in the base unit of their dimension `unit`; `step` is the worth of the last digit,
    `spelled` the unit as written, `things` are the stems of what a bare number counts. A frequency
    is an amount of times a second.
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
    days: frozenset[int] = frozenset()
    hyphenated: bool = False
    """Whether it describes a noun: "a five-day week"."""

    @property
    def is_range(self) -> bool:
        """Whether it has two ends."""
        return self.high > self.low


def figures(stretch: Stretch, known_figures: Figures | None = None) -> tuple[Figure, ...]:
    """The figures of a stretch, left to right; `read` are those of `text`, if known."""
    tokens, first, last = stretch.tokens, stretch.first, stretch.last
    plain = read_text(tokens, first, last) if known_figures is None else known_figures
    if _IN_WORDS.isdisjoint(tokens.lower[first:last]):
        if plain is NO_FIGURES:
            return ()
        amounts = _amounts(stretch, plain)
        return _in_order([*amounts, *_dates(stretch, plain.dates), *_beyond(stretch, amounts)])
    often = [
        Figure(FactKind.FREQUENCY, "times", times, times, at, end)
        for at, end, times in frequencies(tokens, first, last)
    ]
    positions = {at for frequency in often for at in range(frequency.first, frequency.last)}
    amounts = _amounts(stretch, plain, positions)
    days = [
        Figure(FactKind.DAYS, "days", 0, 0, at, end, days=days)
        for at, end, days in day_sets(tokens, first, last)
    ]
    beyond = list(_beyond(stretch, amounts))
    return _in_order([*often, *amounts, *days, *_dates(stretch, plain.dates), *beyond])


def _in_order(figures: list[Figure]) -> tuple[Figure, ...]:
    """By place; those at the same tokens stay as they are."""
    return tuple(sorted(figures, key=_PLACE)) if len(figures) > 1 else tuple(figures)


def _amounts(
    stretch: Stretch, plain: Figures, left_out: Container[int] = frozenset()
) -> list[Figure]:
    """The amounts, but those that begin at tokens left out."""
    return _with_units(
        stretch,
        [
            figure
            for quantity in plain.quantities
            if quantity.first not in left_out
            for figure in _of_quantity(stretch, quantity)
        ],
    )


def kind_of(unit: str) -> FactKind:
    """The kind of an amount by its dimension."""
    return _KINDS.get(unit, _MEASURE)


def _of_quantity(stretch: Stretch, quantity: Quantity) -> Iterator[Figure]:
    tokens, last = stretch.tokens, stretch.last
    start = quantity.first - _has_sign(stretch, quantity.first)
    bound_kind, first, end = bound_at(tokens, stretch.first, start, quantity.last, last)
    low = quantity.high if quantity.low == -inf else quantity.low
    high = quantity.low if quantity.high == inf else quantity.high
    kind = kind_of(quantity.unit)
    rate, after = rate_after(tokens, quantity.last, last)
    figure = Figure(
        kind, quantity.unit, low, high, first, max(end, after), bound_kind, quantity.step,
        quantity.spelled, quantity.about, quantity.things, rate,
        hyphenated=_is_hyphenated(stretch, quantity),
    )  # fmt: skip
    if kind is not _TIME:
        yield figure
    elif figure.is_range:
        yield replace(figure, high=low, edge=Edge.START)
        yield replace(figure, low=high, edge=Edge.END)
    else:
        yield replace(figure, edge=_edge(stretch, quantity.first))


def _is_hyphenated(stretch: Stretch, quantity: Quantity) -> bool:
    """Whether a hyphen joins number and unit; that of "twenty-six metres" is the number's."""
    before_unit = stretch.tokens.words[quantity.first + 1 : quantity.last][-2:-1]
    return bool(quantity.unit) and before_unit == ["-"]


def _has_sign(stretch: Stretch, at: int) -> bool:
    return at > stretch.first and stretch.tokens.lower[at - 1] in CURRENCIES


def _edge(stretch: Stretch, at: int) -> Edge:
    """Whether the nearest word before speaks of a beginning or of an end."""
    for place in range(at - 1, max(stretch.first, at - _EDGE_REACH) - 1, -1):
        word = stretch.tokens.lower[place]
        if word in _START:
            return Edge.START
        if word in _END:
            return Edge.END
        if stretch.tokens.kinds[place] == NUMBER and word not in _RANGE_JOINTS:
            break
    return Edge.NONE


def _dates(stretch: Stretch, dates: tuple[Date, ...]) -> Iterator[Figure]:
    ranged = _ends_of_ranges(stretch, dates) if len(dates) > 1 else {}
    for at, date in enumerate(dates):
        before = stretch.tokens.lower[date.first - 1] if date.first > stretch.first else ""
        yield Figure(
            _DATE, "date", 0, 0, date.first, date.last,
            bound=_DATE_BOUNDS.get(before, _UNBOUND),
            edge=ranged.get(at) or _edge(stretch, date.first), date=date,
        )  # fmt: skip


def _ends_of_ranges(stretch: Stretch, dates: tuple[Date, ...]) -> dict[int, Edge]:
    """Which dates (indices) begin and end "from 2004 to 2011" and "between May and June"."""
    lower, edges = stretch.tokens.lower, dict[int, Edge]()
    for at, (first, second) in enumerate(pairwise(dates)):
        between = lower[first.last : second.first]
        opening = lower[first.first - 1] if first.first > stretch.first else ""
        joint = "and" if opening == "between" else between[0] if between else ""
        if between == [joint] and (joint == "and" or joint in _RANGE_JOINTS):
            edges |= {at: Edge.START, at + 1: Edge.END}
    return edges


def _with_units(stretch: Stretch, amounts: list[Figure]) -> list[Figure]:
    """A bare number takes the unit of the figure before it: "16 weeks, the primary 4"."""
    figures: list[Figure] = []
    for figure in amounts:
        before = figures[-1] if figures else None
        worth = UNITS.get(before.spelled) or UNITS.get(f"{before.spelled}s") if before else None
        if before and worth and _is_bare(stretch, figure):
            scale = worth[1]
            figure = replace(
                figure, kind=before.kind, unit=before.unit, low=figure.low * scale,
                high=figure.high * scale, step=scale, spelled=before.spelled, rate=before.rate,
            )  # fmt: skip
        figures.append(figure)
    return figures


def _is_bare(stretch: Stretch, figure: Figure) -> bool:
    """Whether a number counts nothing and ends its clause."""
    if figure.unit or figure.things:
        return False
    at = figure.last
    if stretch.tokens.lower[figure.first - 1] in ("in", "of", "out", "year", "level"):
        return False
    return at >= stretch.last or stretch.tokens.kinds[at] == MARK


def _beyond(stretch: Stretch, amounts: list[Figure]) -> Iterator[Figure]:
    """ "up to $10,000; above that the CFO": the amount once more, from the other side."""
    lower = stretch.tokens.lower
    if not amounts or _BEYOND.isdisjoint(lower[stretch.first : stretch.last]):
        return
    for at in range(stretch.first, stretch.last - 1):
        if lower[at] in _BEYOND and lower[at + 1] in ("that", "this"):
            before = [figure for figure in amounts if figure.last <= at]
            if before:
                yield replace(before[-1], first=at, last=at + 2, bound=Bound.OVER)
