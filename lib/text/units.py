"""Units, scales and number words, and reading what follows a number: its scale, unit and things.

Worth is in the base unit of the dimension named.
"""

from collections.abc import Sequence

from lib.text.stems import stem
from lib.text.tokens import MARK, WORD, Tokens
from lib.text.words import STOPWORDS, word_set

_TABLE = {
    "m": "m metre metres meter meters|1; km kilometre kilometres kilometer kilometers|1000; "
    "cm centimetre centimetres centimeter centimeters|0.01; mm millimetre millimetres millimeter "
    "millimeters|0.001; mile miles mi|1609.344; ft foot feet|0.3048; inch inches|0.0254; "
    "yard yards|0.9144",
    "kg": "kg kilogram kilograms kilo kilos|1; g gram grams|0.001; mg milligram milligrams|1e-6; "
    "mcg microgram micrograms µg μg ug|1e-9; lb lbs|0.45359237; ounce ounces oz|0.028349523; "
    "tonne tonnes ton tons|1000",
    "s": "second seconds sec secs|1; minute minutes min mins|60; hour hours hr hrs|3600; "
    "day days|86400; week weeks|604800; fortnight fortnights|1209600; "
    "month months|2629800; year years yr yrs|31557600; "
    "decade decades|315576000; ms millisecond milliseconds|0.001",
    "%": "% percent pct|1; ‰ permille|0.1",
    "pp": "bp bps|0.01; pp|1",
    "l": "litre litres liter liters l|1; ml millilitre millilitres milliliter milliliters|0.001; "
    "gallon gallons|3.785; quart quarts|0.946353; teaspoon teaspoons tsp|0.00492892; "
    "tablespoon tablespoons tbsp|0.0147868; cup cups|0.2365882",
    "byte": "byte bytes|1; kb kilobyte kilobytes|1e3; mb megabyte megabytes|1e6; "
    "gb gigabyte gigabytes|1e9; tb terabyte terabytes|1e12",
    "m/s": "kmh kph|0.2777777778; mph|0.44704; knot knots|0.514444",
    "Pa": "pascal pascals|1; hpa|100; kpa kilopascal kilopascals|1e3; mbar millibar millibars|100; "
    "bar|1e5; psi|6894.757",
    "J": "joule joules|1; kj kilojoule kilojoules|1e3; kcal kilocalorie kilocalories calorie "
    "calories|4184; wh|3600; kwh|3.6e6; mwh|3.6e9; gwh|3.6e12; twh|3.6e15",
    "temperature": "celsius c|1; fahrenheit f|0.5555555556",
    "m2": "acre acres|4046.86; hectare hectares ha|10000; m² m2 sqm|1; km² km2|1e6; cm² cm2|1e-4; "
    "mm² mm2|1e-6",
    "m3": "m³ m3|1; km³ km3|1e9; cm³ cm3|1e-6",
    "USD": "dollar dollars usd $|1",
    "EUR": "euro euros eur €|1",
    "GBP": "gbp sterling £|1; pence|0.01",
    "INR": "rupee rupees inr ₹|1",
    "JPY": "yen jpy ¥|1",
    "CHF": "franc francs chf|1",
    "W": "watt watts w|1; kw kilowatt kilowatts|1e3; mw megawatt megawatts|1e6; gw|1e9",
}


UNITS = {
    word: (dimension, float(worth))
    for dimension, entries in _TABLE.items()
    for words, worth in (entry.split("|") for entry in entries.split(";"))
    for word in words.split()
}
FAHRENHEIT = frozenset({"fahrenheit", "f"})
ZERO_FAHRENHEIT = -32 / 1.8
"""0 °F in °C."""
CURRENCIES = {
    "$": "USD", "us$": "USD", "usd": "USD", "€": "EUR", "eur": "EUR", "£": "GBP", "gbp": "GBP",
    "₹": "INR", "rs": "INR", "inr": "INR", "¥": "JPY", "jpy": "JPY", "chf": "CHF",
}  # fmt: skip
SCALES = {
    "hundred": 1e2, "thousand": 1e3, "thousands": 1e3, "million": 1e6, "millions": 1e6, "mn": 1e6,
    "billion": 1e9, "billions": 1e9, "bn": 1e9, "trillion": 1e12, "lakh": 1e5, "lakhs": 1e5,
    "crore": 1e7, "crores": 1e7, "dozen": 12.0,
}  # fmt: skip


def _numbered(words: str, *, start: int = 0, each: float = 1.0) -> dict[str, float]:
    return {word: each * number for number, word in enumerate(words.split(), start)}


SMALL = _numbered(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
) | _numbered("twenty thirty forty fifty sixty seventy eighty ninety", start=2, each=10.0)
ORDINALS = _numbered(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth", start=1
)
ORDINAL_ENDS = frozenset({"st", "nd", "rd", "th"})
RANKED = word_set(
    "place position rank floor century edition grade president amendment anniversary birthday "
    "prize largest"
)
"""Nouns whose ordinal tells one from another: the 44th president, third place."""
LABELS = word_set(
    "version chapter page step room grade phase type level section article part release python "
    "figure table route flight category class stage unit volume episode season number"
)
"""Words whose number is a name: chapter 3, version 3.11."""
ABOUT = word_set("about around approximately roughly nearly almost circa some ~ ≈")
_OVER = ("more than", "greater than", "over", "above", "exceeding")
_UNDER = ("less than", "fewer than", "under", "below")


def _denied(bounds: Sequence[str]) -> list[str]:
    return [f"{denial} {bound}" for denial in ("no", "not", "never") for bound in bounds]


LOWER_BOUNDS = frozenset((*_OVER, *_denied(_UNDER), "at least", "minimum of", "upwards of"))
UPPER_BOUNDS = frozenset((*_UNDER, *_denied(_OVER), "at most", "up to", "maximum of"))
DEMANDS = LOWER_BOUNDS.union(UPPER_BOUNDS).difference(_OVER, _UNDER)
"""Bounds that say what is wanted ("at most"), not what a value is compared with ("above")."""


_THINGS = 3
_NONE = frozenset[str]()
_POINTS = {"basis": "bp", "percentage": "pp"}
_POWERS = {"square": 2, "sq": 2, "cubic": 3}
_EXTENTS = word_set("high tall long wide deep away thick apart")
"""Before these a capital M is a metre: "300 M HIGH"."""
_DAY_ADJECTIVES = word_set("business working calendar consecutive full whole")
_SIGNS = ("-", "°", "degrees", "degree")
OPENERS = (
    SCALES.keys()
    | UNITS.keys()
    | _POWERS.keys()
    | _POINTS.keys()
    | _DAY_ADJECTIVES
    | {*_SIGNS, *"kmbcf", "per"}
)
"""A number has a scale or a unit only where one of these follows."""
_SECONDS = {"s": 1.0, "second": 1.0, "h": 3600.0, "hr": 3600.0, "hour": 3600.0}


def scale_at(tokens: Tokens, at: int, last: int, *, money: bool) -> tuple[float, int]:
    """Return the factor of the scale words from `at` on (1 where there are none), and their end."""
    factor = 1.0
    while at < last and at:
        word, spelling = tokens.lower[at], tokens.words[at]
        glued = tokens.starts[at] == tokens.ends[at - 1]
        if word in SCALES:
            factor *= SCALES[word]
        elif (word == "k" and glued) or (
            word in ("m", "b")
            and (money or spelling in "MB")
            and _EXTENTS.isdisjoint(tokens.lower[at + 1 : at + 2])
        ):
            factor *= {"k": 1e3, "m": 1e6, "b": 1e9}[word]
        else:
            break
        at += 1
    return factor, at


def unit_at(
    tokens: Tokens, at: int, last: int, currency: str | None
) -> tuple[str, str, float, frozenset[str], int]:
    """Return dimension, unit as written, worth in the base unit, counted things, and end."""
    if currency:
        return currency, currency, 1.0, _NONE, at
    after = at + 1 if at < last and tokens.words[at] in _SIGNS else at
    after += after < last and tokens.words[after] == "°"
    word = tokens.lower[after] if after < last else ""
    if word in _DAY_ADJECTIVES and after + 1 < last and tokens.lower[after + 1] in ("day", "days"):
        after, word = after + 1, "day"
    if word in ("c", "f") and after == at and tokens.words[after] == word:
        word = ""
    if word == "per" and tokens.lower[after + 1 : after + 2] == ["cent"]:
        return "%", "%", 1.0, _NONE, after + 2
    if word in _POINTS and tokens.lower[after + 1 : after + 2] in (["point"], ["points"]):
        return "pp", _POINTS[word], *UNITS[_POINTS[word]][1:], _NONE, after + 2
    power = _POWERS.get(word, 0) if after + 1 < last else 0
    base = UNITS.get(tokens.lower[after + 1]) if power else None
    if base and base[0] == "m":
        return f"m{power}", f"{word} {tokens.lower[after + 1]}", base[1] ** power, _NONE, after + 2
    if word in UNITS:
        unit, worth = UNITS[word]
        per = tokens.lower[after + 1 : after + 3] if unit == "m" and after + 2 < last else []
        if per and per[0] in ("/", "per", "an") and per[1] in _SECONDS:
            return "m/s", f"{word}/", worth / _SECONDS[per[1]], _NONE, after + 3
        return unit, word.rstrip("s"), worth, _NONE, after + 1
    return "", "", 1.0, things(tokens, after, last), at


def things(tokens: Tokens, at: int, last: int) -> frozenset[str]:
    """Return the stems of the words from a token on that name what is counted."""
    stems: set[str] = set()
    while at < last and len(stems) < _THINGS:
        if tokens.kinds[at] == WORD and tokens.lower[at] not in STOPWORDS:
            stems.add(stem(tokens.lower[at]))
        elif tokens.words[at] != "-" or tokens.kinds[at] != MARK:
            break
        at += 1
    return frozenset(stems)
