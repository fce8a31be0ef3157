"""How one figure relates to another of the same kind: equal, entailed, conflicting or neither."""

from math import isclose, log10

from analysis.engine.facts.bounds import Bound
from analysis.engine.facts.figures import Figure
from analysis.engine.facts.model import FactKind, Relation
from lib.text import dates
from lib.text.clock import CLOCK, CLOCK_OPEN, HALF_DAY
from lib.text.quantity import LABEL, ORDINAL

_EQUAL, _ENTAILED = Relation.EQUAL, Relation.ENTAILED
_CONFLICTING, _ABSENT = Relation.CONFLICTING, Relation.ABSENT
_DATE, _DAYS, _TIME = FactKind.DATE, FactKind.DAYS, FactKind.TIME
_MONEY, _DURATION = FactKind.MONEY, FactKind.DURATION
_REACHED = (Bound.LEAST, Bound.MOST)
"""Bounds whose own value is within them. Names for members: a look into their class is slow."""
_EXACT = 1e-6
_ABOUT = 0.1
"""Relative slack that "about" grants."""
_NOT_ABOUT = 0.2
"""Relative difference from which "about" is wrong."""
_CONVERTED = 0.03
"""Relative slack between units: 5 miles for 8 km, 90 days for 3 months."""
_CALENDAR = 0.1
"""Months and weeks are not commensurable: within this share nothing is settled."""
_BEYOND_BOUND = 1.5
"""A value bears "more than" out up to this factor: 12,400 is more than 12,000."""
_ROUND_FROM = 1000.0
_CROSSING = (CLOCK, CLOCK_OPEN)
"""Only figures of these units, and money, measure the same as one of another unit."""
_NAMING = (LABEL, ORDINAL)
"""Units of numbers that tell one thing from another: version 3.11, third place."""


def comparable(claim: Figure, source: Figure) -> bool:
    """Whether both measure the same dimension, at the same end of an interval."""
    crosses = claim.unit in _CROSSING or claim.kind is _MONEY
    if claim.unit != source.unit and not crosses:
        return False
    if claim.edge and source.edge and claim.edge is not source.edge:
        return False
    if _rates_differ(claim, source):
        return False
    if claim.unit in _NAMING:
        return claim.unit == source.unit and bool(claim.things & source.things)
    if claim.unit == source.unit:
        return claim.unit != "" or _count_the_same(claim, source)
    units = (claim.unit, source.unit)
    return (CLOCK in units and CLOCK_OPEN in units) or _other_currency(claim, source)


def relate(claim: Figure, source: Figure, *, normative: bool = False) -> Relation:
    """How the source's figure speaks to the claim's; both are comparable.

    `normative` says that the claim sets a rule: "at least 3 inches" is then wrong of 3 feet,
    although whoever has 3 feet has 3 inches.
    """
    if claim.kind is _DATE and claim.date and source.date:
        if claim.bound and not source.bound:
            return _bounded_date(claim.bound, claim.date, source.date)
        return _dates(claim.date, source.date)
    if claim.kind is _DAYS:
        return _days(claim.days, source.days)
    if claim.kind is _TIME:
        return _times(claim, source)
    if claim.kind is _MONEY and _other_currency(claim, source):
        return _CONFLICTING
    if claim.unit in _NAMING:
        meet = claim.low <= source.high and source.low <= claim.high
        return _EQUAL if meet else _CONFLICTING
    claim_interval, source_interval = _by_time(claim, source)
    if claim.is_range or source.is_range:
        return _ranges(claim, source, claim_interval, source_interval)
    return _compare_bounds(claim, source, claim_interval[0], source_interval[0], normative)


def _other_currency(claim: Figure, source: Figure) -> bool:
    """Whether the same amount stands in another currency: 7 dollars for 7 euros."""
    money = claim.kind is source.kind is _MONEY
    return money and claim.unit != source.unit and (claim.low, claim.high) == (
        source.low, source.high,
    )  # fmt: skip


def _rates_differ(claim: Figure, source: Figure) -> bool:
    """Whether both are rates, of other things: per kilogram and per tablet."""
    claim_rate, source_rate = claim.rate, source.rate
    return (
        claim_rate is not None and source_rate is not None and claim_rate.thing != source_rate.thing
    )


def _count_the_same(claim: Figure, source: Figure) -> bool:
    return bool(claim.things & source.things) or not (claim.things and source.things)


def _by_time(claim: Figure, source: Figure) -> tuple[tuple[float, float], tuple[float, float]]:
    """Both intervals; by the second where both are rates over time."""
    claim_interval, source_interval = (claim.low, claim.high), (source.low, source.high)
    if claim.rate and source.rate and claim.rate.seconds and source.rate.seconds:
        scale = claim.rate.seconds / source.rate.seconds
        source_interval = source_interval[0] * scale, source_interval[1] * scale
    return claim_interval, source_interval


def _dates(claim: dates.Date, source: dates.Date) -> Relation:
    if not dates.agree(claim, source):
        same_fields = claim.year is not None and source.year is not None
        return _CONFLICTING if same_fields or (claim.month and source.month) else _ABSENT
    if claim.year is not None and source.year is None:
        return _ABSENT if not (claim.month and source.month) else _ENTAILED
    says_less = (claim.month and not source.month) or (claim.day and not source.day)
    if says_less or claim.years < source.years:
        return _ABSENT
    if claim.year is None and not source.month:
        return _ABSENT
    same = (claim.year, claim.month, claim.day) == (source.year, source.month, source.day)
    return _EQUAL if same else _ENTAILED


def _bounded_date(bound: Bound, claim: dates.Date, source: dates.Date) -> Relation:
    """ "After 2000" against a year of the source; within a year nothing is settled."""
    if claim.year is None or source.year is None:
        return _ABSENT
    if dates.agree(claim, source):
        return _CONFLICTING if claim.years == source.years == 1 else _ABSENT
    later = source.year > claim.year
    if source.year == claim.year:
        return _ABSENT
    return _ENTAILED if later is bound.is_lower else _CONFLICTING


def _days(claim: frozenset[int], source: frozenset[int]) -> Relation:
    if claim == source:
        return _EQUAL
    if claim < source:
        return _ENTAILED
    return _ABSENT if claim & source else _CONFLICTING


def _times(claim: Figure, source: Figure) -> Relation:
    claim_time, source_time = claim.low, source.low
    if CLOCK_OPEN in (claim.unit, source.unit):
        claim_time, source_time = claim_time % HALF_DAY, source_time % HALF_DAY
    if claim_time == source_time:
        return _EQUAL
    return _ENTAILED if claim.about and abs(claim_time - source_time) <= 15 else _CONFLICTING


def _ranges(
    claim: Figure,
    source: Figure,
    claim_interval: tuple[float, float],
    source_interval: tuple[float, float],
) -> Relation:
    slack = _slack(claim, source, max(map(abs, (*claim_interval, *source_interval))))
    disjoint = (
        claim_interval[0] > source_interval[1] + slack
        or source_interval[0] > claim_interval[1] + slack
    )
    if claim.is_range and source.is_range:
        same = [abs(a - b) <= slack for a, b in zip(claim_interval, source_interval, strict=True)]
        if all(same):
            return _EQUAL
        if claim.about and not disjoint:
            return _ENTAILED
        return _CONFLICTING if disjoint or any(same) else _ABSENT
    if claim.is_range:
        return _CONFLICTING if disjoint and not source.bound else _ABSENT
    return _in_range(claim, claim_interval[0], source_interval, slack)


def _in_range(claim: Figure, value: float, span: tuple[float, float], slack: float) -> Relation:
    """A single value of the claim against a range of the source."""
    low, high = span
    if claim.bound.is_upper:
        if abs(value - high) <= slack or high < value <= high * _BEYOND_BOUND:
            return _ENTAILED
        return _CONFLICTING if value < low - slack else _ABSENT
    if claim.bound.is_lower:
        if abs(value - low) <= slack or low / _BEYOND_BOUND <= value < low:
            return _ENTAILED
        return _CONFLICTING if value > high + slack else _ABSENT
    reach = _ABOUT * value if claim.about else slack
    if low - reach <= value <= high + reach:
        return _ENTAILED if claim.about else _ABSENT
    return _CONFLICTING


def _compare_bounds(
    claim: Figure, source: Figure, claim_value: float, source_value: float, normative: bool
) -> Relation:
    if not claim.bound and not source.bound:
        return _plain(claim, source, claim_value, source_value)
    near = abs(claim_value - source_value) <= max(
        _slack(claim, source, source_value), _rounding(claim, source)
    )
    if claim.bound and source.bound:
        return _two_bounds(claim.bound, source.bound, claim_value, source_value, near)
    if source.bound:
        return _source_bound(claim, source.bound, claim_value, source_value, near)
    return _claim_bound(claim.bound, claim_value, source_value, near, normative)


def _plain(claim: Figure, source: Figure, claim_value: float, source_value: float) -> Relation:
    size, distance = max(abs(claim_value), abs(source_value)), abs(claim_value - source_value)
    if distance <= _EXACT * size:
        return _EQUAL
    if distance <= _slack(claim, source, source_value):
        return _ENTAILED
    if claim.about:
        return _CONFLICTING if distance > _NOT_ABOUT * size else _ABSENT
    if source.about and distance <= _ABOUT * size:
        return _ABSENT
    if distance <= _rounding(claim, source):
        return _ENTAILED
    if claim.kind is _DURATION and claim.spelled != source.spelled:
        return _CONFLICTING if distance > _CALENDAR * size else _ABSENT
    return _CONFLICTING


def _source_bound(
    claim: Figure, bound: Bound, claim_value: float, source_value: float, near: bool
) -> Relation:
    if near:
        return _ENTAILED if bound in _REACHED or claim.about else _ABSENT
    outside = claim_value < source_value if bound.is_lower else claim_value > source_value
    return _CONFLICTING if outside else _ABSENT


def _claim_bound(
    bound: Bound, claim_value: float, source_value: float, near: bool, normative: bool
) -> Relation:
    """A bound of the claim against a plain value of the source."""
    exact = isclose(claim_value, source_value, rel_tol=_EXACT)
    if near and bound in _REACHED:
        return _ENTAILED
    if exact:
        return _CONFLICTING
    inside = source_value > claim_value if bound.is_lower else source_value < claim_value
    if not inside:
        return _CONFLICTING
    if normative:
        return _CONFLICTING
    low, high = sorted((abs(claim_value), abs(source_value)))
    return _ENTAILED if high <= _BEYOND_BOUND * low else _ABSENT


def _two_bounds(
    claim: Bound, source: Bound, claim_value: float, source_value: float, near: bool
) -> Relation:
    if claim.is_lower == source.is_lower:
        if near:
            same = claim is source or claim in _REACHED
            return _EQUAL if claim is source else _ENTAILED if same else _ABSENT
        return _CONFLICTING
    if near:
        return _CONFLICTING
    differs = claim_value > source_value if claim.is_lower else claim_value < source_value
    return _CONFLICTING if differs else _ABSENT


def _slack(claim: Figure, source: Figure, size: float) -> float:
    """How far two values may differ and be told as the same."""
    slack = _EXACT * abs(size)
    if claim.about:
        slack = max(slack, _ABOUT * abs(size))
    if claim.spelled != source.spelled:
        slack = max(slack, _CONVERTED * abs(size) if _converts(claim, source) else 0.0)
    if claim.step > source.step:
        slack = max(slack, min(claim.step / 2, _ABOUT * abs(size)))
    return slack


def _converts(claim: Figure, source: Figure) -> bool:
    """Whether a value in another unit can be told as a round one: miles as km, months as days."""
    if claim.unit != "s":
        return claim.unit not in ("%", "") and claim.kind is FactKind.MEASURE
    long = ("month", "year", "decade")
    return claim.spelled in long or source.spelled in long


def _rounding(claim: Figure, source: Figure) -> float:
    """Half the worth of the claim's last significant digit, of large numbers with two of them."""
    value = abs(claim.low)
    if value < _ROUND_FROM * (claim.step or 1) or value <= 0:
        return 0.0
    digits = f"{value:.0f}".rstrip("0")
    return 10.0 ** (int(log10(value)) - len(digits) + 1) / 2 if len(digits) > 1 else 0.0
