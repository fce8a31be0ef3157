"""Internal contradictions (risk API): the answer against itself.

Facts are grouped by subject, and only facts of one group are compared, so that the work is linear
in the length of the answer.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from msgspec import Struct

from analysis.engine.claims.assertions import is_question
from analysis.engine.claims.reading import METHOD_CLAUSE, Reading, Statement
from analysis.engine.signal_types import Finding
from analysis.engine.types import FindingKind
from lib.text.blocks import BlockKind
from lib.text.dates import CLOCK, CLOCK_OPEN, Date, dates
from lib.text.equivalents import POLES
from lib.text.figures import Figures
from lib.text.negation import NEGATORS, negations
from lib.text.quantity import LABEL, ORDINAL, Quantity, agree, comparable, magnitude_apart
from lib.text.stems import stem, stems
from lib.text.tokens import CJK, MARK, NUMBER, Tokens
from lib.text.verbs import finite, finite_verbs, is_adverb, past_form
from lib.text.words import PREPOSITIONS, word_set

MOST = 50
"""Findings kept of each kind: one is enough for the verdict, fifty for the reader."""


def findings(reading: Reading) -> tuple[Finding, ...]:
    """Return timeline, status, yes/no and numeric conflicts, each with its two spans."""
    if len(reading.lines) < 2 and len(reading.statements) < 2:
        return ()
    shared = sayings(reading)
    kinds = (_timeline, _opposites, _figures)
    result = [finding for kind in kinds for finding in kind(reading, shared)[:MOST]]
    return (*result, *_yes_and_no(reading)[:MOST])


def explain(findings: tuple[Finding, ...]) -> str:
    """Return the details in words, "" without findings."""
    return "; ".join(finding.detail for finding in findings[:3])


V = TypeVar("V")
_KEPT = 8
"""The number of earlier facts on a subject and topic that a new one is compared with."""
_SUBJECT_STEMS = 4
_PRONOUNS = frozenset({"he", "she", "it", "they"})


class StatedValue(Struct, Generic[V], frozen=True, gc=False):
    """A value stated about a subject (its stems) on one topic."""

    statement: Statement
    subject: frozenset[str]
    topic: Hashable
    value: V


def content(tokens: Tokens, first: int, last: int) -> list[str]:
    """Return the stems of content words and numbers in tokens [first, last)."""
    terms = [term for term in tokens.terms[first:last] if term]
    kinds = tokens.kinds[first:last]
    if CJK in kinds:
        pairs = zip(tokens.words[first:last], kinds, strict=True)
        terms += [word for word, kind in pairs if kind == CJK]
    return terms


class Saying(Struct, frozen=True, gc=False):
    """A statement, the stems of its subject, and its figures."""

    statement: Statement
    subject: frozenset[str]
    figures: Figures


def sayings(reading: Reading) -> list[Saying]:
    """Return the statements that share their subject: only those can contradict each other."""
    about = [subject_of(reading, item) for item in reading.statements]
    shared = Counter(word for subject in about for word in subject)
    return [
        Saying(item, subject, reading.figures_of(item))
        for item, subject in zip(reading.statements, about, strict=True)
        if any(shared[word] > 1 for word in subject)
    ]


def subject_of(reading: Reading, statement: Statement) -> frozenset[str]:
    """Return the stems of the statement's subject, empty if unknown."""
    tokens = reading.tokens
    first, last = statement.subject
    subject_terms = frozenset(content(tokens, first, min(last, first + 12)))
    if subject_terms or first >= last:
        return subject_terms
    return frozenset({tokens.lower[first]} & _PRONOUNS)


def same_subject(subject: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether subjects may be one: "The college", "SSN College"; not "SSN University"."""
    return subject <= other or other <= subject


def pairs(facts: Sequence[StatedValue[V]]) -> Iterator[tuple[StatedValue[V], StatedValue[V]]]:
    """Yield earlier and later facts on one topic of one subject; linear in the number of facts."""
    topics = Counter(fact.topic for fact in facts)
    buckets: dict[Hashable, deque[StatedValue[V]]] = defaultdict(lambda: deque(maxlen=_KEPT))
    for fact in facts:
        if topics[fact.topic] < 2:
            continue
        matched: set[int] = set()
        for word in sorted(fact.subject)[:_SUBJECT_STEMS]:
            bucket = buckets[fact.topic, word]
            for earlier in bucket:
                if id(earlier) not in matched:
                    matched.add(id(earlier))
                    if same_subject(earlier.subject, fact.subject):
                        yield earlier, fact
            if not any(_says_the_same(earlier, fact) for earlier in bucket):
                bucket.append(fact)


def _says_the_same(fact: StatedValue[V], other: StatedValue[V]) -> bool:
    return fact.subject == other.subject and fact.value == other.value


def conflict(
    kind: FindingKind, earlier: StatedValue[V], later: StatedValue[V], why: str
) -> Finding:
    """Return the finding that two facts conflict, quoting both claims."""
    first, second = earlier.statement.claim, later.statement.claim
    detail = f"{why}: “{_quote(first.text)}” against “{_quote(second.text)}”"
    spans = ((first.start, first.end), (second.start, second.end))
    return Finding(kind, detail, spans, (first.claim_id, second.claim_id))


def _quote(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "…"


def is_latin(tokens: Tokens, first: int, last: int) -> bool:
    """Return False for ideographs, whose words these rules cannot separate."""
    return CJK not in tokens.kinds[first:last]


# Timeline: one event of one subject at two times. Risk API: a gap of more than ten years between
# "started in X" and "active since Y". Dates of different events never conflict ("closed in 2010
# and reopened in 2015"), unless an end precedes its beginning. What happens once (born, founded)
# allows no gap at all.

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
_ONCE = frozenset(stems(("born", "died", "founded", "established", "incorporated")))
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


def _timeline(reading: Reading, sayings: list[Saying]) -> list[Finding]:
    """Return conflicts of time between the statements."""
    facts = [fact for saying in sayings for fact in _events(reading, saying)]
    conflicts = []
    for earlier, later in pairs(facts):
        why = _misdated(earlier.value, later.value)
        if why:
            conflicts.append(conflict(FindingKind.TIMELINE, earlier, later, why))
    return conflicts


def _events(reading: Reading, saying: Saying) -> list[StatedValue[Event]]:
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
    if "since" not in words or _STATES.isdisjoint(words) or date.year is None:
        return None
    return Event(_START, "since", frozenset(), date.year, date.years)


def _thing(tokens: Tokens, verb: int, last: int) -> frozenset[str]:
    """Return the content words between the verb and the next preposition: what was built."""
    end = verb + 1
    while end < last and tokens.lower[end] not in PREPOSITIONS and tokens.kinds[end] != NUMBER:
        end += 1
    return frozenset(word for word in content(tokens, verb + 1, end) if not word.endswith("ly"))


def _misdated(event: Event, other: Event) -> str:
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


# Figures: two values for the same attribute of the same subject.

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
"""Such a clause is about a separate step or moment: "let it rest for 5 minutes"."""
_SKIPPED_UNITS = (CLOCK, CLOCK_OPEN, LABEL, ORDINAL)


class Value(Struct, frozen=True, gc=False):
    """A quantity, the clause's other words (stems), and its years."""

    quantity: Quantity
    words: frozenset[str]
    years: frozenset[int]


def _figures(reading: Reading, sayings: list[Saying]) -> list[Finding]:
    """Return pairs of statements that give one attribute two values."""
    facts = [fact for saying in sayings for fact in _values(reading, saying)]
    conflicts = []
    for earlier, later in pairs(facts):
        if _differ(earlier.value, later.value):
            difference = magnitude_apart(earlier.value.quantity, later.value.quantity)
            why = "Figures an order of magnitude apart" if difference else "Different figures"
            conflicts.append(conflict(FindingKind.NUMERIC, earlier, later, why))
    return conflicts


def _values(reading: Reading, saying: Saying) -> list[StatedValue[Value]]:
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
        StatedValue(
            item, saying.subject, each.unit, Value(each, _words(reading, item, each), years)
        )
        for each in quantities
        # Two values of one unit in a clause ("rose from 5 to 10") differ rightly.
        if sum(other.unit == each.unit for other in quantities) == 1
    ]


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


def _differ(value: Value, other: Value) -> bool:
    if value.years != other.years or not comparable(value.quantity, other.quantity):
        return False
    if agree(value.quantity, other.quantity):
        return False
    if value.words <= other.words or other.words <= value.words:
        return True
    shared, total = len(value.words & other.words), len(value.words | other.words)
    return magnitude_apart(value.quantity, other.quantity) and 2 * shared >= total


# "Yes" and "No" as nearby answers.

NEAR = 3
"""Sentences between which "yes" and "no" count as near (the risk API names no number)."""
_WORDS = {"yes": True, "yeah": True, "yep": True, "no": False, "nope": False}


def _yes_and_no(reading: Reading) -> list[Finding]:
    """Return sentences that begin with "Yes" and "No" and answer the same question."""
    findings: list[Finding] = []
    earlier: tuple[int, bool] | None = None
    for index, line in enumerate(reading.lines):
        if is_question(reading.tokens, line.first, line.last) or line.kind is BlockKind.HEADING:
            earlier = None
            continue
        reply = _reply(reading, index)
        if reply is None:
            continue
        if earlier and earlier[1] != reply and index - earlier[0] <= NEAR:
            findings.append(_finding(reading, earlier[0], index))
        earlier = (index, reply)
    return findings


def _reply(reading: Reading, index: int) -> bool | None:
    line, tokens = reading.lines[index], reading.tokens
    if line.kind is not BlockKind.PROSE:
        return None
    reply = _WORDS.get(tokens.lower[line.first])
    after = line.first + 1
    alone = after >= line.last or tokens.kinds[after] == MARK
    return reply if alone else None


def _finding(reading: Reading, earlier: int, later: int) -> Finding:
    tokens, lines = reading.tokens, (reading.lines[earlier], reading.lines[later])
    spans = tuple((tokens.starts[line.first], tokens.ends[line.first]) for line in lines)
    claims = [
        statement.claim.claim_id
        for index in (earlier, later)
        for statement in reading.of_line(index)
    ]
    detail = "The answer says both yes and no"
    return Finding(FindingKind.YES_NO, detail, spans, tuple(claims))


# Status: one subject said to be two opposite things at the same time.

_PRESENT_BE = word_set("is are isn't aren't remains remain stays stay 's it's he's she's")
_PAST_BE = word_set("was were wasn't weren't had did didn't hadn't became")
_BE = _PRESENT_BE | _PAST_BE
_NEUTRAL = frozenset(
    stem(word)
    for word in word_set(
        "permanently currently presently now still today officially definitely daily everyday "
        "certainly completely fully absolutely generally public business really actually true"
    )
)
_TIMES = frozenset(
    stem(word)
    for word in word_set(
        "monday tuesday wednesday thursday friday saturday sunday weekend weekends weekday "
        "mondays tuesdays wednesdays thursdays fridays saturdays sundays weekdays "
        "night morning evening afternoon winter summer spring autumn holiday holidays lunch "
        "dinner breakfast season temporarily formerly previously once earlier later hours time "
        "year years month months day days"
    )
)
_CONDITIONAL = word_set(
    "when if unless until till before after during while sometimes or where except"
)
_REOPENED = frozenset(stems(("reopened", "resumed", "revived", "again", "temporarily")))
_LASTING = word_set("permanently forever")
_FINAL = word_set("died dissolved disbanded")
_ENDINGS = {
    "closed": "open", "shut": "open", "ceased": "activ", "dissolved": "activ", "died": "aliv",
    "disbanded": "activ",
}  # fmt: skip
_REACH = 4


@dataclass(frozen=True, slots=True)
class AxisState:
    """The pole of an axis, its time, and its circumstances (stems)."""

    holds: bool
    past: bool
    circumstances: frozenset[str]
    conditional: bool
    ended: bool


def _opposites(reading: Reading, sayings: list[Saying]) -> list[Finding]:
    """Return opposite states of one subject, and a sentence with its own negation."""
    denied = _denied(reading, sayings)
    facts = [fact for saying in sayings for fact in _states(reading, saying, denied)]
    has_end = any(fact.value.ended for fact in facts)
    reopened = has_end and not _REOPENED.isdisjoint(map(stem, reading.tokens.lower))
    return [
        conflict(FindingKind.STATUS, earlier, later, "Opposite statements")
        for earlier, later in pairs(facts)
        if _are_opposite(earlier.value, later.value)
        if not (reopened and (earlier.value.ended or later.value.ended))
    ]


def _denied(reading: Reading, sayings: list[Saying]) -> frozenset[frozenset[str]]:
    """Return the complete content of negated statements: only these can conflict with another."""
    lower = reading.tokens.lower
    if NEGATORS.isdisjoint(lower):
        return frozenset()
    return frozenset(
        _clause_stems(reading.tokens, saying.statement, saying.subject)
        for saying in sayings
        if not NEGATORS.isdisjoint(lower[saying.statement.first : saying.statement.last])
    )


def _clause_stems(tokens: Tokens, item: Statement, subject: frozenset[str]) -> frozenset[str]:
    """Return the stems of a clause without its subject."""
    return frozenset(content(tokens, item.first, item.last)) - _NEUTRAL - subject


def _states(
    reading: Reading, saying: Saying, denied: frozenset[frozenset[str]]
) -> list[StatedValue[AxisState]]:
    """Return a statement's states; the whole clause if another negates the same."""
    item, subject = saying.statement, saying.subject
    if not is_latin(reading.tokens, item.first, item.last):
        return []
    candidates = [_closing(reading, item, subject), _copular(reading, item, subject)]
    states = [state for state in candidates if state]
    if states or not denied:
        return states
    words = _clause_stems(reading.tokens, item, subject)
    return [_whole(reading, item, subject, words)] if words in denied else []


def _closing(
    reading: Reading, item: Statement, subject: frozenset[str]
) -> StatedValue[AxisState] | None:
    """Return the state after "closed in 2010" or "shut down": not open since then."""
    tokens = reading.tokens
    if _ENDINGS.keys().isdisjoint(tokens.lower[item.first : item.last]):
        return None
    for at in range(item.first, item.last):
        axis = _ENDINGS.get(tokens.lower[at])
        before = tokens.lower[max(item.first, at - _REACH) : at]
        if axis and _BE.isdisjoint(before) and _for_good(tokens, item, at):
            state = AxisState(False, False, frozenset(), False, ended=True)
            return StatedValue(item, subject, axis, state)
    return None


def _for_good(tokens: Tokens, item: Statement, at: int) -> bool:
    """Return whether the ending is final by its verb, by "permanently" or by a year."""
    words, following = tokens.lower[item.first : item.last], tokens.lower[at + 1 : item.last][:1]
    if words[at - item.first] in _FINAL or following in (["down"], ["operations"]):
        return True
    if not _LASTING.isdisjoint(words):
        return True
    return NUMBER in tokens.kinds[at : item.last] and any(
        date.year for date in dates(tokens, at, item.last)
    )


def _copular(
    reading: Reading, item: Statement, subject: frozenset[str]
) -> StatedValue[AxisState] | None:
    """Return the state in "is (not) open", with tense and circumstances."""
    tokens = reading.tokens
    if POLES.keys().isdisjoint(tokens.lower[item.first : item.last]):
        return None
    for at in range(item.first, item.last):
        word = tokens.lower[at]
        if word not in _BE:
            continue
        for pole in range(at + 1, min(at + 1 + _REACH, item.last)):
            if tokens.lower[pole] in POLES:
                axis, positive = POLES[tokens.lower[pole]]
                state = _state(tokens, item, pole, positive, past=word in _PAST_BE)
                return StatedValue(item, subject, axis, state)
    return None


def _state(tokens: Tokens, item: Statement, pole: int, positive: bool, *, past: bool) -> AxisState:
    negated = any(
        negation.first <= pole < negation.last
        for negation in negations(tokens, item.first, item.last)
    )
    rest = frozenset(content(tokens, pole + 1, item.last)) - _NEUTRAL
    conditional = not _CONDITIONAL.isdisjoint(tokens.lower[item.first : item.last])
    return AxisState(positive != negated, past, rest, conditional, ended=False)


def _whole(
    reading: Reading, item: Statement, subject: frozenset[str], words: frozenset[str]
) -> StatedValue[AxisState]:
    """Return the whole clause, to be compared with its own negation."""
    tokens = reading.tokens
    negated = len(negations(tokens, item.first, item.last)) % 2 == 1
    lower_words = tokens.lower[item.first : item.last]
    past = not _PAST_BE.isdisjoint(lower_words) or any(map(past_form, lower_words))
    conditional = not _CONDITIONAL.isdisjoint(lower_words)
    state = AxisState(not negated, past, frozenset(), conditional, ended=False)
    return StatedValue(item, subject, words or item.claim.claim_id, state)


def _are_opposite(state: AxisState, other: AxisState) -> bool:
    if state.holds == other.holds or state.conditional or other.conditional:
        return False
    if state.ended or other.ended:
        return not state.past and not other.past
    if state.past != other.past:
        return False
    if state.circumstances == other.circumstances:
        return True
    if state.circumstances and other.circumstances:
        return False
    circumstances = state.circumstances | other.circumstances
    return not any(word in _TIMES or word[:1].isdigit() for word in circumstances)
