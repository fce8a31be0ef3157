"""A sentence, parsed once for guards, judge and slots."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from lib.text.dates import Date
from lib.text.figures import figures
from lib.text.quantity import Quantity
from lib.text.tokens import Tokens, tokenize

_SPOKEN_UNITS = {
    "degree": "temperature", "degrees": "temperature", "°": "temperature",
    "db": "sound", "decibel": "sound", "decibels": "sound", "dba": "sound",
    "knot": "knots", "knots": "knots", "kn": "knots", "kts": "knots", "beaufort": "beaufort",
    "lux": "light", "ppm": "ppm", "bar": "pressure", "kpa": "pressure", "kn/m2": "load",
}  # fmt: skip
_KNOT = 0.514444
PHYSICAL = frozenset(
    {"m/s", "temperature", "sound", "beaufort", "light", "ppm", "pressure", "m", "kg", "s", "%"}
)
"""Units of what can be measured or limited."""
OF_WEATHER = frozenset({"m/s", "temperature", "sound", "beaufort", "light", "pressure"})
"""Units of what a reading tells, without more words."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A quantity of the sentence: bounds in base units, the unit, the things counted."""

    low: float
    high: float
    unit: str
    things: frozenset[str]
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """A parsed sentence. `words` are its lower-case tokens."""

    text: str
    tokens: Tokens
    words: tuple[str, ...]
    measures: tuple[Measure, ...]
    dates: tuple[Date, ...]

    def has(self, words: Iterable[str]) -> bool:
        """Return whether any of these words occurs."""
        return not frozenset(words).isdisjoint(self.words)

    def phrase(self, *phrases: tuple[str, ...]) -> bool:
        """Return whether any of these runs of words occurs."""
        return any(self.at(phrase) is not None for phrase in phrases)

    def at(self, phrase: tuple[str, ...]) -> int | None:
        """Return where a run of words begins, or None."""
        size = len(phrase)
        starts = range(len(self.words) - size + 1)
        return next((at for at in starts if self.words[at : at + size] == phrase), None)

    @property
    def physical(self) -> bool:
        """True if it has a physical quantity."""
        return any(measure.unit in PHYSICAL for measure in self.measures)


@lru_cache(maxsize=256)
def read(text: str) -> ParsedSentence:
    """Parse one sentence; typographic apostrophes are read as plain ones."""
    plain = text.replace("’", "'")
    tokens = tokenize(plain)
    values = figures(tokens, 0, len(tokens))
    measures = tuple(_measure(tokens, quantity) for quantity in values.quantities)
    return ParsedSentence(text, tokens, tuple(tokens.lower), measures, values.dates)


def _measure(tokens: Tokens, quantity: Quantity) -> Measure:
    """Return a quantity, also in units unknown to lib.text.units: degrees, decibels, knots."""
    following = tokens.lower[quantity.last] if quantity.last < len(tokens) else ""
    unit = quantity.unit or _SPOKEN_UNITS.get(following, "")
    factor, unit = (_KNOT, "m/s") if unit == "knots" else (1.0, unit)
    things = quantity.things if not unit else frozenset[str]()
    last = quantity.last + (not quantity.unit and bool(unit))
    return Measure(
        quantity.low * factor, quantity.high * factor, unit, things, quantity.first, last
    )
