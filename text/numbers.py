"""Numbers with units: values, scales, ranges, bounds and rounding, compared by meaning."""

import math
from collections.abc import Container
from dataclasses import dataclass, replace

from text.stems import stem
from text.tokens import MARK, NUMBER, WORD, Tokens
from text.units import ABOUT, CURRENCIES, LOWER_BOUNDS, SCALES, SMALL, UNITS, UPPER_BOUNDS
from text.words import STOPWORDS

_APPROXIMATE = 0.1
"""Relative slack that "about" grants."""
_CONVERSION = 0.01
"""Relative slack where units were converted: 5 miles is told as 8 km."""
_LONGEST = 30
_THINGS = 3
_DENOMINATOR = 16


@dataclass(frozen=True, slots=True)
class Quantity:
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


def quantities(tokens: Tokens, first: int, last: int, taken: Container[int] = ()) -> list[Quantity]:
    """The quantities in tokens [first, last), left to right; ranges count as one.

    `taken` are tokens that belong to something else, such as a date.
    """
    found: list[Quantity] = []
    at, kinds, lower = first, tokens.kinds, tokens.lower
    while at < last:
        possible = (kinds[at] == NUMBER or lower[at] in SMALL) and at not in taken
        quantity = _quantity_at(tokens, first, at, last) if possible else None
        if quantity is None:
            at += 1
            continue
        joined = _joined(tokens, found[-1], quantity) if found else None
        if joined:
            found[-1] = joined
        else:
            found.append(quantity)
        at = quantity.last
    return found


def any_number(tokens: Tokens, first: int, last: int) -> bool:
    """Cheap look whether tokens [first, last) hold a number at all."""
    return NUMBER in tokens.kinds[first:last] or not SMALL.keys().isdisjoint(
        tokens.lower[first:last]
    )


def comparable(one: Quantity, other: Quantity) -> bool:
    """True where both measure the same dimension or count the same things."""
    if one.unit != other.unit:
        return False
    return bool(one.unit) or bool(one.things & other.things) or one.things == other.things


def agree(one: Quantity, other: Quantity) -> bool:
    """True where the two intervals meet, given rounding, "about" and unit conversion."""
    slack = _slack(one, other)
    return one.low <= other.high + slack and other.low <= one.high + slack


def magnitude_apart(one: Quantity, other: Quantity) -> bool:
    """True where the values differ by a factor of ten or more (seed 1)."""
    low, high = sorted((abs(one.low), abs(other.low)))
    return math.isfinite(high) and low > 0 and high >= 10 * low


def _slack(one: Quantity, other: Quantity) -> float:
    size = max(_size(one), _size(other))
    slack = 1e-9 * size
    if one.step != other.step:
        slack += max(one.step, other.step) / 2
    if one.about or other.about:
        slack = max(slack, _APPROXIMATE * size)
    if one.spelled != other.spelled:
        slack = max(slack, _CONVERSION * size)
    return slack


def _size(quantity: Quantity) -> float:
    return max((abs(end) for end in (quantity.low, quantity.high) if math.isfinite(end)), default=0)


def parse(word: str) -> tuple[float, float] | None:
    """Value and step of a digit string, or None for a version, a code or a giant.

    >>> parse("1,200.5"), parse("1.200.000"), parse("1.1.1")
    ((1200.5, 0.1), (1200000.0, 1), None)
    """
    if len(word) > _LONGEST:
        return None
    plain = _without_thousands(word)
    if plain is None:
        return None
    _, _, fraction = plain.partition(".")
    return float(plain), 10.0 ** -len(fraction) if fraction else 1


def _without_thousands(word: str) -> str | None:
    if word.isdigit():
        return word
    dots, commas = word.count("."), word.count(",")
    if commas and dots == 1 and word.rfind(".") > word.rfind(","):
        word, commas = word.replace(",", ""), 0
    if commas:
        groups = word.split(",")
        if len(groups[-1]) == 3 and all(len(group) in (2, 3) for group in groups[1:-1]):
            return word.replace(",", "") if not dots else None
        return ".".join(groups) if len(groups) == 2 and not dots else None
    if dots > 1:
        groups = word.split(".")
        grouped = all(len(group) == 3 for group in groups[1:]) and len(groups[0]) <= 3
        return word.replace(".", "") if grouped else None
    return word


def _quantity_at(tokens: Tokens, first: int, at: int, last: int) -> Quantity | None:
    if tokens.kinds[at] == NUMBER:
        if _part_of_a_name(tokens, at):
            return None
        value, end = _fraction(tokens, at, last) or (parse(tokens.words[at]), at + 1)
    else:
        value, end = _spelled_out(tokens, at, last)
    if value is None:
        return None
    number, step = value
    currency = CURRENCIES.get(tokens.lower[at - 1]) if at > first else None
    factor, end = _scale(tokens, end, last, money=currency is not None)
    unit, spelled, worth, things, end = _unit(tokens, end, last, currency)
    number, step = number * factor * worth, step * factor * worth
    bound = Quantity(number, number, unit, spelled, step, False, things, at, end)
    return _bounded(tokens, first, bound)


def _fraction(tokens: Tokens, at: int, last: int) -> tuple[tuple[float, float] | None, int] | None:
    """ "1/2" is a half; "24/7" and "9/11" count nothing."""
    if at + 2 >= last or tokens.words[at + 1] != "/" or tokens.kinds[at + 2] != NUMBER:
        return None
    if tokens.ends[at] != tokens.starts[at + 1] or tokens.ends[at + 1] != tokens.starts[at + 2]:
        return None
    over, under = parse(tokens.words[at]), parse(tokens.words[at + 2])
    if not over or not under or not over[0] < under[0] <= _DENOMINATOR:
        return None, at + 3
    return (over[0] / under[0], 0.0), at + 3


def _part_of_a_name(tokens: Tokens, at: int) -> bool:
    """COVID-19, F-16, v1.2, [3], the 7 of 24/7: digits that count nothing."""
    if at < 1:
        return False
    before = tokens.words[at - 1]
    glued = tokens.ends[at - 1] == tokens.starts[at]
    if before in ("[", "#") or (before == "/" and glued):
        return True
    return glued and at > 1 and before in ("-", ".") and _glued_word(tokens, at - 2)


def _glued_word(tokens: Tokens, at: int) -> bool:
    return tokens.kinds[at] == WORD and tokens.ends[at] == tokens.starts[at + 1]


def _spelled_out(tokens: Tokens, at: int, last: int) -> tuple[tuple[float, float] | None, int]:
    """twenty-five, two hundred and fifty; a lone "one" is no number but a pronoun."""
    total, end = 0.0, at
    while end < last:
        word = tokens.lower[end]
        if word in SMALL:
            total += SMALL[word]
        elif word == "hundred" and total:
            total *= 100
        elif word not in ("-", "and") or not _counts_on(tokens, end, last):
            break
        end += 1
    lone = end == at + 1 and tokens.lower[at] == "one"
    if lone and not (end < last and tokens.lower[end] in SCALES):
        return None, end
    return (total, 1.0), end


def _counts_on(tokens: Tokens, at: int, last: int) -> bool:
    """The "-" of twenty-five or the "and" of two hundred and fifty."""
    if at + 1 >= last or tokens.lower[at + 1] not in SMALL:
        return False
    before = tokens.lower[at - 1]
    return before == "hundred" if tokens.lower[at] == "and" else before.endswith("ty")


def _scale(tokens: Tokens, at: int, last: int, *, money: bool) -> tuple[float, int]:
    factor = 1.0
    while at < last and at:
        word, written = tokens.lower[at], tokens.words[at]
        glued = tokens.starts[at] == tokens.ends[at - 1]
        if word in SCALES:
            factor *= SCALES[word]
        elif (word == "k" and glued) or (word in ("m", "b") and (money or written in "MB")):
            factor *= {"k": 1e3, "m": 1e6, "b": 1e9}[word]
        else:
            break
        at += 1
    return factor, at


def _unit(
    tokens: Tokens, at: int, last: int, currency: str | None
) -> tuple[str, str, float, frozenset[str], int]:
    """Dimension, unit as written, worth in the base unit, counted things, end."""
    if currency:
        return currency, currency, 1.0, frozenset(), at
    after = at + 1 if at < last and tokens.words[at] in "-°" and tokens.words[at] else at
    word = tokens.lower[after] if after < last else ""
    if word == "per" and tokens.lower[after + 1 : after + 2] == ["cent"]:
        return "%", "%", 1.0, frozenset(), after + 2
    if word in UNITS:
        unit, worth = UNITS[word]
        return unit, word.rstrip("s"), worth, frozenset(), after + 1
    return "", "", 1.0, _things(tokens, after, last), at


def _things(tokens: Tokens, at: int, last: int) -> frozenset[str]:
    found: set[str] = set()
    while at < last and len(found) < _THINGS:
        if tokens.kinds[at] == WORD and tokens.lower[at] not in STOPWORDS:
            found.add(stem(tokens.lower[at]))
        elif tokens.words[at] != "-" or tokens.kinds[at] != MARK:
            break
        at += 1
    return frozenset(found)


def _bounded(tokens: Tokens, first: int, quantity: Quantity) -> Quantity:
    """Widen by the words before it: at least, up to, about."""
    start = quantity.first
    if start > first and tokens.lower[start - 1] in CURRENCIES:
        start -= 1
    before = tokens.lower[max(first, start - 3) : start]
    if not before:
        return quantity
    phrases = {" ".join(before[index:]) for index in range(len(before))}
    if phrases & LOWER_BOUNDS:
        return replace(quantity, high=math.inf)
    if phrases & UPPER_BOUNDS:
        return replace(quantity, low=-math.inf)
    return replace(quantity, about=True) if before[-1] in ABOUT else quantity


def _joined(tokens: Tokens, low: Quantity, high: Quantity) -> Quantity | None:
    """One interval of two numbers: 5-10, 5 to 10, between 5 and 10."""
    gap = tokens.lower[low.last : high.first]
    if gap and gap[-1] in CURRENCIES:
        gap = gap[:-1]
    if len(gap) != 1 or gap[0] not in ("-", "–", "—", "to", "and"):
        return None
    if gap[0] == "and" and (low.first == 0 or tokens.lower[low.first - 1] != "between"):
        return None
    if low.low > high.high or (low.unit and low.unit != high.unit):
        return None
    return replace(high, low=low.low, first=low.first)
