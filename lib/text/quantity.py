"""Numbers with units, compared by meaning: given rounding and conversion."""

import math

from msgspec import Struct

from lib.text.dates import CLOCK, CLOCK_OPEN, HALF_DAY

_APPROXIMATE = 0.1
"""Relative slack that "about" grants."""
_CONVERSION = 0.01
"""Relative slack between converted units: 5 miles for 8 km."""
LABEL, ORDINAL = "label", "ordinal"
"""Units of numbers that name rather than count: version 3.11, third place."""


class Quantity(Struct, frozen=True, gc=False):
    """A value or an interval [low, high] in the base unit of its dimension, tokens [first, last).

    `step` is the worth of the last digit given, for rounding; `things` are the stems of
    the counted nouns after a bare number.
    """

    low: float
    high: float
    unit: str
    spelled: str
    step: float
    about: bool
    things: frozenset[str]
    first: int
    last: int


def comparable(quantity: Quantity, other: Quantity) -> bool:
    """Return whether both measure the same dimension or count the same things."""
    if quantity.unit != other.unit:
        return {quantity.unit, other.unit} == {CLOCK, CLOCK_OPEN}
    if quantity.unit in (LABEL, ORDINAL):
        return bool(quantity.things & other.things)
    return (
        bool(quantity.unit)
        or bool(quantity.things & other.things)
        or quantity.things == other.things
    )


def agree(quantity: Quantity, other: Quantity) -> bool:
    """Return whether the two intervals meet, given rounding, "about" and unit conversion."""
    if CLOCK_OPEN in (quantity.unit, other.unit):
        return quantity.low % HALF_DAY == other.low % HALF_DAY
    if quantity.low <= other.high and other.low <= quantity.high:
        return True
    ends = (quantity.low, quantity.high, other.low, other.high)
    size = max((abs(end) for end in ends if math.isfinite(end)), default=0.0)
    slack = 1e-9 * size
    if quantity.step != other.step:
        slack += max(quantity.step, other.step) / 2
    if quantity.about or other.about:
        slack = max(slack, _APPROXIMATE * size)
    if quantity.spelled != other.spelled:
        slack = max(slack, _CONVERSION * size)
    return quantity.low <= other.high + slack and other.low <= quantity.high + slack


def magnitude_apart(quantity: Quantity, other: Quantity) -> bool:
    """Return whether the values differ by a factor of ten or more (risk API)."""
    low, high = sorted((abs(quantity.low), abs(other.low)))
    return math.isfinite(high) and low > 0 and high >= 10 * low
