"""Figures derived from the source's: sums, differences, products, time spans."""

import datetime
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from math import isclose

from msgspec import Struct
from msgspec.structs import replace

from analysis.engine.facts.bounds import Bound
from analysis.engine.facts.figures import DAY, Figure
from analysis.engine.facts.model import FactKind, TextSpan
from analysis.engine.facts.reading import Evidence, FigureQuery
from lib.text.dates import CLOCK_OPEN, HALF_DAY, Date
from lib.text.units import UNITS
from lib.text.words import word_set

_TOTAL = word_set("total together altogether combined sum overall all both add adds plus")
_FELL = word_set(
    "dropped fell decreased declined shrank lost cut reduced down drop fall decrease decline lower "
    "less fewer reduction sank slipped"
)
_ROSE = word_set(
    "rose increased grew gained climbed up increase rise growth higher more jumped gain "
    "added raised"
)
_APART = word_set("difference between gap longer shorter older younger wider later earlier saved")
_LESS, _PLUS = word_set("less minus −"), word_set("plus +")
_YEARS, _DAYS = word_set("year decade"), word_set("day week fortnight month")
_HOURS = word_set("hour hr minute min")
_NOT_COMPUTED = (FactKind.DATE, FactKind.DAYS, FactKind.TIME, FactKind.FREQUENCY)
_COUNTED = (FactKind.NUMBER, FactKind.DURATION)
_SECONDS_A_DAY, _SECONDS_A_YEAR = UNITS["day"][1], UNITS["year"][1]
_NO_LEAP_YEAR = 2001
_MOST_SUMMED, _MOST_COUNTED, _MOST_PARTS = 5, 100, 8
_OPERANDS = 2
_ABOUT = 0.1


class Derived(Struct, frozen=True, gc=False):
    """A value computed from figures of passage `evidence`, and the computation in words."""

    value: float
    evidence: int
    parts: tuple[Figure, ...]
    words: str
    falls: bool | None = None
    """For a change, True if the source's figures fall."""
    count: Figure | None = None
    """The figure of the claim that multiplies a price."""


def follows(question: FigureQuery, figure: Figure, evidence: Sequence[Evidence]) -> Derived | None:
    """Return the computation that yields a figure of the claim, or None."""
    if figure.kind in _NOT_COMPUTED or figure.is_range:
        return None
    if figure.bound not in (Bound.NONE, Bound.LEAST, Bound.MOST):
        return None
    words = frozenset(question.claim.words)
    # A comparison of two things ("more than") has no direction in time.
    fell, rose = not words.isdisjoint(_FELL), not words.isdisjoint(_ROSE)
    direction = fell if fell != rose and "than" not in words else None
    counts = list(_counts(figure, question.figures))
    for derived in _candidates(figure, words, counts, evidence):
        turned = None not in (derived.falls, direction) and derived.falls is not direction
        if not turned and _is_near(figure, derived.value):
            return derived
    return None


def _candidates(
    figure: Figure,
    words: frozenset[str],
    counts: Sequence[tuple[Figure, float]],
    evidence: Sequence[Evidence],
) -> Iterator[Derived]:
    changes = not words.isdisjoint(_FELL | _ROSE | _APART)
    totals = not words.isdisjoint(_TOTAL)
    lasts = figure.kind is FactKind.DURATION and figure.rate is None
    if not (changes or totals or counts or lasts):
        return
    for index, item in enumerate(evidence):
        passage, figures = item.passage, item.figures
        plain = _plain(figure, figures)
        if changes:
            yield from _differences(index, passage, plain)
        if figure.kind is FactKind.PERCENT and changes:
            yield from _shares(index, passage, list(_ends(figures)))
        if totals:
            yield from _sums(index, passage, plain)
        for quantity, count in counts:
            for price in plain:
                text = f"{count:g} × {_quote(passage, price)}"
                yield Derived(count * price.low, index, (price,), text, count=quantity)
        if lasts:
            yield from _spans(figure, index, passage, figures)


def _plain(figure: Figure, figures: Sequence[Figure]) -> list[Figure]:
    """Return the figures that can be added to give one like the claim's."""
    return [
        end
        for end in _ends(figures)
        if end.unit == figure.unit and not end.bound and end.kind is figure.kind
    ]


def _ends(figures: Sequence[Figure]) -> Iterator[Figure]:
    """Yield the figures, each range as its two ends: "from $9 to $12"."""
    for figure in figures:
        yield replace(figure, high=figure.low)
        if figure.is_range:
            yield replace(figure, low=figure.high)


def _differences(index: int, passage: TextSpan, plain: Sequence[Figure]) -> Iterator[Derived]:
    for earlier, later in combinations(plain[:_MOST_PARTS], 2):
        text = f"the difference of {_pair(passage, earlier, later)}"
        value, falls = abs(earlier.low - later.low), later.low < earlier.low
        yield Derived(value, index, (earlier, later), text, falls)


def _shares(index: int, passage: TextSpan, figures: Sequence[Figure]) -> Iterator[Derived]:
    amounts = [
        figure
        for figure in figures
        if figure.kind not in (FactKind.PERCENT, *_NOT_COMPUTED) and figure.low > 0
    ]
    for earlier, later in combinations(amounts[:_MOST_PARTS], 2):
        if earlier.unit == later.unit:
            text = f"the change of {_pair(passage, earlier, later)}"
            share = 100 * abs(later.low - earlier.low) / earlier.low
            yield Derived(share, index, (earlier, later), text, later.low < earlier.low)


def _sums(index: int, passage: TextSpan, plain: Sequence[Figure]) -> Iterator[Derived]:
    for length in range(2, min(_MOST_SUMMED, len(plain)) + 1):
        for start in range(len(plain) - length + 1):
            parts = tuple(plain[start : start + length])
            text = " + ".join(_quote(passage, part) for part in parts)
            yield Derived(sum(part.low for part in parts), index, parts, text)


def _spans(
    figure: Figure, index: int, passage: TextSpan, figures: Sequence[Figure]
) -> Iterator[Derived]:
    """Yield the time spans from one date or time of day to the next."""
    if figure.spelled in _HOURS:
        times = list(_ends([each for each in figures if each.kind is FactKind.TIME]))
        for earlier, later in pairwise(times):
            half_open = CLOCK_OPEN in (earlier.unit, later.unit)
            minutes = (later.low - earlier.low) % (HALF_DAY if half_open else DAY)
            if minutes:
                text = _span(passage, earlier, later)
                yield Derived(60 * minutes, index, (earlier, later), text)
        return
    dated = [
        (each, date) for each in figures if each.date for date in (each.date, each.until) if date
    ]
    for (earlier, first), (later, last) in pairwise(dated):
        text = _span(passage, earlier, later)
        if figure.spelled in _DAYS and first.day and last.day:
            days = _days_apart(first, last)
            # The number of days without and with the last day.
            for count in (days, days + 1) if days else ():
                yield Derived(count * _SECONDS_A_DAY, index, (earlier, later), text)
        elif figure.spelled in _YEARS and first.year and last.year:
            years = abs(last.year - first.year) * _SECONDS_A_YEAR
            yield Derived(years, index, (earlier, later), text)


def _days_apart(first: Date, last: Date) -> int:
    """Return the days between two dates, or 0 if they cannot be computed."""
    if not (first.day and first.month and last.day and last.month):
        return 0
    year = first.year or last.year or _NO_LEAP_YEAR
    try:
        begin = datetime.date(first.year or year, first.month, first.day)
        return max(0, (datetime.date(last.year or year, last.month, last.day) - begin).days)
    except ValueError:
        return 0


def _counts(figure: Figure, ours: Sequence[Figure]) -> Iterator[tuple[Figure, float]]:
    """Yield the claim's small whole numbers besides the figure: "two mugs cost EUR 15"."""
    for our in ours:
        count = our.low if our.kind is FactKind.NUMBER else our.low / (our.step or 1)
        counts = our.kind in _COUNTED and our is not figure
        if counts and 1 < count <= _MOST_COUNTED and count == int(count):
            yield our, count


def _is_near(figure: Figure, value: float) -> bool:
    if figure.about:
        return abs(figure.low - value) <= _ABOUT * abs(value)
    slack = 0.0 if figure.kind in _COUNTED else figure.step / 2
    return isclose(figure.low, value, rel_tol=1e-6, abs_tol=slack)


def miscounted(
    question: FigureQuery, figure: Figure, evidence: Sequence[Evidence]
) -> Derived | None:
    """Return the computation that the claim states with a wrong result, or None.

    The claim has no figures but "900 less 150" and the result (a factor would change it), and the
    sources have at least one of the two.
    """
    claim, ours = question.claim, question.figures
    if figure.bound or figure.is_range or figure.about or len(ours) != _OPERANDS + 1:
        return None
    first, second = (our for our in ours if our is not figure)
    if any((our.unit, our.kind) != (figure.unit, figure.kind) for our in ours):
        return None
    if figure.kind in _NOT_COMPUTED or first.last <= figure.first < second.first:
        return None
    between = claim.tokens.lower[first.last : second.first]
    # A hyphen may stand within a word: "48 for the check-up and 105 for the cleaning".
    is_less = between == ["-"] or not _LESS.isdisjoint(between)
    sign = -1 if is_less else 0 if _PLUS.isdisjoint(between) else 1
    value = first.low + sign * second.low
    if not sign or _is_near(figure, value):
        return None
    text = f"{_quote(claim, first)} {'+' if sign > 0 else '−'} {_quote(claim, second)}"
    operands = (first.low, second.low)
    for index, item in enumerate(evidence):
        parts = [each for each in _plain(figure, item.figures) if each.low in operands]
        if parts:
            return Derived(value, index, tuple(parts), text)
    return None


def _pair(passage: TextSpan, earlier: Figure, later: Figure, joint: str = "and") -> str:
    first, second = _quote(passage, earlier), _quote(passage, later)
    return first if earlier.first == later.first else f"{first} {joint} {second}"


def _span(passage: TextSpan, earlier: Figure, later: Figure) -> str:
    return f"the time from {_pair(passage, earlier, later, 'to')}"


def _quote(passage: TextSpan, figure: Figure) -> str:
    return passage.quote(figure.first, figure.last)
