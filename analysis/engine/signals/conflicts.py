"""What in a passage speaks against a claim: negation, antonyms, figures, dates, names.

Each test asks first whether the passage is about the same thing; a different year in a
passage about a different event is no contradiction.
"""

from dataclasses import dataclass
from itertools import product

from analysis.engine.signals.corpus import Corpus, Facts, terms_of
from analysis.engine.signals.opposites import ANTONYMS
from analysis.engine.types import Conflict, ConflictKind
from text import dates, numbers
from text.dates import Date
from text.names import names
from text.numbers import Quantity
from text.stems import stem
from text.tokens import MARK, Tokens
from text.words import PREPOSITIONS, STOPWORDS

ABOUT = 0.6
"""Share of the claim's other terms that a passage must hold to be about the same thing."""
ABOUT_OTHER = 0.75
_LEAST_SHARED = 2


@dataclass(frozen=True, slots=True)
class Asked:
    """A claim ready to be held against passages."""

    tokens: Tokens
    first: int
    last: int
    terms: frozenset[str]
    context: frozenset[str]
    names: tuple[frozenset[str], ...]
    slots: dict[tuple[str, str], frozenset[str]]
    facts: Facts
    text: str


def conflicts(asked: Asked, corpus: Corpus, index: int) -> list[tuple[Conflict, float]]:
    """The conflicts with one passage, each with how much the passage is about the claim."""
    passage = corpus.passages[index]
    if not asked.terms & passage.terms:
        return []
    tests = (_negation, _antonym, _number, _date, _name)
    return [found for test in tests if (found := test(asked, corpus, index))]


Found = tuple[Conflict, float] | None
Slot = tuple[str, str]


def aboutness(asked: Asked, corpus: Corpus, index: int, leave_out: frozenset[str]) -> float:
    """Share (0-1) of the claim's terms, some left out, in the passage or right around it."""
    wanted = asked.terms - leave_out
    passage = corpus.passages[index]
    shared = wanted & passage.terms
    near = (asked.context | wanted) & corpus.around(index)
    if not wanted or not (shared or leave_out & passage.terms):
        return 0.0
    if len(shared | near) < min(_LEAST_SHARED, len(wanted)):
        return 0.0
    held = shared | (wanted & near & asked.context)
    subject = asked.context - leave_out
    if subject and not subject & (passage.terms | near):
        return 0.0
    return len(held) / len(wanted)


def _negation(asked: Asked, corpus: Corpus, index: int) -> Found:
    passage = corpus.passages[index]
    ours, theirs = asked.facts, corpus.facts(index)
    # With a negative on both sides, which cancels which is beyond words alone.
    if ours.negative and theirs.negative:
        return None
    source = "negated in the source"
    for head, scope in theirs.denied.items():
        if head in asked.terms and _reaches(scope, asked):
            return _found(asked, corpus, index, ConflictKind.NEGATION, head, source)
    for head in ours.denied:
        if head in passage.terms:
            why = "negated in the claim, not in the source"
            return _found(asked, corpus, index, ConflictKind.NEGATION, head, why)
    return None


def _reaches(scope: frozenset[str], asked: Asked) -> bool:
    """ "not in 1990 but in 1995": what is denied must be what the claim says."""
    numbers_denied = {term for term in scope if term[:1].isdigit()}
    return not numbers_denied or bool(numbers_denied & asked.terms)


def _antonym(asked: Asked, corpus: Corpus, index: int) -> Found:
    passage = corpus.passages[index]
    own = asked.terms - asked.context
    for word in sorted(own & ANTONYMS.keys()):
        against = ANTONYMS[word] & passage.terms
        if word in passage.terms or not against or against & asked.terms:
            continue
        ours, theirs = asked.facts.denied, corpus.facts(index).denied
        if (word in ours) != bool(against & theirs.keys()):
            continue
        why = f"the source says “{min(against)}”"
        return _found(asked, corpus, index, ConflictKind.ANTONYM, word, why, least=ABOUT_OTHER)
    return None


def _number(asked: Asked, corpus: Corpus, index: int) -> Found:
    if _only_if(asked, corpus, index):
        return None
    theirs, counted = corpus.facts(index).figures.quantities, asked.facts.figures.quantities
    for quantity in counted:
        rivals = [other for other in theirs if _rival(quantity, other)]
        if not rivals or any(numbers.agree(*pair) for pair in product(counted, rivals)):
            continue
        ours = _words(asked.tokens, quantity)
        source = corpus.tokens[corpus.passages[index].source]
        why = f"“{_text(asked.tokens, quantity)}” against “{_text(source, rivals[0])}”"
        return _found(asked, corpus, index, ConflictKind.NUMBER, "", why, ours)
    return None


def _only_if(asked: Asked, corpus: Corpus, index: int) -> bool:
    """A passage that sets a condition says nothing against a claim that sets none."""
    return corpus.facts(index).conditional and not asked.facts.conditional


def _rival(one: Quantity, other: Quantity) -> bool:
    """Two bare numbers without unit or noun could count anything."""
    return numbers.comparable(one, other) and bool(one.unit or one.things)


def _date(asked: Asked, corpus: Corpus, index: int) -> Found:
    if _only_if(asked, corpus, index):
        return None
    theirs, dated = corpus.facts(index).figures.dates, asked.facts.figures.dates
    for date in dated:
        rivals = [other for other in theirs if _same_fields(date, other)]
        if not rivals or any(dates.agree(*pair) for pair in product(dated, rivals)):
            continue
        source = corpus.tokens[corpus.passages[index].source]
        if _event(asked.tokens, asked.first, date) not in corpus.passages[index].terms:
            continue
        why = f"“{_text(asked.tokens, date)}” against “{_text(source, rivals[0])}”"
        ours = _words(asked.tokens, date)
        return _found(asked, corpus, index, ConflictKind.DATE, "", why, ours)
    return None


def _same_fields(one: Date, other: Date) -> bool:
    if one.year is not None:
        return other.year is not None
    return bool(one.month and other.month)


def _event(tokens: Tokens, first: int, date: Date) -> str:
    """The stem of the content word before the date: what happened then."""
    for at in range(date.first - 1, first - 1, -1):
        if tokens.kinds[at] != MARK and tokens.lower[at] not in STOPWORDS:
            return stem(tokens.lower[at])
    return ""


def _name(asked: Asked, corpus: Corpus, index: int) -> Found:
    """Another name in the same slot: founded by A, founded by B."""
    passage = corpus.passages[index]
    tokens = corpus.tokens[passage.source]
    ours = asked.slots
    if not ours:
        return None
    theirs = slots(tokens, passage.first, passage.last)
    held = passage.terms | corpus.around(index)
    for slot, name in ours.items():
        other = theirs.get(slot)
        if other is None or name & held or other & asked.terms:
            continue
        why = f"another name after “{slot[0]} {slot[1]}” in the source"
        conflict = Conflict(ConflictKind.NAME, why)
        about = aboutness(asked, corpus, index, name)
        return (conflict, about) if about >= ABOUT_OTHER else None
    return None


def slots(tokens: Tokens, first: int, last: int) -> dict[Slot, frozenset[str]]:
    """The places of names: (stem of the word before, preposition) to the stems of the name."""
    found = {}
    for name in names(tokens, first, last):
        at = name.first - 1
        while at > first and tokens.lower[at] in ("the", "a", "an"):
            at -= 1
        if at <= first or tokens.lower[at] not in PREPOSITIONS:
            continue
        slot = (stem(tokens.lower[at - 1]), tokens.lower[at])
        found[slot] = frozenset(terms_of(tokens, name.first, name.last))
    return found


def _found(
    asked: Asked,
    corpus: Corpus,
    index: int,
    kind: ConflictKind,
    word: str,
    why: str,
    leave_out: frozenset[str] = frozenset(),
    least: float = ABOUT,
) -> Found:
    about = aboutness(asked, corpus, index, leave_out | ({word} if word else frozenset()))
    if about < least:
        return None
    return Conflict(kind, f"“{word}”: {why}" if word else why), about


def _words(tokens: Tokens, part: Quantity | Date) -> frozenset[str]:
    return frozenset(terms_of(tokens, part.first, part.last))


def _text(tokens: Tokens, part: Quantity | Date) -> str:
    return " ".join(tokens.words[part.first : part.last])
