"""Numeric conflicts: two values for the same attribute of the same subject."""

from msgspec import Struct

from analysis.engine.claims.reading import METHOD_CLAUSE, Reading, Statement
from analysis.engine.signal_types import Finding
from analysis.engine.signals.contradiction.facts import Saying, StatedValue, conflict, pairs
from analysis.engine.types import FindingKind
from lib.text.dates import CLOCK, CLOCK_OPEN
from lib.text.quantity import LABEL, ORDINAL, Quantity, agree, comparable, magnitude_apart
from lib.text.stems import stem
from lib.text.verbs import finite_verbs, is_adverb
from lib.text.words import word_set

_KIN = {
    stem(word): stem(attribute)
    for attribute, words in {
        "height": "tall high height", "length": "long length", "width": "wide width",
        "depth": "deep depth", "age": "old age aged", "cost": "cost costs price priced worth",
        "weight": "weigh weighs weight heavy", "employ": "employs employees staff workers",
        "population": "population inhabitants people residents",
    }.items()
    for word in words.split()
}  # fmt: skip
_PLAIN = frozenset(
    stem(word)
    for word in word_set(
        "total overall exactly precisely roughly estimated reported actually definitely has have "
        "people stands measures measured million billion thousand percent dollars number"
    )
)
_IN_TURN = word_set("let still again then now later meanwhile next afterwards")
"""Such a clause tells of a step or a moment of its own: "let it rest for 5 minutes"."""
_SKIPPED_UNITS = (CLOCK, CLOCK_OPEN, LABEL, ORDINAL)


class Value(Struct, frozen=True, gc=False):
    """A quantity, the clause's other words (stems), and its years."""

    quantity: Quantity
    words: frozenset[str]
    years: frozenset[int]


def findings(reading: Reading, sayings: list[Saying]) -> list[Finding]:
    """Return pairs of statements that give one attribute two values."""
    facts = [fact for saying in sayings for fact in _facts(reading, saying)]
    conflicts = []
    for earlier, later in pairs(facts):
        if _at_odds(earlier.value, later.value):
            difference = magnitude_apart(earlier.value.quantity, later.value.quantity)
            why = "Figures an order of magnitude apart" if difference else "Different figures"
            conflicts.append(conflict(FindingKind.NUMERIC, earlier, later, why))
    return conflicts


def _facts(reading: Reading, saying: Saying) -> list[StatedValue[Value]]:
    tokens, item, figures = reading.tokens, saying.statement, saying.figures
    if not figures.quantities or item.claim.extraction_method != METHOD_CLAUSE:
        return []
    quantities = [
        quantity for quantity in figures.quantities if quantity.unit not in _SKIPPED_UNITS
    ]
    if not quantities or not _IN_TURN.isdisjoint(tokens.lower[item.first : item.last]):
        return []
    if next(finite_verbs(tokens, item.first, item.last), None) is None:
        return []
    years = frozenset(date.year for date in figures.dates if date.year)
    return [
        StatedValue(item, saying.subject, quantity.unit, _value(reading, item, quantity, years))
        for quantity in quantities
        if _alone(quantity, quantities)
    ]


def _value(reading: Reading, item: Statement, quantity: Quantity, years: frozenset[int]) -> Value:
    return Value(quantity, _words(reading, item, quantity), years)


def _alone(quantity: Quantity, quantities: list[Quantity]) -> bool:
    """Return whether the clause has one value of the unit; two ("rose from 5 to 10") differ."""
    return sum(other.unit == quantity.unit for other in quantities) == 1


def _words(reading: Reading, item: Statement, quantity: Quantity) -> frozenset[str]:
    """Return the clause's words without number and subject, related words unified."""
    tokens = reading.tokens
    words = {
        _KIN.get(word, word)
        for first, last in ((item.first, quantity.first), (quantity.last, item.last))
        for word, lower in zip(tokens.terms[first:last], tokens.lower[first:last], strict=True)
        if word and not is_adverb(lower)
    }
    return frozenset(words) - _PLAIN


def _at_odds(value: Value, other: Value) -> bool:
    if value.years != other.years or not comparable(value.quantity, other.quantity):
        return False
    if agree(value.quantity, other.quantity):
        return False
    if value.words <= other.words or other.words <= value.words:
        return True
    shared, total = len(value.words & other.words), len(value.words | other.words)
    return magnitude_apart(value.quantity, other.quantity) and 2 * shared >= total
