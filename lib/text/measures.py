"""Reads what follows a number: its scale, its unit and the things that it counts."""

from lib.text.stems import stem
from lib.text.tokens import MARK, WORD, Tokens
from lib.text.units import SCALES, UNITS
from lib.text.words import STOPWORDS, word_set

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
        return currency, currency, 1.0, frozenset(), at
    after = at + 1 if at < last and tokens.words[at] in _SIGNS else at
    after += after < last and tokens.words[after] == "°"
    word = tokens.lower[after] if after < last else ""
    if word in _DAY_ADJECTIVES and after + 1 < last and tokens.lower[after + 1] in ("day", "days"):
        after, word = after + 1, "day"
    if word in ("c", "f") and after == at and tokens.words[after] == word:
        word = ""
    if word == "per" and tokens.lower[after + 1 : after + 2] == ["cent"]:
        return "%", "%", 1.0, frozenset(), after + 2
    if word in _POINTS and tokens.lower[after + 1 : after + 2] in (["point"], ["points"]):
        return "pp", _POINTS[word], *UNITS[_POINTS[word]][1:], _NONE, after + 2
    power = _POWERS.get(word, 0) if after + 1 < last else 0
    base = UNITS.get(tokens.lower[after + 1]) if power else None
    if base and base[0] == "m":
        return f"m{power}", f"{word} {tokens.lower[after + 1]}", base[1] ** power, _NONE, after + 2
    if word in UNITS:
        unit, worth = UNITS[word]
        speed = _per_time(tokens, after + 1, last) if unit == "m" else 0.0
        if speed:
            return "m/s", f"{word}/", worth / speed, frozenset(), after + 3
        return unit, word.rstrip("s"), worth, frozenset(), after + 1
    return "", "", 1.0, things(tokens, after, last), at


def _per_time(tokens: Tokens, at: int, last: int) -> float:
    """Return the seconds in the hour of "km/h" and "miles per hour", 0 where there is none."""
    if at + 1 >= last or tokens.lower[at] not in ("/", "per", "an"):
        return 0.0
    return _SECONDS.get(tokens.lower[at + 1], 0.0)


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
