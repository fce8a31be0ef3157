"""What the words of a passage say against a claim: negation, antonyms, names, word order.

Each test asks first whether the passage is about the same thing. Figures are held against each
other by `analysis.engine.facts`.
"""

from dataclasses import dataclass

from analysis.engine.evidence import relations
from analysis.engine.evidence.corpus import Corpus, Facts
from analysis.engine.rules import modifiers
from analysis.engine.rules.modifiers import Stretch
from analysis.engine.rules.opposites import ANTONYMS
from analysis.engine.types import Conflict, ConflictKind
from text.stems import stem
from text.tokens import MARK, Tokens

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
    facts: Facts
    text: str
    subject_end: int
    wanted: frozenset[str]
    """The terms to look for: without figures, which are compared by value, with the subject."""
    opposable: tuple[str, ...]
    """The terms that have an opposite."""

    def surface(self, term: str) -> str:
        """The claim's own word for one of its stems."""
        return surface(self.tokens, self.first, self.last, term)


def surface(tokens: Tokens, first: int, last: int, term: str) -> str:
    """The word as written whose stem it is; the stem itself where there is none."""
    for at in range(first, last):
        if tokens.kinds[at] != MARK and stem(tokens.lower[at]) == term:
            return tokens.words[at]
    return term


def conflicts(asked: Asked, corpus: Corpus, index: int) -> list[tuple[Conflict, float]]:
    """The conflicts with one passage, each with how much the passage is about the claim."""
    passage = corpus.passages[index]
    if not asked.terms & passage.terms:
        return []
    ours, theirs = asked.facts, corpus.facts(index)
    tests = (
        (_negation, ours.denied or theirs.denied),
        (_withheld, ours.withheld or theirs.withheld),
        (_antonym, asked.opposable),
        (_turned, True),
        (_name, ours.slots and theirs.slots),
        (_subject_name, ours.only_one and theirs.only_one),
        (_order, ours.comparison and theirs.comparison),
    )
    return [found for test, possible in tests if possible and (found := test(asked, corpus, index))]


Found = tuple[Conflict, float] | None


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


def _withheld(asked: Asked, corpus: Corpus, index: int) -> Found:
    """ "does not offer X" against "has X": what is denied is X, whatever the verb."""
    passage = corpus.passages[index]
    ours, theirs = asked.facts, corpus.facts(index)
    if ours.negative and theirs.negative:
        return None
    if ours.provides:
        for lacking in theirs.withheld:
            if lacking and lacking <= asked.terms:
                return _lacking(asked, corpus, index, lacking, "not provided in the source")
    if theirs.provides:
        for lacking in ours.withheld:
            if lacking and lacking <= passage.terms:
                return _lacking(asked, corpus, index, lacking, "denied in the claim only")
    return None


def _lacking(asked: Asked, corpus: Corpus, index: int, lacking: frozenset[str], why: str) -> Found:
    words = [
        word
        for word, lower in zip(
            asked.tokens.words[asked.first : asked.last],
            asked.tokens.lower[asked.first : asked.last],
            strict=True,
        )
        if stem(lower) in lacking
    ]
    about = aboutness(asked, corpus, index, asked.terms - lacking - asked.context)
    if about < ABOUT:
        return None
    return Conflict(ConflictKind.NEGATION, f"“{' '.join(words)}”: {why}"), about


def _antonym(asked: Asked, corpus: Corpus, index: int) -> Found:
    passage = corpus.passages[index]
    if relations.order(asked.facts.comparison, corpus.facts(index).comparison):
        return None
    for word in asked.opposable:
        against = ANTONYMS[word] & passage.terms
        if word in passage.terms or not against or against & asked.terms:
            continue
        ours, denied = asked.facts.denied, corpus.facts(index).denied
        if (word in ours) != bool(against & denied.keys()):
            continue
        theirs = surface(corpus.tokens[passage.source], passage.first, passage.last, min(against))
        why = f"the source says “{theirs}”"
        return _found(asked, corpus, index, ConflictKind.ANTONYM, word, why, least=ABOUT_OTHER)
    return None


def _turned(asked: Asked, corpus: Corpus, index: int) -> Found:
    """ "with alcohol" against "without alcohol"."""
    found = modifiers.turned(*_stretches(asked, corpus, index))
    if found is None:
        return None
    # Two denials may cancel; "without" is itself the one that counts here.
    negative = asked.facts.negative or corpus.facts(index).negative
    if negative and "without" not in found:
        return None
    about = aboutness(asked, corpus, index, frozenset())
    if about < ABOUT:
        return None
    why = f"“{found[0]}”: the source says “{found[1]}”"
    return Conflict(ConflictKind.ANTONYM, why), about


def _stretches(asked: Asked, corpus: Corpus, index: int) -> tuple[Stretch, Stretch]:
    passage = corpus.passages[index]
    theirs = Stretch(corpus.tokens[passage.source], passage.first, passage.last)
    return Stretch(asked.tokens, asked.first, asked.last), theirs


def _name(asked: Asked, corpus: Corpus, index: int) -> Found:
    """Another name in the same slot: founded by A, founded by B."""
    passage = corpus.passages[index]
    ours, theirs = asked.facts.slots, corpus.facts(index).slots
    held = passage.terms | corpus.around(index)
    for slot, name in ours.items():
        other = theirs.get(slot)
        if other is None or name & held or other & asked.terms:
            continue
        place = f"{asked.surface(slot[0])} {slot[1]}".strip()
        why = f"another name after “{place}” in the source"
        conflict = Conflict(ConflictKind.NAME, why)
        about = aboutness(asked, corpus, index, name)
        return (conflict, about) if about >= ABOUT_OTHER else None
    return None


def _subject_name(asked: Asked, corpus: Corpus, index: int) -> Found:
    """ "Paris is the capital" against "Berlin is the capital": one of a kind, another name."""
    ours, theirs = asked.facts, corpus.facts(index)
    if not (ours.only_one and theirs.only_one and ours.leading and theirs.leading):
        return None
    passage = corpus.passages[index]
    predicate = asked.terms - ours.leading
    strangers = not ours.leading & passage.terms and not theirs.leading & asked.terms
    if not predicate or not strangers or not predicate <= passage.terms:
        return None
    if ours.negative or theirs.negative or _one_person(asked, corpus, index):
        return None
    tokens = corpus.tokens[passage.source]
    name = " ".join(tokens.words[passage.first : passage.first + len(theirs.leading)])
    return Conflict(ConflictKind.NAME, f"the source says it of “{name}”"), 1.0


def _one_person(asked: Asked, corpus: Corpus, index: int) -> bool:
    """True where the two names may be one: initials, or both in a sentence nearby."""
    passage = corpus.passages[index]
    ours, theirs = asked.facts.leading, corpus.facts(index).leading
    source = corpus.tokens[passage.source]
    said = asked.tokens.words[asked.first], source.words[passage.first]
    if any(is_initials(*pair) for pair in ((said[0], theirs), (said[1], ours))):
        return True
    near = (at for at in (index - 1, index + 1) if 0 <= at < len(corpus.passages))
    return any(
        ours & corpus.passages[at].terms and theirs & corpus.passages[at].terms for at in near
    )


def is_initials(word: str, terms: frozenset[str]) -> bool:
    """True where an acronym's letters are the first letters of the terms."""
    letters = word.replace(".", "")
    if not 2 <= len(letters) <= 6 or not letters.isupper():
        return False
    firsts = {term[0] for term in terms}
    return len(terms) > 1 and firsts <= set(letters.lower())


def _order(asked: Asked, corpus: Corpus, index: int) -> Found:
    """ "A is longer than B" against "B is longer than A"."""
    theirs = corpus.facts(index)
    if relations.order(asked.facts.comparison, theirs.comparison) is not False:
        return None
    if asked.facts.negative or theirs.negative:
        return None
    about = aboutness(asked, corpus, index, frozenset())
    if about < ABOUT:
        return None
    return Conflict(ConflictKind.ANTONYM, "the source compares the other way round"), about


def leaves_open(asked: Asked, corpus: Corpus, index: int) -> bool:
    """True where a passage has the claim's words and does not say what the claim says.

    It denies or withholds a part of it, speaks of some where the claim says all, or tells the
    deed the other way round.
    """
    ours, theirs = asked.facts, corpus.facts(index)
    if ours.provides and any(2 * len(part & asked.terms) > len(part) for part in theirs.withheld):
        return True
    # Of so few words, what is left beside the denied one is too little for a conflict.
    few = len(asked.terms) <= _LEAST_SHARED and not ours.denied
    if few and not asked.terms.isdisjoint(theirs.denied):
        return True
    if relations.says_less(ours.quantifiers, theirs.quantifiers):
        return True
    if relations.swapped(ours.deeds, theirs.deeds):
        return True
    pair = _stretches(asked, corpus, index)
    return modifiers.turned(*pair) is not None or modifiers.says_otherwise(*pair)


def speaks_of_another(asked: Asked, corpus: Corpus, index: int) -> bool:
    """True where claim and passage begin with different names: its words are another's."""
    ours, theirs = asked.facts.leading, corpus.facts(index).leading
    if not ours or not theirs or ours & corpus.passages[index].terms or theirs & asked.terms:
        return False
    return not _one_person(asked, corpus, index)


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
    return Conflict(kind, f"“{asked.surface(word)}”: {why}" if word else why), about
