"""Timeline conflicts: one event of one subject at two times.

Risk API: a gap of more than ten years between "started in X" and "active since Y". Dates of
different events never conflict ("closed in 2010 and reopened in 2015"), unless an end precedes its
beginning. What happens once (born, founded) allows no gap at all.
"""

from dataclasses import dataclass

from analysis.engine.claims.reading import Reading, Statement
from analysis.engine.signal_types import Finding
from analysis.engine.signals.contradiction.facts import (
    Saying,
    StatedValue,
    conflict,
    content,
    pairs,
)
from analysis.engine.types import FindingKind
from lib.text.dates import Date
from lib.text.negation import negations
from lib.text.stems import stem
from lib.text.tokens import NUMBER, Tokens
from lib.text.verbs import finite
from lib.text.words import PREPOSITIONS, word_set

GAP_YEARS = 10
_START, _END, _BIRTH, _DEATH = "start", "end", "birth", "death"
_EVENTS = {
    "start": "founded established started began begun launched opened created incorporated "
    "formed inaugurated commenced instituted",
    "end": "closed ended ceased dissolved shut disbanded folded discontinued abolished demolished",
    "birth": "born",
    "death": "died",
}
_EVENT_OF = {stem(word): event for event, words in _EVENTS.items() for word in words.split()}
_ONCE = frozenset(stem(word) for word in ("born", "died", "founded", "established", "incorporated"))
_STATES = word_set("active operating operational running existed exists open business operation")
_ORDER = {(_START, _END), (_BIRTH, _DEATH)}
_TOPIC = "time"


@dataclass(frozen=True, slots=True)
class Event:
    """An event (its class and its own verb), its object, and its year."""

    event: str
    verb: str
    thing: frozenset[str]
    year: int
    years: int


def findings(reading: Reading, sayings: list[Saying]) -> list[Finding]:
    """Return conflicts of time between the statements."""
    facts = [fact for saying in sayings for fact in _facts(reading, saying)]
    conflicts = []
    for earlier, later in pairs(facts):
        why = _at_odds(earlier.value, later.value)
        if why:
            conflicts.append(conflict(FindingKind.TIMELINE, earlier, later, why))
    return conflicts


def _facts(reading: Reading, saying: Saying) -> list[StatedValue[Event]]:
    tokens, item = reading.tokens, saying.statement
    dates = [date for date in saying.figures.dates if date.year]
    if not dates or negations(tokens, item.first, item.last):
        return []
    event = _event(tokens, item, dates)
    return [StatedValue(item, saying.subject, _TOPIC, event)] if event else []


def _event(tokens: Tokens, item: Statement, dates: list[Date]) -> Event | None:
    """Return the event of the clause with its date, or None."""
    verb = _event_verb(tokens, item)
    if verb is None:
        return _state_since(tokens, item, dates)
    date = next((date for date in dates if date.first > verb), dates[0])
    name = stem(tokens.lower[verb])
    since = tokens.lower[date.first - 1] if date.first else ""
    if since in ("until", "till", "before", "after", "by") or date.year is None:
        return None
    event = _EVENT_OF.get(name, name)
    return Event(event, name, _thing(tokens, verb, item.last), date.year, date.years)


def _event_verb(tokens: Tokens, item: Statement) -> int | None:
    places = range(item.first, item.last)
    for at in places:
        if stem(tokens.lower[at]) in _EVENT_OF:
            return at
    return next(
        (at for at in places if tokens.lower[at].endswith("ed") and finite(tokens, at)), None
    )


def _state_since(tokens: Tokens, item: Statement, dates: list[Date]) -> Event | None:
    """Return the beginning dated by "active since 2010"."""
    words = tokens.lower[item.first : item.last]
    date = dates[0]
    if "since" not in words or not _STATES & set(words) or date.year is None:
        return None
    return Event(_START, "since", frozenset(), date.year, date.years)


def _thing(tokens: Tokens, verb: int, last: int) -> frozenset[str]:
    """Return the content words between the verb and the next preposition: what was built."""
    end = verb + 1
    while end < last and tokens.lower[end] not in PREPOSITIONS and tokens.kinds[end] != NUMBER:
        end += 1
    return frozenset(word for word in content(tokens, verb + 1, end) if not word.endswith("ly"))


def _at_odds(event: Event, other: Event) -> str:
    if event.thing != other.thing:
        return ""
    for early, late in ((event, other), (other, event)):
        if (early.event, late.event) in _ORDER and late.year + late.years <= early.year:
            return f"The end ({late.year}) comes before the beginning ({early.year})"
    if event.event != other.event:
        return ""
    gap = max(event.year - other.year - other.years + 1, other.year - event.year - event.years + 1)
    once = event.verb == other.verb and event.verb in _ONCE
    if gap > GAP_YEARS or (once and gap > 0):
        return f"The same event is dated {event.year} and {other.year}"
    return ""
