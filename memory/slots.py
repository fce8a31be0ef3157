"""Slots, things with one value at a time (a limit, a role, a count): the slot of a fact, by rules.

A key is a kind and the words that distinguish slots of the kind: "limit max m/s|scaffold". Facts
that may coexist (active works, several crane operators) have no slot.
"""

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from lib.text.stems import stem
from lib.text.words import MONTHS, word_set
from memory.reading.meaning import (
    bans,
    is_recurring,
    is_rule,
    location,
    own_name,
    role_holder_in,
    titled_role,
)
from memory.reading.sentence import (
    EQUIPMENT_NOUNS,
    PHYSICAL,
    PREFERS,
    SCHEDULE_NOUNS,
    TEAM_NOUNS,
    UNIT_CHOICES,
    WEEKDAYS,
    Measure,
    ParsedSentence,
    read,
)

_GENERIC = {
    stem(word)
    for word in word_set(
        "limit limits limited threshold maximum max minimum min cap site work works stop stops "
        "cease must mandate mandates mandated require requires required council client insurer "
        "company policy rule set raise raised lower lowered change changed increase increased "
        "reduce reduced new value level allowed permitted exceed reach reaches speed wind winds "
        "degrees degree celsius km h mph kmh knots db decibels temperature now current remember "
        "take taken out service project anybody everyone nobody anyone use used safe operation "
        "operations operate go run running hour minute pour pours poured apply applies longer "
        "today operating place placed say says said told boss call called date plan planned "
        "schedule scheduled due fix went down "
        "fixed is are more fewer than least most above below under over get give stand"
    )
}
_KEEP = word_set("gust gusts noise heat cold pour pours poured concrete height depth weight load")
_MINIMUM = word_set("minimum min least")
_BELOW = word_set("below under fewer colder")
_STOPPING = word_set("never nobody not no stop stops cease ceases don't cannot can't shouldn't")
_ALLOWED = word_set("allowed permitted permit permits allow allows")
_BANNED = word_set("prohibited forbidden banned prohibits forbids prohibit")
_REQUIRED = word_set("required mandatory compulsory obligatory")
_MONTH_STEMS = {stem(month) for month in MONTHS}
_DENIALS = word_set("not no never isn't aren't nobody don't doesn't")
_ASKS = word_set("use please give keep answer write speak")
_SYNONYMS = {
    "meters": "metres",
    "brief": "short",
    "concise": "short",
    "detailed": "long",
    "kilometres per hour": "km/h",
}
_NOON, _HALF_DAY = 12, 720
"""Hours, and minutes."""
_COUNTABLE = {stem(word) for word in TEAM_NOUNS | EQUIPMENT_NOUNS}
_SCHEDULED = {stem(word) for word in SCHEDULE_NOUNS} - {"start", "hour", "handov"}


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot: `key` names what has one value at a time, `value` is it.

    Both are comparable words.
    """

    key: str
    value: str


def slot_of(fact: str) -> Slot | None:
    """Return the slot of a fact and its value, or None if it names no single value."""
    sentence = read(fact)
    return next((slot for rule in _RULES if (slot := rule(sentence))), None)


def _preference(sentence: ParsedSentence) -> Slot | None:
    if is_rule(sentence) and sentence.physical:
        return None
    asks = sentence.has(PREFERS | _ASKS)
    for kind in UNIT_CHOICES:
        choices = sentence.choices_of(kind)
        if asks and len(choices) == 1 and kind not in ("sources", "layout"):
            return Slot(f"preference|{kind}", _SYNONYMS.get(choices[0], choices[0]))
    return None


def _location(sentence: ParsedSentence) -> Slot | None:
    place = location(sentence)
    return Slot("location|", place) if place else None


def _limit(sentence: ParsedSentence) -> Slot | None:
    """Return the slot of a rule with one physical quantity, by its subject and bound."""
    measures = [m for m in sentence.measures if m.unit in PHYSICAL]
    if len(measures) != 1 or not is_rule(sentence) or is_recurring(sentence):
        return None
    measure = measures[0]
    # The stems of a limit's subject, without the words common to all limits.
    positions = set(range(measure.first, measure.last))
    # "from 30 to 25 km/h": the value that holds no longer tells nothing of what it is about.
    positions |= {at for at in range(1, measure.first) if sentence.words[at - 1] == "from"}
    words = {
        term
        for at, term in enumerate(sentence.tokens.terms)
        if term and at not in positions and (term not in _GENERIC or sentence.words[at] in _KEEP)
    }
    if not words and measure.unit != "m/s":
        return None
    below = sentence.has(_BELOW) and (bans(sentence) or sentence.has(_STOPPING))
    end = "min" if below or sentence.has(_MINIMUM) else "max"
    value = _changed_to(sentence, measure) or _bounds(measure)
    return Slot(_key(f"limit {end} {measure.unit}", words or {"wind"}), value)


def _date(sentence: ParsedSentence) -> Slot | None:
    if len(sentence.dates) != 1 or sentence.measures:
        return None
    date = sentence.dates[0]
    if not date.month:
        return None
    words = _terms(sentence, range(date.first, date.last)) - _GENERIC - _MONTH_STEMS
    value = "-".join(str(part or "?") for part in (date.year, date.month, date.day))
    return Slot(_key("date", words), value) if words else None


def _time(sentence: ParsedSentence) -> Slot | None:
    """Return the slot of a recurring time: "my toolbox talk is every Monday at 7:15"."""
    if not is_recurring(sentence):
        return None
    what = {stem(word) for word in sentence.words} & _SCHEDULED
    clocks = [value for m in sentence.measures if (value := _clock(sentence, m)) is not None]
    days = [day for day in WEEKDAYS if sentence.has((day, f"{day}s"))]
    if not what or len(clocks) > 1 or not (clocks or days):
        return None
    return Slot(_key("time", what), " ".join((*days, *clocks)))


def _count(sentence: ParsedSentence) -> Slot | None:
    """Return the slot of a count: "3 glazing crews"."""
    measures = [m for m in sentence.measures if m.things and not m.unit]
    if len(measures) != 1 or sentence.physical or is_rule(sentence):
        return None
    measure = measures[0]
    # The nouns right after the number.
    nouns = set[str]()
    for at in range(measure.last, len(sentence.words)):
        term = sentence.tokens.terms[at]
        if not term or term not in measure.things or sentence.words[at] in ("work", "works"):
            break
        nouns.add(term)
    return Slot(_key("count", nouns), _bounds(measure)) if nouns & _COUNTABLE else None


def _yes_no(sentence: ParsedSentence) -> Slot | None:
    """Return the slot of something allowed or required, or not."""
    if sentence.measures:
        return None
    banned, denied = sentence.has(_BANNED), sentence.has(_DENIALS)
    if sentence.has(_REQUIRED):
        kind, holds = "required", not denied
    elif banned or sentence.has(_ALLOWED):
        kind, holds = "allowed", banned == denied
    else:
        return None
    words = _terms(sentence) - _BAN_STEMS - {"longer", "now", "here", "site"}
    return Slot(_key(kind, words), "yes" if holds else "no") if words else None


def _name(sentence: ParsedSentence) -> Slot | None:
    name = own_name(sentence)
    return Slot("name|", name.lower()) if name else None


def _role(sentence: ParsedSentence) -> Slot | None:
    role = titled_role(sentence)
    return Slot("role|", role) if role else None


def _person(sentence: ParsedSentence) -> Slot | None:
    holder = role_holder_in(sentence)
    if holder is None or not holder.single or not holder.role:
        return None
    return Slot(_key("person", holder.role), holder.name.lower())


_RULES = (_preference, _location, _limit, _date, _time, _count, _yes_no, _name, _role, _person)
_BAN_STEMS = {stem(word) for word in _ALLOWED | _BANNED | _REQUIRED}


def _key(kind: str, words: Iterable[str]) -> str:
    return f"{kind}|{' '.join(sorted(words))}"


def _terms(sentence: ParsedSentence, positions: Collection[int] = ()) -> set[str]:
    """Return the stems of a sentence's words but those at these positions."""
    return {term for at, term in enumerate(sentence.tokens.terms) if term and at not in positions}


def _bounds(measure: Measure) -> str:
    """Return the finite ends of a quantity to three digits, independent of unit and spelling."""
    ends = {_figure(end) for end in (measure.low, measure.high) if math.isfinite(end)}
    return " to ".join(sorted(ends, key=float))


def _changed_to(sentence: ParsedSentence, measure: Measure) -> str:
    """Return the new value of "from 25 to 30 km/h", or ""."""
    if measure.first == 0 or sentence.words[measure.first - 1] != "from":
        return ""
    words = (sentence.words[at] for at in range(measure.first, measure.last))
    numbers = [float(word) for word in words if word.replace(".", "", 1).isdecimal()]
    if len(numbers) != 2 or not math.isfinite(measure.low + measure.high):
        return ""
    return _figure(measure.high if numbers[1] > numbers[0] else measure.low)


def _figure(value: float) -> str:
    """Return three digits, which distinguish limits: 25 km/h is 6.94 m/s."""
    return f"{float(f'{value:.3g}'):g}"


def _clock(sentence: ParsedSentence, measure: Measure) -> str | None:
    """Return minutes since midnight; with "?" if either half of the day is possible."""
    if measure.unit == "clock":
        return f"{measure.low:g}"
    if measure.unit == "clock 12":
        return f"{measure.low % _HALF_DAY:g}?"
    at = sentence.words[measure.first - 1] if measure.first else ""
    bare = not measure.unit and not measure.things and at in ("at", "from", "is")
    if bare and 0 < measure.low <= _NOON:
        return f"{measure.low * 60 % _HALF_DAY:g}?"
    return None


# Compares slots and values that are worded differently.

_THINGS = {
    stem(word)
    for word in word_set(
        "crane tower mobile crawler scaffold scaffolding hoist boom lift mewp roof facade glazing "
        "ladder gust formwork concrete excavation trench truck noise heat helicopter panel steel "
        "window curtain cladding pile drone forklift telehandler platform pump deck rebar loading"
    )
}


def same_slot(key: str, other: str) -> bool:
    """Return whether two keys name the same slot.

    Kinds and words must be equal. A limit is worded in many ways ("the council's scaffold limit",
    "scaffolds stop at"): its things must be the same, and some of the other words, if both have
    any.
    """
    kind, words = _parts(key)
    other_kind, other_words = _parts(other)
    if kind != other_kind:
        return False
    if words == other_words or not kind.startswith("limit"):
        return words == other_words
    things, other_things = words & _THINGS, other_words & _THINGS
    if things != other_things or _labels(words) != _labels(other_words):
        return False
    rest, other_rest = words - things, other_words - things
    if things:
        return not rest or not other_rest or bool(rest & other_rest)
    return rest <= other_rest or other_rest <= rest


def _labels(words: frozenset[str]) -> set[str]:
    """Return what distinguishes "crane 2" from "crane 3" and "zone A" from "zone B"."""
    return {word for word in words if len(word) == 1 or word[-1].isdecimal()}


def same_value(key: str, value: str, other: str) -> bool:
    """Return whether two values of one slot are the same; "8" may be 8 AM or 8 PM."""
    if not key.startswith("time|"):
        return value.lower() == other.lower()
    return _moments(value, "?" in other) == _moments(other, "?" in value)


def _parts(key: str) -> tuple[str, frozenset[str]]:
    kind, _, words = key.partition("|")
    return kind, frozenset(words.split())


def _moments(value: str, loosely: bool) -> tuple[str, ...]:
    """Return days and minutes; minutes within half a day if the other side leaves it open."""
    parts = list[str]()
    for part in value.split():
        minutes = part.rstrip("?")
        if minutes.isdecimal() and (loosely or "?" in part):
            minutes = str(int(minutes) % _HALF_DAY)
        parts.append(minutes)
    return tuple(parts)
