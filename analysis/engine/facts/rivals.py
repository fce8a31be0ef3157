"""Whether a figure of a passage that says otherwise is truly a rival of the claim's figure."""

from analysis.engine.facts.figures import Figure
from analysis.engine.facts.model import Stretch
from lib.text.numbers import NUMBER_WORDS
from lib.text.tokens import NUMBER
from lib.text.units import UNITS

_HOUR = "00"
"""The minutes of a full hour stand in many times of day."""


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
