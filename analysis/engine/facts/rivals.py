"""Whether a figure of a passage that says otherwise is truly a rival of the claim's figure."""

from itertools import combinations

from analysis.engine.facts.figures import Figure
from analysis.engine.facts.model import FactKind, Stretch
from analysis.engine.facts.reading import Evidence
from text.numbers import NUMBER_WORDS
from text.tokens import NUMBER
from text.units import UNITS
from text.words import word_set

_DIFFERENCES = word_set(
    "more less fewer higher lower longer shorter larger smaller older younger later earlier faster "
    "slower heavier lighter cheaper dearer above below under over short too"
)
"""A figure before such a word tells how far two things are apart."""
_PARTS = word_set(
    "twice double doubled half halves third thirds quarter quarters fifth fifths times"
)
_EVERY_OTHER = ({"every", "second"}, {"every", "other"})
_COMPUTED = (FactKind.NUMBER, FactKind.MONEY, FactKind.PERCENT, FactKind.MEASURE)
_EXACT = 1e-6
_HOUR = "00"
"""The minutes of a full hour stand in many times of day."""


def is_difference(claim: Stretch, figure: Figure, passage: Stretch) -> bool:
    """ "3,500 euros more than planned", "half an hour too long": not the value itself.

    Where the passage has the word too, it says the same of its own figure.
    """
    after = claim.tokens.lower[figure.last : min(figure.last + 1, claim.last)]
    return not _DIFFERENCES.isdisjoint(after) and _DIFFERENCES.isdisjoint(
        {*after} & {*passage.words}
    )


def may_follow(figure: Figure, evidence: Evidence) -> bool:
    """Whether the claim's value is a sum, a difference or a part of the passage's own.

    Which of them is meant takes more than arithmetic: that much is no conflict. A date is none.
    """
    if figure.kind is FactKind.DATE:
        return False
    words = evidence.words_outside
    if not _PARTS.isdisjoint(words) or any(pair <= {*words} for pair in _EVERY_OTHER):
        return True
    if figure.kind not in _COMPUTED or figure.is_range:
        return False
    values = [other.low for other in evidence.figures if other.unit == figure.unit]
    if figure.kind is FactKind.PERCENT:
        values.append(100.0)
    slack = max(figure.step / 2, _EXACT * abs(figure.low)) if figure.step < 1 else _EXACT
    return any(
        abs(abs(first - second) - figure.low) <= slack or abs(first + second - figure.low) <= slack
        for first, second in combinations(values, 2)
    )


def stands_too(claim: Stretch, figure: Figure, rival: Figure, passage: Stretch) -> bool:
    """Whether the passage has the claim's numeral besides, with no semicolon between the two.

    In "94 % of tin, 61 % of glass" words alone do not tell which figure is whose; "Mugs cost 7;
    kettles 39" has two statements. "3.1 feet" has the numeral of "10 feet (3.1 m)" and another
    unit.
    """
    lower, kinds = passage.tokens.lower, passage.tokens.kinds
    ours = {
        claim.tokens.lower[at]
        for at in range(figure.first, figure.last)
        if (claim.tokens.kinds[at] == NUMBER and claim.tokens.lower[at] != _HOUR)
        or claim.tokens.lower[at] in NUMBER_WORDS
    }
    for at in range(passage.first, passage.last):
        if lower[at] not in ours or rival.first <= at < rival.last or "not" in lower[at - 2 : at]:
            continue
        unit = lower[at + 1] if at + 1 < passage.last else ""
        if figure.spelled and unit in UNITS and unit != figure.spelled and kinds[at] == NUMBER:
            continue
        what = _next_term(claim, figure.last)
        if what and what == _next_term(passage, rival.last) != _next_term(passage, at + 1):
            continue
        start, end = sorted((at, rival.first))
        if ";" not in lower[start:end]:
            return True
    return False


def is_turned(figure: Figure, other: Figure) -> bool:
    """ "At least 40" against "at most 40": one value, opposite bounds."""
    turned = (figure.bound.is_lower and other.bound.is_upper) or (
        figure.bound.is_upper and other.bound.is_lower
    )
    return turned and figure.low == other.low


def numeral(figure: Figure) -> float | None:
    """The number as written, without what its unit is worth."""
    unit = UNITS.get(figure.spelled) or UNITS.get(f"{figure.spelled}s")
    return round(figure.low / unit[1], 6) if unit else None


def _next_term(stretch: Stretch, at: int) -> str:
    """The content word behind a figure: what it is so many of."""
    following = stretch.tokens.terms[at : min(at + 2, stretch.last)]
    return next(filter(None, following), "")
