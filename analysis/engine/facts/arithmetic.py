"""Figures that follow from those of the source: sums, differences, products, changes, spans."""

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import isclose

from msgspec.structs import replace

from analysis.engine.facts.bounds import Bound
from analysis.engine.facts.figures import Figure
from analysis.engine.facts.model import FactKind, Stretch
from lib.text.clock import CLOCK_OPEN
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
_YEARS = word_set("years year decade decades")
_DAYS, _HOURS = word_set("day week fortnight month"), word_set("hour hr minute min")
_DAY, _HALF_DAY = 86400.0, 43200.0
_NOT_COMPUTED = (FactKind.DATE, FactKind.DAYS, FactKind.TIME, FactKind.FREQUENCY)
_NUMBER, _COUNTED = FactKind.NUMBER, (FactKind.NUMBER, FactKind.DURATION)
_MOST_SUMMED = 5
_YEAR = 31557600.0
_NO_LEAP_YEAR = 2001
_MOST_COUNTED = 100
_ABOUT = 0.1


@dataclass(frozen=True, slots=True)
class Derived:
    """A value computed from figures of passage `evidence`, and the computation in words."""

    value: float
    evidence: int
    parts: tuple[Figure, ...]
    words: str
    falls: bool | None = None
    """For a change: whether the source's figures fall."""
    count: Figure | None = None
    """The figure of the claim that a price is multiplied by."""


def follows(
    claim: Stretch,
    figure: Figure,
    ours: Sequence[Figure],
    evidence: Sequence[tuple[Stretch, Sequence[Figure]]],
) -> Derived | None:
    """The computation that yields the claim's figure; None where there is none."""
    if figure.kind in _NOT_COMPUTED:
        return None
    words = set(claim.tokens.lower[claim.first : claim.last])
    counts = list(_counts(figure, ours))
    for derived in _candidates(figure, words, counts, evidence):
        direction = _direction(words)
        if derived.falls is not None and direction is not None and derived.falls is not direction:
            continue
        if _is_near(figure, derived.value):
            return derived
    return None


def _candidates(
    figure: Figure,
    words: set[str],
    counts: list[tuple[Figure, float]],
    evidence: Sequence[tuple[Stretch, Sequence[Figure]]],
) -> Iterator[Derived]:
    changes = not words.isdisjoint(_FELL | _ROSE | _APART)
    totals = not words.isdisjoint(_TOTAL)
    lasts = figure.kind is FactKind.DURATION and figure.rate is None
    spans = figure.kind is FactKind.DURATION and not words.isdisjoint(_YEARS)
    if not (changes or totals or counts or spans or lasts):
        return
    for index, (passage, figures) in enumerate(evidence):
        plain = [
            end
            for end in _ends(figures)
            if end.unit == figure.unit and not end.bound and end.kind is figure.kind
        ]
        if changes:
            yield from _differences(index, passage, plain)
        if figure.kind is FactKind.PERCENT and changes:
            yield from _shares(index, passage, list(_ends(figures)))
        if totals:
            yield from _sums(index, passage, plain)
        yield from _products(index, passage, plain, counts)
        if spans:
            yield from _years_between(index, passage, figures)
        if lasts and figure.spelled in _DAYS:
            yield from _days_between(index, passage, figures)
        if lasts and figure.spelled in _HOURS:
            yield from _hours_between(index, passage, figures)


def _ends(figures: Sequence[Figure]) -> Iterator[Figure]:
    """The figures, each range as its two ends: "from $9 to $12"."""
    for figure in figures:
        yield figure if figure.low == figure.high else replace(figure, high=figure.low)
        if figure.is_range:
            yield replace(figure, low=figure.high)


def _differences(index: int, passage: Stretch, plain: list[Figure]) -> Iterator[Derived]:
    for earlier, later in combinations(plain, 2):
        words = f"the difference of {_pair(passage, earlier, later)}"
        yield Derived(
            abs(earlier.low - later.low), index, (earlier, later), words, later.low < earlier.low
        )


def _shares(index: int, passage: Stretch, figures: Sequence[Figure]) -> Iterator[Derived]:
    amounts = [
        figure for figure in figures if figure.kind is not FactKind.PERCENT and figure.low > 0
    ]
    for earlier, later in combinations(amounts, 2):
        if earlier.unit != later.unit or earlier.unit in ("date", "days"):
            continue
        words = f"the change of {_pair(passage, earlier, later)}"
        share = 100 * abs(later.low - earlier.low) / earlier.low
        yield Derived(share, index, (earlier, later), words, later.low < earlier.low)


def _sums(index: int, passage: Stretch, plain: list[Figure]) -> Iterator[Derived]:
    for length in range(2, min(_MOST_SUMMED, len(plain)) + 1):
        for start in range(len(plain) - length + 1):
            parts = tuple(plain[start : start + length])
            words = " + ".join(_quote(passage, part) for part in parts)
            yield Derived(sum(part.low for part in parts), index, parts, words)


def _products(
    index: int, passage: Stretch, plain: list[Figure], counts: list[tuple[Figure, float]]
) -> Iterator[Derived]:
    for quantity, count in counts:
        for price in plain:
            words = f"{count:g} × {_quote(passage, price)}"
            yield Derived(count * price.low, index, (price,), words, count=quantity)


def _years_between(index: int, passage: Stretch, figures: Sequence[Figure]) -> Iterator[Derived]:
    dated = [figure for figure in figures if figure.date and figure.date.year]
    for earlier, later in pairwise(dated):
        if earlier.date and later.date and earlier.date.year and later.date.year:
            difference = abs(later.date.year - earlier.date.year)
            words = _span(passage, earlier, later)
            yield Derived(difference * _YEAR, index, (earlier, later), words)


def _days_between(index: int, passage: Stretch, figures: Sequence[Figure]) -> Iterator[Derived]:
    """From one date to the next, without and with its last day."""
    dated = [figure for figure in figures if figure.date and figure.date.day]
    for earlier, later in pairwise(dated):
        days = _days_apart(earlier, later)
        words = _span(passage, earlier, later)
        for count in (days, days + 1) if days else ():
            yield Derived(count * _DAY, index, (earlier, later), words)


def _days_apart(earlier: Figure, later: Figure) -> int:
    """The days from one date to another; 0 where they do not follow from them."""
    first, last = earlier.date, later.date
    if not (first and last and first.day and first.month and last.day and last.month):
        return 0
    year = first.year or last.year or _NO_LEAP_YEAR
    try:
        begin = datetime.date(first.year or year, first.month, first.day)
        return max(0, (datetime.date(last.year or year, last.month, last.day) - begin).days)
    except ValueError:
        return 0


def _hours_between(index: int, passage: Stretch, figures: Sequence[Figure]) -> Iterator[Derived]:
    """From one time of day to the next; over midnight too, and where no half of a day is told."""
    times = [figure for figure in figures if figure.kind is FactKind.TIME]
    for earlier, later in pairwise(times):
        half_open = CLOCK_OPEN in (earlier.unit, later.unit)
        seconds = 60 * (later.low - earlier.low) % (_HALF_DAY if half_open else _DAY)
        words = _span(passage, earlier, later)
        if seconds:
            yield Derived(seconds, index, (earlier, later), words)


def _counts(figure: Figure, ours: Sequence[Figure]) -> Iterator[tuple[Figure, float]]:
    """The small whole numbers of the claim beside the figure: "two mugs cost EUR 15"."""
    for our in ours:
        count = our.low if our.kind is _NUMBER else our.low / (our.step or 1)
        counts = our.kind in _COUNTED and our is not figure
        if counts and 1 < count <= _MOST_COUNTED and count == int(count):
            yield our, count


def _direction(words: set[str]) -> bool | None:
    """True where the claim says that something fell, False for rose; None for neither or both.

    A comparison of two things ("more than") has no direction in time.
    """
    if "than" in words:
        return None
    fell, rose = not words.isdisjoint(_FELL), not words.isdisjoint(_ROSE)
    return fell if fell != rose else None


def _is_near(figure: Figure, value: float) -> bool:
    if figure.is_range or figure.bound not in (Bound.NONE, Bound.LEAST, Bound.MOST):
        return False
    if figure.about:
        return abs(figure.low - value) <= _ABOUT * abs(value)
    counts = figure.kind in _COUNTED
    slack = 0.0 if counts else figure.step / 2
    return isclose(figure.low, value, rel_tol=1e-6, abs_tol=slack)


def _pair(passage: Stretch, earlier: Figure, later: Figure) -> str:
    first, second = _quote(passage, earlier), _quote(passage, later)
    return first if earlier.first == later.first else f"{first} and {second}"


def _span(passage: Stretch, earlier: Figure, later: Figure) -> str:
    first, last = _quote(passage, earlier), _quote(passage, later)
    return (
        f"the time from {first}"
        if earlier.first == later.first
        else (f"the time from {first} to {last}")
    )


def _quote(passage: Stretch, figure: Figure) -> str:
    return passage.quote(figure.first, figure.last)
