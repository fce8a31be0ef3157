"""Facts about a subject, and the pairs of them worth comparing."""

from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Iterable, Iterator
from typing import Generic, TypeVar

from msgspec import Struct

from analysis.engine.claims.reading import Reading, Statement
from analysis.engine.signal_types import Finding
from analysis.engine.types import FindingKind
from lib.text.figures import Figures
from lib.text.tokens import CJK, Tokens

V = TypeVar("V")
_KEPT = 8
"""How many earlier facts of one subject and topic a new one is compared with."""
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


def pairs(facts: Iterable[StatedValue[V]]) -> Iterator[tuple[StatedValue[V], StatedValue[V]]]:
    """Yield earlier and later facts on one topic of one subject; linear in the number of facts."""
    fact_list = list(facts)
    topics = Counter(fact.topic for fact in fact_list)
    buckets: dict[Hashable, deque[StatedValue[V]]] = defaultdict(lambda: deque(maxlen=_KEPT))
    for fact in fact_list:
        if topics[fact.topic] < 2:
            continue
        keys = [(fact.topic, word) for word in sorted(fact.subject)[:_SUBJECT_STEMS]]
        matched: set[int] = set()
        for key in keys:
            said_before = False
            for earlier in buckets[key]:
                if id(earlier) not in matched:
                    matched.add(id(earlier))
                    if same_subject(earlier.subject, fact.subject):
                        yield earlier, fact
                same = earlier.subject == fact.subject and earlier.value == fact.value
                said_before = said_before or same
            if not said_before:
                buckets[key].append(fact)


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
