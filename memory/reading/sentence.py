"""A sentence, parsed once for guards, judge and slots."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from lib.text.dates import Date
from lib.text.figures import figures
from lib.text.quantity import Quantity
from lib.text.sentences import sentences
from lib.text.tokens import Tokens, tokenize
from lib.text.verbs import predicates
from lib.text.words import BE, word_set

# Splits a manager's statement into sentences.

_JOINT = re.compile(
    r",\s+and\s+(?=(?:i|i'm|we|we're|our|my|the|there|it|this|nobody|no)\b)", re.IGNORECASE
)
_LEAST_WORDS = 3


def split(statement: str) -> list[str]:
    """Return the sentences; two main clauses are two sentences.

    "I am the safety manager, and our site is in Rotterdam." is about the manager and the site.
    """
    parts = (statement[sentence.start : sentence.end].strip() for sentence in sentences(statement))
    return [clause for part in parts if part for clause in _clauses(part)]


def _clauses(sentence: str) -> list[str]:
    """Return the main clauses joined by ", and", or the whole sentence if a part is none."""
    clauses = _JOINT.split(sentence)
    if len(clauses) == 1 or sentence.rstrip().endswith("?") or not all(map(_states, clauses)):
        return [sentence]
    return [_as_sentence(item) for item in clauses]


def _as_sentence(clause: str) -> str:
    closed = clause if clause[-1] in ".!?" else f"{clause}."
    return closed[0].upper() + closed[1:]


def _states(clause: str) -> bool:
    tokens = tokenize(clause)
    verb = not BE.isdisjoint(tokens.lower) or predicates(tokens, 0, len(tokens))
    return verb and len(clause.split()) >= _LEAST_WORDS


# Words of building sites and standing rules, as closed sets in lower case.

LIMIT_WORDS = word_set(
    "limit limits limited threshold thresholds maximum max minimum min cap capped ceiling cutoff"
)
RULE_WORDS = LIMIT_WORDS | word_set(
    "must mandate mandates mandated require requires required mandatory compulsory obligatory "
    "allowed allow allows permitted permit permits prohibited prohibit prohibits forbidden forbid "
    "forbids banned bans policy rule rules nobody never only stop stops ceases cease "
    "prohibition insists insist anyone everyone everybody needs shall cannot"
)
BOUND_WORDS = word_set(
    "above below over under beyond exceed exceeds exceeding than least most until"
)
BOUND_PHRASES = (("up", "to"),)
RECURRING = word_set(
    "every each daily weekly monthly yearly always usually weekdays weekday mornings evenings "
    "mondays tuesdays wednesdays thursdays fridays saturdays sundays nightly normally regularly"
)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
NOW = word_set("now currently presently already today tonight outside")
NOW_PHRASES = (
    ("right", "now"), ("at", "the", "moment"), ("at", "present"), ("this", "morning"),
    ("this", "afternoon"), ("this", "evening"), ("at", "noon"), ("just", "now"),
)  # fmt: skip
PASSING = word_set("today tomorrow tonight yesterday later soon")
PASSING_PHRASES = (
    ("this", "morning"), ("this", "afternoon"), ("this", "evening"), ("last", "night"),
    ("last", "week"), ("right", "now"), ("just", "now"), ("in", "a", "minute"),
    ("minutes", "late"), ("ten", "minutes"),
)  # fmt: skip
WEATHER = word_set(
    "wind winds gust gusts gusting temperature rain raining rained snow snowing hail fog foggy "
    "humidity storm stormy thunder lightning visibility anemometer gauge thermometer sensor "
    "windy hot cold degrees pressure forecast ice icy frost heat noise reading"
)
READINGS = word_set("measured reads read showed shows showing shown measures recorded logged")
ROLE_NOUNS = word_set(
    "manager engineer supervisor foreman forewoman foreperson director coordinator officer "
    "superintendent lead leader head planner surveyor inspector architect operator banksman "
    "slinger signaller rigger scaffolder electrician plumber welder warden "
    "contractor subcontractor supplier client consultant technician buyer estimator chief deputy "
    "ganger chargehand marshal driver steward representative insurer owner"
)
LEADS = word_set(
    "leads heads runs manages supervises oversees coordinates directs lead head run manage "
    "supervise oversee coordinate direct"
)
SCHEDULE_NOUNS = word_set(
    "briefing briefings talk talks toolbox meeting meetings walk walks review reviews shift shifts "
    "inspection inspections delivery deliveries hours handover standup audit audits call "
    "calls round rounds start rota drill"
)
TEAM_NOUNS = word_set(
    "crew crews team teams gang gangs worker workers operator operators scaffolder scaffolders "
    "welder welders electrician electricians foreman foremen supervisor supervisors engineer "
    "engineers subcontractor subcontractors slinger slingers banksman banksmen rigger riggers "
    "labourer labourers laborer laborers carpenter carpenters plumber plumbers people apprentices "
    "staff shifts contractors marshals drivers"
)
EQUIPMENT_NOUNS = word_set(
    "crane cranes hoist hoists excavator excavators lift lifts mewp mewps pump pumps truck trucks "
    "mixer mixers generator generators telehandler telehandlers forklift forklifts scaffold "
    "scaffolds anemometer anemometers loader loaders dumper dumpers compressor compressors "
    "bulldozer rig rigs container containers cabins platforms platform elevator elevators "
    "aiders gates gate towers blocks storeys floors levels buildings defibrillator "
    "defibrillators extinguishers"
)
WORKS = word_set(
    "running glazing pouring erecting excavating piling supervising installing building lifting "
    "digging cladding roofing demolishing dismantling welding concreting casting scaffolding "
    "fitting wiring painting tiling trenching dewatering drilling bricklaying assembling placing "
    "fixing doing working waterproofing insulating paving grading blasting rigging stripping"
)
_CHOICES = {
    "units": word_set("metric imperial"),
    "temperature": word_set("celsius fahrenheit kelvin"),
    "speed": ("knots", "mph", "km/h", "m/s", "beaufort", "kilometres per hour"),
    "length": word_set("metres meters feet inches yards"),
    "size": word_set("short brief concise long detailed"),
    "language": word_set(
        "english german french spanish italian dutch polish portuguese hindi arabic turkish"
    ),
    "layout": word_set("bullets bullet table tables prose"),
    "sources": word_set("sources citations"),
}
UNIT_CHOICES = {
    kind: {tuple(tokenize(choice).lower): choice for choice in sorted(choices)}
    for kind, choices in _CHOICES.items()
}
"""The choices that a person has, by kind, and each by its tokens."""
PREFERS = word_set("prefer prefers rather like want wants need favour favor preferred preference")


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

    def choices_of(self, kind: str) -> list[str]:
        """Return the choices of a kind (of UNIT_CHOICES) that occur."""
        choices = UNIT_CHOICES[kind].items()
        return [choice for tokens, choice in choices if self.phrase(tokens)]

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
