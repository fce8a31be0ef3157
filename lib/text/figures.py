"""The figures of a text: numbers with unit, range and bound, and dates, read together once.

>>> from lib.text.tokens import tokenize
>>> [item.low for item in figures(tokenize("two thirds of 1,200 visitors"), 0, 5).quantities]
[66.66666666666667, 1200.0]
"""

import math
from collections.abc import Container
from itertools import compress

from msgspec import Struct
from msgspec.structs import replace

from lib.text.dates import CLOCK, CLOCK_OPEN, HALF_DAY, Date, clock_at, dates
from lib.text.quantity import LABEL, ORDINAL, Quantity
from lib.text.stems import stem
from lib.text.tokens import NUMBER, WORD, Tokens, numbers
from lib.text.units import (
    ABOUT,
    CURRENCIES,
    FAHRENHEIT,
    LABELS,
    LOWER_BOUNDS,
    ORDINAL_ENDS,
    ORDINALS,
    RANKED,
    SCALES,
    SMALL,
    UNITS,
    UPPER_BOUNDS,
    ZERO_FAHRENHEIT,
    scale_at,
    things,
    unit_at,
)
from lib.text.units import OPENERS as UNIT_OPENERS
from lib.text.words import MONTHS, STOPWORDS, word_set

LONGEST = 30
"""Longer digit runs are not read as numbers."""


def parse(word: str) -> tuple[float, float] | None:
    """Return value and step of a digit string, or None for a version, a code or a giant.

    >>> parse("1,200.5"), parse("1.200.000"), parse(".61"), parse("1.1.1")
    ((1200.5, 0.1), (1200000.0, 1), (0.61, 0.01), None)
    >>> parse("1.250,50")
    (1250.5, 0.01)
    """
    if len(word) > LONGEST:
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
    if commas == 1 and dots and word.find(",") > word.rfind("."):
        whole, _, fraction = word.partition(",")
        groups = whole.split(".")
        if _are_thousands(groups):
            return f"{''.join(groups)}.{fraction}"
    if commas:
        groups = word.split(",")
        if len(groups[-1]) == 3 and all(len(group) in (2, 3) for group in groups[1:-1]):
            return word.replace(",", "") if not dots else None
        return ".".join(groups) if len(groups) == 2 and not dots else None
    if dots > 1:
        return word.replace(".", "") if _are_thousands(word.split(".")) else None
    return word


def _are_thousands(groups: list[str]) -> bool:
    return len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:])


_PARTS = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fifth": 5,
    "fifths": 5, "sixth": 6, "sixths": 6, "eighth": 8, "eighths": 8, "tenth": 10, "tenths": 10,
}  # fmt: skip


def _spelled_share(tokens: Tokens, first: int, at: int, last: int) -> tuple[float, int, int] | None:
    """Return percent, first and end of "half of", "two-thirds of", "a quarter of"; else None.

    `at` is the token with the name of the part. "The third of May" is no share.
    """
    parts = _PARTS[tokens.lower[at]]
    if at + 1 >= last or tokens.lower[at + 1] not in ("of", "the"):
        return None
    before = at - 1
    if before > first and tokens.words[before] == "-":
        before -= 1
    word = tokens.lower[before] if before >= first else ""
    count = 1.0 if word in ("a", "an", "one") else SMALL.get(word)
    if count is None and before >= first and tokens.kinds[before] == NUMBER:
        count = float(word) if word.isdecimal() and len(word) == 1 else None
    if count is not None and 0 < count < parts:
        return 100 * count / parts, before, at + 1
    whole = tokens.lower[at] == "half" and tokens.lower[at - 1 : at] not in (["first"], ["second"])
    return (50.0, at, at + 1) if whole else None


_DENOMINATOR = 16
_MULTIPLES = {"dozen": 12.0, "score": 20.0, "couple": 2.0, "hundred": 1e2, "thousand": 1e3,
              "million": 1e6, "billion": 1e9}  # fmt: skip
"""Multiples that an article alone may count: "a dozen eggs"."""
_VAGUE = frozenset({"couple", "score"})
_TIME_SPANS = frozenset({"hour", "day", "week", "fortnight", "month", "year", "decade"})
_BEFORE_SPAN = word_set(
    "about within for after in least most than takes take lasts last under over"
)
"""Words before the "a" that counts one: "within a week", not "twice a week"."""
NUMBER_WORDS = frozenset[str]().union(SMALL, ORDINALS, _PARTS, _MULTIPLES, _TIME_SPANS)
_FACTORS = {"twice": 2.0, "double": 2.0, "triple": 3.0, "thrice": 3.0, "half": 0.5}
_VERSION_STEP, _LABEL_DIGITS = 1e4, 7
"""Parts of a version below its first, and digits of the first, that a float holds exactly."""
_BOUNDING = ABOUT | {phrase.split()[-1] for phrase in LOWER_BOUNDS | UPPER_BOUNDS}
_CLOCKS = frozenset({":", "am", "pm", "a", "p"})
"""Every time of day has one of these after its hour."""
_WITH_ARTICLE = _MULTIPLES.keys() | _TIME_SPANS | {"half"}
_SPECIAL_BEHIND = _CLOCKS | ORDINAL_ENDS
"""Digits are read in a way of their own only before one of these or behind what changes them."""
_MINUSES = "-−"
_CHANGES_BEFORE = (
    _FACTORS.keys() | CURRENCIES.keys() | LABELS | _BOUNDING | set("[#/-−.") | {"minus", "times"}
)
"""Only after one of these, or before one of the next, does a number need more than its digits."""
_CHANGES_BEHIND = UNIT_OPENERS | ORDINAL_ENDS | _CLOCKS | {"/", "and"}
_SHORTEST_WORD = 4
"""Letters of a word that is no abbreviation before a point."""


def quantities(
    tokens: Tokens, first: int, last: int, reserved: Container[int] = ()
) -> list[Quantity]:
    """Return the quantities in tokens [first, last), from left to right; a range counts as one.

    `reserved` are tokens that belong to something else, such as a date.
    """
    quantities: list[Quantity] = []
    position, words = first, tokens.lower[first:last]
    places = numbers(tokens, first, last)
    if not NUMBER_WORDS.isdisjoint(words):
        spelled = compress(range(first, last), map(NUMBER_WORDS.__contains__, words))
        places = sorted((*places, *spelled))
    for at in places:
        if at < position or at in reserved:
            continue
        quantity = _quantity_at(tokens, first, at, last)
        if quantity is None:
            continue
        interval = _joint_interval(tokens, quantities[-1], quantity) if quantities else None
        if interval:
            quantities[-1] = interval
        else:
            quantities.append(quantity)
        position = quantity.last
    return quantities


def _quantity_at(tokens: Tokens, first: int, at: int, last: int) -> Quantity | None:
    """Return the quantity that begins at a digit run or a number word, or around it."""
    lower = tokens.lower
    changed = at > 0 and lower[at - 1] in _CHANGES_BEFORE
    if tokens.kinds[at] != NUMBER:
        quantity = _special_word(tokens, first, at, last)
        if quantity is None and lower[at] in _WITH_ARTICLE:
            quantity = _of_article(tokens, first, at, last)
        if quantity:
            return quantity
        value, end = _spelled_out(tokens, at, last) if lower[at] in SMALL else (None, at)
        return _measured(tokens, first, at, last, value, end, changed) if value else None
    word, following = tokens.words[at], lower[at + 1] if at + 1 < len(lower) else ""
    value, end = parse(word), at + 1
    if not changed and following not in _CHANGES_BEHIND and "." not in word:
        if value is None:
            return None
        objects = things(tokens, end, last)
        return Quantity(value[0], value[0], "", "", float(value[1]), False, objects, at, end)
    if changed or following in _SPECIAL_BEHIND or "." in word:
        if following in _CLOCKS and (time := clock_at(tokens, at, last)):
            minutes, unit, end = time
            return Quantity(minutes, minutes, unit, unit, 1, False, frozenset(), at, end)
        name = _ordinal(tokens, at, last) or _label(tokens, first, at, last)
        if name or _part_of_a_name(tokens, at) or _ordinal_end(tokens, at, last):
            return name
    part = _fraction(tokens, at, last) if following == "/" else None
    value, end = part or (value, end)
    if value is None:
        return None
    return _measured(tokens, first, at, last, value, end, changed, is_part=part is not None)


def _measured(
    tokens: Tokens,
    first: int,
    at: int,
    last: int,
    value: tuple[float, float],
    end: int,
    changed: bool,
    *,
    is_part: bool = False,
) -> Quantity:
    """Return the value at tokens [at, end) with its unit.

    Where the words before it may change it (`changed`), they are read too.
    """
    number, step = value
    if end + 3 <= last and tokens.lower[end : end + 3] == ["and", "a", "half"]:
        number, step, end = number + 0.5, 0.5, end + 3
    start, currency = at, None
    if changed:
        times, start = _multiplier(tokens, first, at)
        number, step = number * times, step * times
        if _negative(tokens, first, at):
            number, start = -number, at - 1
        currency = _money_before(tokens, first, at)
    factor, end = scale_at(tokens, end, last, money=currency is not None)
    unit, spelled, worth, things_counted, end = unit_at(tokens, end, last, currency)
    number, step = number * factor * worth, step * factor * worth
    if spelled in FAHRENHEIT:
        number += ZERO_FAHRENHEIT
    if is_part and not unit and tokens.lower[end : end + 1] == ["of"]:
        number, unit, spelled, step = 100 * number, "%", "share", 1.0
    quantity = Quantity(number, number, unit, spelled, step, False, things_counted, start, end)
    return _with_bound(tokens, first, quantity) if changed else quantity


def _of_article(tokens: Tokens, first: int, at: int, last: int) -> Quantity | None:
    """Return the quantity whose article counts one: "half a million", "within a week"."""
    word, following = tokens.lower[at], tokens.lower[at + 1 : at + 2]
    before = tokens.lower[max(first, at - 2) : at]
    if word in _TIME_SPANS and before[-1:] in (["a"], ["an"]) and before[0] in _BEFORE_SPAN:
        unit, worth = UNITS[word]
        span = Quantity(worth, worth, unit, word, worth, False, frozenset(), at - 1, at + 1)
        return _with_bound(tokens, first, span)
    if word == "half" and following in (["a"], ["an"]) and at + 2 < last:
        number, start, behind, currency = 0.5, at, at + 2, _money_before(tokens, first, at)
    elif word in _MULTIPLES and before[-1:] == ["a"] and before[:-1] != ["half"]:
        is_followed = following == ["of"]
        if word in _VAGUE and not is_followed:
            return None
        number, start, behind, currency = _MULTIPLES[word], at - 1, at + 1 + is_followed, None
    else:
        return None
    factor, end = scale_at(tokens, behind, last, money=False)
    unit, spelled, worth, things, end = unit_at(tokens, end, last, currency)
    if word == "half" and factor == 1 and not unit:
        # "half a loaf" measures nothing.
        return None
    value, is_vague = number * factor * worth, word in _VAGUE
    quantity = Quantity(value, value, unit, spelled, value, is_vague, things, start, end)
    return _with_bound(tokens, first, quantity)


def _money_before(tokens: Tokens, first: int, at: int) -> str | None:
    return CURRENCIES.get(tokens.lower[at - 1]) if at > first else None


def _special_word(tokens: Tokens, first: int, at: int, last: int) -> Quantity | None:
    """Return the quantity of words for a share or a place."""
    share_at = at
    if tokens.lower[at] in SMALL and at + 1 < last:
        share_at = at + 1 + (tokens.words[at + 1] == "-" and at + 2 < last)
    if tokens.lower[share_at] in _PARTS:
        share = _spelled_share(tokens, first, share_at, last)
        if share:
            percent, start, end = share
            if tokens.lower[end : end + 4] == ["of", "a", "percentage", "point"]:
                points, end = percent / 100, end + 4
                return Quantity(points, points, "pp", "pp", 0, False, frozenset(), start, end)
            return Quantity(percent, percent, "%", "share", 1, True, frozenset(), start, end)
    return _ordinal(tokens, at, last)


def _ordinal(tokens: Tokens, at: int, last: int) -> Quantity | None:
    """Return the place of "3rd place" or "third place" where the ordinal tells one from another."""
    word = tokens.lower[at]
    if word in ORDINALS:
        value, end = ORDINALS[word], at + 1
    elif _ordinal_end(tokens, at, last) and word.isdecimal():
        value, end = float(word[:LONGEST]), at + 2
    else:
        return None
    noun = end + (end < last and tokens.words[end] == "-")
    if noun >= last or tokens.lower[noun] not in RANKED:
        return None
    things = frozenset({stem(tokens.lower[noun])})
    return Quantity(value, value, ORDINAL, ORDINAL, 0, False, things, at, end)


def _ordinal_end(tokens: Tokens, at: int, last: int) -> bool:
    return at + 1 < last and tokens.lower[at + 1] in ORDINAL_ENDS


def _label(tokens: Tokens, first: int, at: int, last: int) -> Quantity | None:
    """Return the label of "Python 3.11" or "chapter 3": part of a name, so that 3.1 is not 3.10."""
    if at == first or tokens.kinds[at - 1] != WORD or tokens.ends[at - 1] == tokens.starts[at]:
        return None
    before, word = tokens.lower[at - 1], tokens.words[at]
    if before in CURRENCIES or word[0] == ".":
        return None
    parts = word.split(".")
    name = tokens.words[at - 1]
    capital = name[0].isupper() and before not in STOPWORDS and len(parts) > 1
    # "ISO 9001", "RFC 2616"
    acronym = name.isupper() and len(name) > 1
    if not (capital or acronym or before in LABELS) or len(word) > LONGEST or "," in word:
        return None
    unit, _, factor, things, _ = unit_at(tokens, at + 1, last, None)
    if unit or things or factor != 1 or scale_at(tokens, at + 1, last, money=False)[0] != 1:
        return None
    low, step = float(parts[0][:_LABEL_DIGITS]), 1 / _VERSION_STEP
    for part in parts[1:3]:
        low += step * int(part[:4])
        step /= _VERSION_STEP
    high = low + step * (_VERSION_STEP - 1)
    return Quantity(low, high, LABEL, LABEL, 0, False, frozenset({stem(before)}), at, at + 1)


def _negative(tokens: Tokens, first: int, at: int) -> bool:
    """Return whether a number is negative: "-4" and "minus 4", not in "3-4" or "COVID-19"."""
    sign = at - 1
    if sign < first:
        return False
    if tokens.lower[sign] == "minus":
        return sign == first or tokens.kinds[sign - 1] != NUMBER
    if tokens.words[sign] not in _MINUSES or tokens.ends[sign] != tokens.starts[at]:
        return False
    return sign == 0 or tokens.ends[sign - 1] < tokens.starts[sign] or tokens.words[sign - 1] == "("


def _fraction(tokens: Tokens, at: int, last: int) -> tuple[tuple[float, float] | None, int] | None:
    """Return the value and end of a fraction: "1/2" is a half; "24/7" and "9/11" count nothing."""
    if at + 2 >= last or tokens.words[at + 1] != "/" or tokens.kinds[at + 2] != NUMBER:
        return None
    if tokens.ends[at] != tokens.starts[at + 1] or tokens.ends[at + 1] != tokens.starts[at + 2]:
        return None
    over, under = parse(tokens.words[at]), parse(tokens.words[at + 2])
    if under and under[0] > _DENOMINATOR and at + 3 < last and tokens.lower[at + 3] in UNITS:
        return under, at + 3
    if not over or not under or not over[0] < under[0] <= _DENOMINATOR:
        return None, at + 3
    return (over[0] / under[0], 0.0), at + 3


def _multiplier(tokens: Tokens, first: int, at: int) -> tuple[float, int]:
    """Return the factor of "twice 300" or "three times 300" (1 for others), and its start."""
    before = tokens.lower[at - 1] if at > first else ""
    if before in _FACTORS:
        return _FACTORS[before], at - 1
    if before == "times" and at - 2 >= first:
        count = SMALL.get(tokens.lower[at - 2])
        if tokens.kinds[at - 2] == NUMBER:
            count = (parse(tokens.words[at - 2]) or (None, 0))[0]
        return (count, at - 2) if count else (1.0, at)
    return 1.0, at


def _part_of_a_name(tokens: Tokens, at: int) -> bool:
    """Return whether digits belong to a name and count nothing: COVID-19, F-16, v1.2, [3], 24/7."""
    if at < 1:
        return False
    before = tokens.words[at - 1]
    glued = tokens.ends[at - 1] == tokens.starts[at]
    if before in ("[", "#") or (before == "/" and glued):
        return True
    if not glued or at < 2 or before not in ("-", "."):
        return False
    if tokens.kinds[at - 2] != WORD or tokens.ends[at - 2] != tokens.starts[at - 1]:
        return False
    if before == "-":
        return True
    # 61 opens a sentence in "ended.61 people came", not in "sec.61".
    word, after = tokens.words[at - 2], at + 1
    is_prose = word.islower() and len(word) >= _SHORTEST_WORD and word not in LABELS
    is_followed = after < len(tokens.words) and tokens.kinds[after] == WORD
    return not (is_prose and is_followed and tokens.starts[after] > tokens.ends[at])


def _spelled_out(tokens: Tokens, at: int, last: int) -> tuple[tuple[float, float] | None, int]:
    """Return value and end of "twenty-five" or "two hundred and fifty".

    A lone "one" is a pronoun.
    """
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
    counts = end < last and (tokens.lower[end] in SCALES or tokens.lower[end] in _TIME_SPANS)
    if lone and not counts:
        return None, end
    return (total, 1.0), end


def _counts_on(tokens: Tokens, at: int, last: int) -> bool:
    """Return whether a word joins numerals: "-" in twenty-five, "and" in two hundred and two."""
    if at + 1 >= last or tokens.lower[at + 1] not in SMALL:
        return False
    before = tokens.lower[at - 1]
    return before == "hundred" if tokens.lower[at] == "and" else before.endswith("ty")


def _with_bound(tokens: Tokens, first: int, quantity: Quantity) -> Quantity:
    """Widen the quantity by the words before it: at least, up to, about."""
    start = quantity.first
    if start > first and tokens.lower[start - 1] in CURRENCIES:
        start -= 1
    if start <= first or tokens.lower[start - 1] not in _BOUNDING:
        return quantity
    before = tokens.lower[max(first, start - 3) : start]
    for index in range(len(before)):  # The longest first: "no more than" is no "more than".
        phrase = " ".join(before[index:])
        if phrase in LOWER_BOUNDS:
            return replace(quantity, high=math.inf)
        if phrase in UPPER_BOUNDS:
            return replace(quantity, low=-math.inf)
    return replace(quantity, about=True) if before[-1] in ABOUT else quantity


def _joint_interval(tokens: Tokens, low: Quantity, high: Quantity) -> Quantity | None:
    """Return one interval of two numbers: 5-10, 5 to 10, between 5 and 10; None for two apart."""
    gap = tokens.lower[low.last : high.first]
    if len(gap) > 1 and gap[-1] in ("-", "−", "minus"):
        gap = gap[:-1]
    if gap and gap[-1] in CURRENCIES:
        gap = gap[:-1]
    if len(gap) != 1 or gap[0] not in ("-", "–", "—", "to", "and"):
        return None
    before = low.first - 1 - (tokens.lower[low.first - 1] in CURRENCIES)
    if gap[0] == "and" and (before < 0 or tokens.lower[before] != "between"):
        return None
    if low.unit and low.unit != high.unit and {low.unit, high.unit} != {CLOCK, CLOCK_OPEN}:
        return None
    start = low.low if low.unit else _in_units_of(tokens, low, high)
    return None if start > high.high else replace(high, low=start, first=low.first)


def _in_units_of(tokens: Tokens, low: Quantity, high: Quantity) -> float:
    """Return the low end in the unit of the high one: "5 to 10 km" begins at 5 km."""
    scaled = tokens.kinds[low.last - 1] != NUMBER and tokens.lower[low.last - 1] not in SMALL
    if scaled or high.unit in (LABEL, ORDINAL):
        return low.low
    if high.unit in (CLOCK, CLOCK_OPEN):
        afternoon = low.low < HALF_DAY / 60 and high.low >= HALF_DAY
        return low.low * 60 + (HALF_DAY if afternoon else 0.0)
    number = parse(tokens.words[high.first]) if tokens.kinds[high.first] == NUMBER else None
    start = low.low * high.step / (number[1] if number else 1.0)
    return start + ZERO_FAHRENHEIT if high.spelled in FAHRENHEIT else start


_LABELS = word_set("step steps passage passages")
_BETWEEN = word_set("and or to , - – &")


class Figures(Struct, frozen=True, gc=False):
    """Quantities and dates from left to right; what belongs to a date is no quantity."""

    quantities: tuple[Quantity, ...]
    dates: tuple[Date, ...]

    def within(self, first: int, last: int) -> "Figures":
        """Return the figures that lie in tokens [first, last)."""
        if self is NO_FIGURES:
            return self
        return Figures(
            tuple(item for item in self.quantities if first <= item.first and item.last <= last),
            tuple(item for item in self.dates if first <= item.first and item.last <= last),
        )

    def positions(self) -> set[int]:
        """Return the tokens that are part of a figure."""
        positions = {at for item in self.quantities for at in range(item.first, item.last)}
        return positions.union(*(range(item.first, item.last) for item in self.dates))


NO_FIGURES = Figures((), ())


def figures(tokens: Tokens, first: int, last: int) -> Figures:
    """Return the figures in tokens [first, last)."""
    digits, words = NUMBER in tokens.kinds[first:last], tokens.lower[first:last]
    months = digits or not MONTHS.keys().isdisjoint(words)
    if not months and NUMBER_WORDS.isdisjoint(words):
        return NO_FIGURES
    dated = tuple(dates(tokens, first, last)) if months else ()
    reserved = {at for date in dated for at in range(date.first, date.last)}
    reserved |= labels(tokens, first, last)
    return Figures(tuple(quantities(tokens, first, last, reserved)), dated)


def labels(tokens: Tokens, first: int, last: int) -> set[int]:
    """Return the tokens that number parts of a text: "Step 2", "steps 4 and 5", "(Passage 1)"."""
    label_tokens, at = set[int](), first
    if _LABELS.isdisjoint(tokens.lower[first:last]):
        return label_tokens
    while at < last - 1:
        end = at + 1
        while tokens.lower[at] in _LABELS and end < last and _goes_on(tokens, end, last):
            end += 1
        if end > at + 1:
            label_tokens.update(range(at, end))
        at = end
    return label_tokens


def _goes_on(tokens: Tokens, at: int, last: int) -> bool:
    if tokens.kinds[at] == NUMBER:
        return True
    ahead = at + 1 < last and tokens.kinds[at + 1] == NUMBER
    return tokens.lower[at] in _BETWEEN and ahead and tokens.kinds[at - 1] == NUMBER
