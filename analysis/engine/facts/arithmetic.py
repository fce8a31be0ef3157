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
from lib.text.dates import CLOCK_OPEN, HALF_DAY, Date
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
_LESS, _PLUS = word_set("less minus − -"), word_set("plus +")
_TIMES = word_set("times each per every half double twice")
_YEARS, _DAYS = word_set("year decade"), word_set("day week fortnight month")
_HOURS = word_set("hour hr minute min")
_NOT_COMPUTED = (FactKind.DATE, FactKind.DAYS, FactKind.TIME, FactKind.FREQUENCY)
_NUMBER, _COUNTED = FactKind.NUMBER, (FactKind.NUMBER, FactKind.DURATION)
_SECONDS_A_DAY, _SECONDS_A_YEAR = 86400.0, 31557600.0
_NO_LEAP_YEAR = 2001
_MOST_SUMMED, _MOST_COUNTED, _MOST_PARTS = 5, 100, 8
_ABOUT = 0.1

Passages = Sequence[tuple[TextSpan, Sequence[Figure]]]


class Derived(Struct, frozen=True, gc=False):
    """A value computed from figures of passage `evidence`, and the computation in words."""

    value: float
    evidence: int
    parts: tuple[Figure, ...]
    words: str
    falls: bool | None = None
    """For a change: whether the source's figures fall."""
    count: Figure | None = None
    """The figure of the claim that multiplies a price."""


def follows(
    claim: TextSpan, figure: Figure, ours: Sequence[Figure], evidence: Passages
) -> Derived | None:
    """Return the computation that yields the claim's figure, or None."""
    if figure.kind in _NOT_COMPUTED or figure.is_range:
        return None
    if figure.bound not in (Bound.NONE, Bound.LEAST, Bound.MOST):
        return None
    words = frozenset(claim.words)
    # A comparison of two things ("more than") has no direction in time.
    fell, rose = not words.isdisjoint(_FELL), not words.isdisjoint(_ROSE)
    direction = fell if fell != rose and "than" not in words else None
    for derived in _candidates(figure, words, list(_counts(figure, ours)), evidence):
        turned = None not in (derived.falls, direction) and derived.falls is not direction
        if not turned and _is_near(figure, derived.value):
            return derived
    return None


def _candidates(
    figure: Figure,
    words: frozenset[str],
    counts: Sequence[tuple[Figure, float]],
    evidence: Passages,
) -> Iterator[Derived]:
    changes = not words.isdisjoint(_FELL | _ROSE | _APART)
    totals = not words.isdisjoint(_TOTAL)
    lasts = figure.kind is FactKind.DURATION and figure.rate is None
    if not (changes or totals or counts or lasts):
        return
    for index, (passage, figures) in enumerate(evidence):
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
        count = our.low if our.kind is _NUMBER else our.low / (our.step or 1)
        counts = our.kind in _COUNTED and our is not figure
        if counts and 1 < count <= _MOST_COUNTED and count == int(count):
            yield our, count


def _is_near(figure: Figure, value: float) -> bool:
    if figure.about:
        return abs(figure.low - value) <= _ABOUT * abs(value)
    slack = 0.0 if figure.kind in _COUNTED else figure.step / 2
    return isclose(figure.low, value, rel_tol=1e-6, abs_tol=slack)


def miscounted(
    claim: TextSpan, figure: Figure, ours: Sequence[Figure], evidence: Passages
) -> Derived | None:
    """Return the computation that the claim states with a wrong result, or None.

    These are "900 less 150", with both parts, the difference of a source's only two values, and the
    sum of all of its values.
    """
    if figure.kind in _NOT_COMPUTED or figure.bound or figure.is_range or figure.about:
        return None
    alike = [our for our in ours if our.unit == figure.unit and our.kind is figure.kind]
    values = {our.low for our in alike if our is not figure}
    own_sum = _own_sum(claim, figure, alike)
    for index, (_, figures) in enumerate(evidence):
        plain = _plain(figure, figures)
        if own_sum and not values.isdisjoint(each.low for each in plain):
            parts = tuple(each for each in plain if each.low in values)
            return Derived(own_sum[0], index, parts, own_sum[1])
    if own_sum or (len(alike) > 1 and not values):
        return None
    return _only_result(claim, figure, values, evidence)


def _own_sum(claim: TextSpan, figure: Figure, alike: Sequence[Figure]) -> tuple[float, str] | None:
    """Return result and words of "900 less 150" if a claim's figures are those and a result."""
    others = [our for our in alike if our is not figure]
    if len(others) != 2:
        return None
    first, second = others
    between = frozenset(claim.tokens.lower[first.last : second.first])
    sign = -1.0 if not between.isdisjoint(_LESS) else 1.0 if not between.isdisjoint(_PLUS) else 0
    value = first.low + sign * second.low
    inside = first.last <= figure.first < second.first
    if not sign or inside or _is_near(figure, value):
        return None
    text = f"{_quote(claim, first)} {'+' if sign > 0 else '−'} {_quote(claim, second)}"
    return value, text


def _only_result(
    claim: TextSpan, figure: Figure, values: set[float], evidence: Passages
) -> Derived | None:
    """Return the difference of the source's only two values, or the sum of all of them."""
    words, behind = frozenset(claim.words), claim.tokens.lower[figure.last : figure.last + 3]
    apart = "than" in behind and not (_FELL | _ROSE | _APART).isdisjoint(behind)
    totals = not words.isdisjoint(_TOTAL)
    if not (apart or totals) or not words.isdisjoint(_TIMES):
        return None
    parts = [
        (index, part)
        for index, (_, figures) in enumerate(evidence)
        for part in _plain(figure, figures)
    ]
    holders = {index for index, _ in parts}
    if len(holders) != 1 or not 2 <= len(parts) <= _MOST_PARTS:
        return None
    (index,) = holders
    passage, figures = evidence[index]
    # "2 notebooks at 4.50 euros each": the prices are not the summands.
    if not _TIMES.isdisjoint(passage.words):
        return None
    plain = [part for _, part in parts]
    alike = all(each.unit == figure.unit for each in figures if each.kind is figure.kind)
    if not alike or not values <= {part.low for part in plain}:
        return None
    if apart and len(plain) == 2:
        text = f"the difference of {_pair(passage, plain[0], plain[1])}"
        value = abs(plain[0].low - plain[1].low)
        near = _is_near(figure, value) or value == 0
        return None if near else Derived(value, index, tuple(plain), text)
    if not totals or apart:
        return None
    sums = {
        sum(part.low for part in summands)
        for length in range(1, len(plain) + 1)
        for summands in combinations(plain, length)
    }
    if any(_is_near(figure, value) for value in sums):
        return None
    text = " + ".join(_quote(passage, part) for part in plain)
    return Derived(sum(part.low for part in plain), index, tuple(plain), text)


def _pair(passage: TextSpan, earlier: Figure, later: Figure, joint: str = "and") -> str:
    first, second = _quote(passage, earlier), _quote(passage, later)
    return first if earlier.first == later.first else f"{first} {joint} {second}"


def _span(passage: TextSpan, earlier: Figure, later: Figure) -> str:
    return f"the time from {_pair(passage, earlier, later, 'to')}"


def _quote(passage: TextSpan, figure: Figure) -> str:
    return passage.quote(figure.first, figure.last)
