"""Figures that follow from those of the source: sums, differences, products, changes, spans."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from math import isclose

from analysis.engine.facts.bounds import Bound
from analysis.engine.facts.figures import Figure
from analysis.engine.facts.model import FactKind, Stretch
from text.words import word_set

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
_NOT_COMPUTED = (FactKind.DATE, FactKind.DAYS, FactKind.TIME, FactKind.FREQUENCY)
_MOST_SUMMED = 5
_YEAR = 31557600.0
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
    said = set(claim.tokens.lower[claim.first : claim.last])
    counts = list(_counts(figure, ours))
    for derived in _candidates(figure, said, counts, evidence):
        direction = _direction(said)
        if derived.falls is not None and direction is not None and derived.falls is not direction:
            continue
        if _is_near(figure, derived.value):
            return derived
    return None


def _candidates(
    figure: Figure,
    said: set[str],
    counts: list[tuple[Figure, float]],
    evidence: Sequence[tuple[Stretch, Sequence[Figure]]],
) -> Iterator[Derived]:
    changes = not said.isdisjoint(_FELL | _ROSE | _APART)
    totals = not said.isdisjoint(_TOTAL)
    for index, (passage, figures) in enumerate(evidence):
        plain = [
            one
            for one in _ends(figures)
            if one.unit == figure.unit and not one.bound and one.kind is figure.kind
        ]
        if changes:
            yield from _differences(index, passage, plain)
        if figure.kind is FactKind.PERCENT and changes:
            yield from _shares(index, passage, list(_ends(figures)))
        if totals:
            yield from _sums(index, passage, plain)
        yield from _products(index, passage, plain, counts)
        if figure.kind is FactKind.DURATION and not said.isdisjoint(_YEARS):
            yield from _years_between(index, passage, figures)


def _ends(figures: Sequence[Figure]) -> Iterator[Figure]:
    """The figures, each range as its two ends: "from $9 to $12"."""
    for figure in figures:
        yield replace(figure, high=figure.low)
        if figure.is_range:
            yield replace(figure, low=figure.high)


def _differences(index: int, passage: Stretch, plain: list[Figure]) -> Iterator[Derived]:
    for one, other in combinations(plain, 2):
        words = f"the difference of {_pair(passage, one, other)}"
        yield Derived(abs(one.low - other.low), index, (one, other), words, other.low < one.low)


def _shares(index: int, passage: Stretch, figures: Sequence[Figure]) -> Iterator[Derived]:
    amounts = [one for one in figures if one.kind is not FactKind.PERCENT and one.low > 0]
    for one, other in combinations(amounts, 2):
        if one.unit != other.unit or one.unit in ("date", "days"):
            continue
        words = f"the change of {_pair(passage, one, other)}"
        share = 100 * abs(other.low - one.low) / one.low
        yield Derived(share, index, (one, other), words, other.low < one.low)


def _sums(index: int, passage: Stretch, plain: list[Figure]) -> Iterator[Derived]:
    for length in range(2, min(_MOST_SUMMED, len(plain)) + 1):
        for start in range(len(plain) - length + 1):
            parts = tuple(plain[start : start + length])
            words = " + ".join(_quote(passage, one) for one in parts)
            yield Derived(sum(one.low for one in parts), index, parts, words)


def _products(
    index: int, passage: Stretch, plain: list[Figure], counts: list[tuple[Figure, float]]
) -> Iterator[Derived]:
    for counted, count in counts:
        for price in plain:
            words = f"{count:g} × {_quote(passage, price)}"
            yield Derived(count * price.low, index, (price,), words, count=counted)


def _years_between(index: int, passage: Stretch, figures: Sequence[Figure]) -> Iterator[Derived]:
    dated = [one for one in figures if one.date and one.date.year]
    for one, other in pairwise(dated):
        if one.date and other.date and one.date.year and other.date.year:
            apart = abs(other.date.year - one.date.year)
            words = f"the time from {_quote(passage, one)} to {_quote(passage, other)}"
            yield Derived(apart * _YEAR, index, (one, other), words)


def _counts(figure: Figure, ours: Sequence[Figure]) -> Iterator[tuple[Figure, float]]:
    """The small whole numbers of the claim beside the figure: "two mugs cost EUR 15"."""
    for one in ours:
        count = one.low if one.kind is FactKind.NUMBER else one.low / (one.step or 1)
        counts = one.kind in (FactKind.NUMBER, FactKind.DURATION) and one is not figure
        if counts and 1 < count <= _MOST_COUNTED and count == int(count):
            yield one, count


def _direction(said: set[str]) -> bool | None:
    """True where the claim says that something fell, False for rose; None for neither or both."""
    fell, rose = not said.isdisjoint(_FELL), not said.isdisjoint(_ROSE)
    return fell if fell != rose else None


def _is_near(figure: Figure, value: float) -> bool:
    if figure.is_range or figure.bound not in (Bound.NONE, Bound.LEAST, Bound.MOST):
        return False
    if figure.about:
        return abs(figure.low - value) <= _ABOUT * abs(value)
    counts = figure.kind in (FactKind.NUMBER, FactKind.DURATION)
    slack = 0.0 if counts else figure.step / 2
    return isclose(figure.low, value, rel_tol=1e-6, abs_tol=slack)


def _pair(passage: Stretch, one: Figure, other: Figure) -> str:
    first, second = _quote(passage, one), _quote(passage, other)
    return first if one.first == other.first else f"{first} and {second}"


def _quote(passage: Stretch, figure: Figure) -> str:
    return passage.quote(figure.first, figure.last)
