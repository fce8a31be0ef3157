"""Relates one figure to another of the same kind: equal, entailed, conflicting or absent."""

from math import isclose, log10

from analysis.engine.facts.bounds import Bound
from analysis.engine.facts.figures import DAY, YEAR, YEARLY, Edge, Figure
from analysis.engine.facts.model import FactKind, Relation
from lib.text.dates import CLOCK_OPEN, HALF_DAY
from lib.text.quantity import LABEL, ORDINAL

_EQUAL, _ENTAILED = Relation.EQUAL, Relation.ENTAILED
_CONFLICTING, _ABSENT = Relation.CONFLICTING, Relation.ABSENT
_DATE, _DAYS, _TIME = FactKind.DATE, FactKind.DAYS, FactKind.TIME
_MONEY, _DURATION, _PERCENT = FactKind.MONEY, FactKind.DURATION, FactKind.PERCENT
_SIGNED, _POINTS = (_MONEY, _PERCENT), "bp"
_REACHED = (Bound.LEAST, Bound.MOST)
"""Bounds whose own value is within them. Names for members: a look into their class is slow."""
_EXACT = 1e-6
_ABOUT = 0.1
"""Relative slack that "about" grants."""
_NOT_ABOUT = 0.2
"""Relative difference from which "about" is wrong."""
_MINUTES_ABOUT = 15
_CONVERTED = 0.03
"""Relative slack between units: 5 miles for 8 km, 90 days for 3 months."""
_CALENDAR = 0.1
"""Months and weeks are not commensurable: within this share nothing is settled."""
_BEYOND_BOUND = 1.5
"""A value confirms "more than" up to this factor: 12,400 is more than 12,000."""
_ROUND_FROM = 1000.0
_MOST_ROUNDED = 3
"""Significant digits of a rounded number: 17,020 is not 17,025."""
_SCALES, _SCALED = (1e3, 1e6, 1e9), (FactKind.NUMBER, FactKind.MONEY)
_NAMING = (LABEL, ORDINAL)
"""Units of numbers that tell one thing from another: version 3.11, third place."""

Interval = tuple[float, float]


def comparable(claim: Figure, source: Figure) -> bool:
    """Return whether both measure the same dimension, at the same end of an interval."""
    if claim.kind is not source.kind and not _of_other_unit(claim, source):
        return False
    if claim.edge and source.edge and claim.edge is not source.edge:
        return False
    if claim.rate and source.rate and claim.rate.thing != source.rate.thing:
        return False
    if claim.unit in _NAMING or source.unit in _NAMING:
        return claim.unit == source.unit and bool(claim.things & source.things)
    if claim.unit != source.unit:
        return claim.kind in (_TIME, _DATE) or _of_other_unit(claim, source)
    if claim.unit:
        return True
    return bool(claim.things & source.things) or not (claim.things and source.things)


def relate(claim: Figure, source: Figure, *, normative: bool = False) -> Relation:
    """Return the relation of the source's figure to the claim's; both are comparable.

    `normative`: the claim is a rule: "at least 3 inches" is then wrong for 3 feet, although whoever
    has 3 feet has 3 inches.
    """
    if claim.kind is _DAYS:
        return _days(claim.days, source.days)
    if claim.kind is _DATE:
        return _dates(claim, source)
    if claim.kind is _TIME:
        return _moments(claim, source)
    if claim.kind in _SIGNED and claim.unit != source.unit:
        points = _in_basis_points(claim, source) and claim.kind is source.kind
        return _EQUAL if points else _CONFLICTING
    if claim.unit in _NAMING:
        meet = claim.low <= source.high and source.low <= claim.high
        return _EQUAL if meet else _CONFLICTING
    scale = 1.0
    if claim.rate and source.rate and claim.rate.seconds and source.rate.seconds:
        scale = claim.rate.seconds / source.rate.seconds
    theirs = source.low * scale, source.high * scale
    if claim.is_range or source.is_range:
        return _ranges(claim, source, theirs)
    return _compare_bounds(claim, source, theirs[0], normative)


def _of_other_unit(claim: Figure, source: Figure) -> bool:
    """Return whether only a sign differs: 7 dollars for 7 euros, 2 % for 2 dollars."""
    if claim.kind not in _SIGNED or source.kind not in _SIGNED:
        return False
    # Percentage points are often told as percent.
    if claim.kind is source.kind is _PERCENT and not _in_basis_points(claim, source):
        return False
    return isclose(claim.low, source.low) and isclose(claim.high, source.high)


def _in_basis_points(claim: Figure, source: Figure) -> bool:
    """Return whether one of two is in basis points, hundredths of a percent."""
    return _POINTS in (claim.spelled, source.spelled)


def _days(claim: frozenset[int], source: frozenset[int]) -> Relation:
    if claim == source:
        return _EQUAL
    if claim < source:
        return _ENTAILED
    return _ABSENT if claim & source else _CONFLICTING


def _dates(claim: Figure, source: Figure) -> Relation:
    """Relate dates, one of which may have no year."""
    if claim.unit == source.unit:
        relation = _moments(claim, source)
        # A year alone is not more precise than a range: the bridge built from 1931 to 1935.
        coarse = claim.date and not claim.date.month and source.is_range and not claim.is_range
        return _ABSENT if coarse and relation is _ENTAILED else relation
    ours, theirs = _of_any_year(claim), _of_any_year(source)
    if ours is None or theirs is None:
        return _ABSENT
    relation = _moments(ours, theirs)
    return _ENTAILED if relation is _EQUAL else relation


def _of_any_year(figure: Figure) -> Figure | None:
    """Return a date without its year; None for a year and for several."""
    if figure.unit == YEARLY:
        return figure
    if figure.high - figure.low >= YEAR - 1:
        return None
    year = figure.low // YEAR * YEAR
    return Figure(
        figure.kind, YEARLY, figure.low - year, figure.high - year, figure.first, figure.last,
        figure.bound, edge=figure.edge, is_range=figure.is_range,
    )  # fmt: skip


def _moments(claim: Figure, source: Figure) -> Relation:
    """Relate dates and times: matching ends, or something within a period."""
    ours, theirs = (claim.low, claim.high), (source.low, source.high)
    periods = _periods(claim, source)
    if claim.is_range and source.is_range:
        return _stretches(ours, theirs, periods)
    if claim.is_range and source.edge:
        relation = _points(_end(claim, source.edge), theirs, periods)
        return _CONFLICTING if relation is _CONFLICTING else _ABSENT
    if claim.edge and source.is_range:
        return _points(ours, _end(source, claim.edge), periods)
    if claim.edge and (source.edge or not source.bound):
        return _points(ours, theirs, periods)
    if claim.bound and source.bound:
        if claim.bound.is_lower is not source.bound.is_lower:
            return _ABSENT if _meet(claim.extent, source.extent, periods) else _CONFLICTING
        same = _points(ours, theirs, periods)
        return _EQUAL if same in (_EQUAL, _ENTAILED) else _CONFLICTING
    if not _meet(_open(claim), _open(source), periods):
        if claim.about and abs(claim.low - source.low) <= _MINUTES_ABOUT:
            return _ENTAILED
        return _CONFLICTING
    if claim.bound:
        return _ENTAILED if _within(theirs, _open(claim), periods) else _ABSENT
    if claim.is_range:
        return _ABSENT
    if source.is_range or source.bound:
        return _ENTAILED if _within(ours, _open(source), periods) else _ABSENT
    return _points(ours, theirs, periods)


def _open(figure: Figure) -> Interval:
    """Return the interval of a figure; "before" and "after" exclude its own value."""
    low, high = figure.extent
    if figure.bound is Bound.OVER:
        low += 1
    if figure.bound is Bound.UNDER:
        high -= 1
    return (low, high) if figure.kind is _DATE else (max(low, 0.0), min(high, 2 * DAY))


def _end(figure: Figure, edge: Edge) -> Interval:
    """Return the first or last day or minute of a range, as exact as the date."""
    at = figure.low if edge is Edge.START else figure.high
    date = figure.date
    if figure.kind is _TIME or date is None or date.day:
        return at, at
    length = 31 if date.month else YEAR
    return (at, at + length - 1) if edge is Edge.START else (at - length + 1, at)


def _periods(claim: Figure, source: Figure) -> tuple[float, ...]:
    """Return the shifts under which a value stays the same: 9:00 may be 21:00."""
    if claim.kind is _TIME:
        # As far as is known, "at 11:00" and "before 10:00" are in the same half of the day.
        half = (claim.unit == CLOCK_OPEN) is not (source.unit == CLOCK_OPEN)
        half = half or (claim.unit == CLOCK_OPEN and not (claim.bound or source.bound))
        return (0.0, HALF_DAY, -HALF_DAY, DAY, -DAY) if half else (0.0, DAY, -DAY)
    return (0.0, YEAR, -YEAR) if claim.unit == YEARLY else (0.0,)


def _meet(claim: Interval, source: Interval, periods: tuple[float, ...]) -> bool:
    return any(claim[0] + by <= source[1] and source[0] <= claim[1] + by for by in periods)


def _within(inner: Interval, outer: Interval, periods: tuple[float, ...]) -> bool:
    return any(outer[0] <= inner[0] + by and inner[1] + by <= outer[1] for by in periods)


def _points(claim: Interval, source: Interval, periods: tuple[float, ...]) -> Relation:
    """Relate two values of different exactness: in 2010, on 5 March 2010."""
    if not _meet(claim, source, periods):
        return _CONFLICTING
    if not _within(source, claim, periods):
        return _ABSENT
    return _EQUAL if _within(claim, source, periods) else _ENTAILED


def _stretches(claim: Interval, source: Interval, periods: tuple[float, ...]) -> Relation:
    if any(claim[0] + by == source[0] and claim[1] + by == source[1] for by in periods):
        return _EQUAL
    shared = any(claim[end] + by == source[end] for by in periods for end in (0, 1))
    if not shared and (_within(claim, source, periods) or _within(source, claim, periods)):
        return _ABSENT
    return _CONFLICTING


def _ranges(claim: Figure, source: Figure, theirs: Interval) -> Relation:
    ours = claim.low, claim.high
    slack = _slack(claim, source, max(map(abs, (*ours, *theirs))))
    disjoint = ours[0] > theirs[1] + slack or theirs[0] > ours[1] + slack
    if claim.is_range and source.is_range:
        same = [abs(a - b) <= slack for a, b in zip(ours, theirs, strict=True)]
        if all(same):
            return _EQUAL
        if claim.about and not disjoint:
            return _ENTAILED
        inside = theirs[0] < ours[0] and ours[1] < theirs[1]
        around = ours[0] < theirs[0] and theirs[1] < ours[1]
        return _ABSENT if inside or around else _CONFLICTING
    if claim.is_range:
        return _CONFLICTING if disjoint and not source.bound else _ABSENT
    return _in_range(claim, theirs, slack)


def _in_range(claim: Figure, span: Interval, slack: float) -> Relation:
    """Relate a single value of the claim to a range of the source."""
    low, high = span
    value = claim.low
    if claim.bound:
        end, other = (high, low) if claim.bound.is_upper else (low, high)
        beyond = value > end if claim.bound.is_upper else value < end
        if abs(value - end) <= slack:
            return _ENTAILED if claim.bound in _REACHED else _ABSENT
        if beyond:
            return _ABSENT if claim.bound in _REACHED else _ENTAILED
        past = value < other - slack if claim.bound.is_upper else value > other + slack
        return _CONFLICTING if past or claim.bound not in _REACHED else _ABSENT
    reach = _ABOUT * value if claim.about else slack
    if low - reach <= value <= high + reach:
        return _ENTAILED if claim.about else _ABSENT
    return _CONFLICTING


def _compare_bounds(claim: Figure, source: Figure, theirs: float, normative: bool) -> Relation:
    ours = claim.low
    if not claim.bound and not source.bound:
        return _plain(claim, source, theirs)
    near = abs(ours - theirs) <= max(_slack(claim, source, theirs), _rounding(claim))
    if claim.bound and source.bound:
        return _two_bounds(claim.bound, source.bound, ours, theirs, near)
    if source.bound:
        if near:
            return _ENTAILED if source.bound in _REACHED or claim.about else _ABSENT
        outside = ours < theirs if source.bound.is_lower else ours > theirs
        return _CONFLICTING if outside else _ABSENT
    if near and claim.bound in _REACHED:
        return _ENTAILED
    inside = theirs > ours if claim.bound.is_lower else theirs < ours
    if isclose(ours, theirs, rel_tol=_EXACT) or not inside or normative:
        return _CONFLICTING
    low, high = sorted((abs(ours), abs(theirs)))
    return _ENTAILED if high <= _BEYOND_BOUND * low else _ABSENT


def _plain(claim: Figure, source: Figure, theirs: float) -> Relation:
    size, distance = max(abs(claim.low), abs(theirs)), abs(claim.low - theirs)
    if distance <= _EXACT * size:
        return _EQUAL
    if distance <= _slack(claim, source, theirs):
        return _ENTAILED
    # "500 thousand" beside the 500 of a table whose heading may say "in thousands".
    scaled = claim.kind in _SCALED and claim.step >= _ROUND_FROM and source.step <= 1
    if scaled and theirs and round(claim.low / theirs, 6) in _SCALES:
        return _ABSENT
    if claim.about:
        return _CONFLICTING if distance > _NOT_ABOUT * size else _ABSENT
    if source.about and distance <= _ABOUT * size:
        return _ABSENT
    if distance <= _rounding(claim):
        return _ENTAILED
    if claim.kind is _DURATION and claim.spelled != source.spelled:
        return _CONFLICTING if distance > _CALENDAR * size else _ABSENT
    return _CONFLICTING


def _two_bounds(claim: Bound, source: Bound, ours: float, theirs: float, near: bool) -> Relation:
    if claim.is_lower == source.is_lower:
        if not near:
            return _CONFLICTING
        if claim is source:
            return _EQUAL
        return _ENTAILED if claim in _REACHED else _ABSENT
    if near:
        return _CONFLICTING
    differs = ours > theirs if claim.is_lower else ours < theirs
    return _CONFLICTING if differs else _ABSENT


def _slack(claim: Figure, source: Figure, size: float) -> float:
    """Return how far two values may differ and count as the same."""
    slack = _EXACT * abs(size)
    if claim.about:
        slack = max(slack, _ABOUT * abs(size))
    if claim.spelled != source.spelled and _converts(claim, source):
        slack = max(slack, _CONVERTED * abs(size))
    if claim.step > source.step:
        slack = max(slack, min(claim.step / 2, _ABOUT * abs(size)))
    return slack


def _converts(claim: Figure, source: Figure) -> bool:
    """Return whether a value in another unit may be rounded: miles as km, months as days."""
    if claim.unit != "s":
        return claim.kind is FactKind.MEASURE
    return not {claim.spelled, source.spelled}.isdisjoint(("month", "year", "decade"))


def _rounding(claim: Figure) -> float:
    """Return half the value of the last significant digit of a large number with two or three."""
    value = abs(claim.low)
    if value < _ROUND_FROM * (claim.step or 1) or value <= 0:
        return 0.0
    digits = f"{value:.0f}".rstrip("0")
    if not 1 < len(digits) <= _MOST_ROUNDED:
        return 0.0
    return 10.0 ** (int(log10(value)) - len(digits) + 1) / 2
