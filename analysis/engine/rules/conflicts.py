"""What the words of a passage say against a claim: negation, antonyms, names.

Each test asks first whether the passage is about the same thing. Figures are compared with each
other by `analysis.engine.facts`.
"""

from msgspec import Struct

from analysis.engine.evidence.corpus import Corpus, Facts
from analysis.engine.rules import modifiers
from analysis.engine.rules.modifiers import Modifiers
from analysis.engine.signal_types import Conflict
from analysis.engine.types import ConflictKind
from lib.text.opposites import ANTONYMS
from lib.text.stems import stem
from lib.text.tokens import MARK, Tokens

ABOUT = 0.6
"""Share of the claim's other terms that a passage must hold to be about the same thing."""
ABOUT_OTHER = 0.75
_LEAST_SHARED = 2


class ClaimQuery(Struct, frozen=True, gc=False):
    """A claim ready to be compared with passages."""

    tokens: Tokens
    first: int
    last: int
    terms: frozenset[str]
    context: frozenset[str]
    names: tuple[frozenset[str], ...]
    facts: Facts
    text: str
    subject_end: int
    sought_terms: frozenset[str]
    """The terms to look for: without figures, which are compared by value, with the subject."""
    opposable: tuple[str, ...]
    """The terms that have an opposite."""
    modifiers: Modifiers
    has_quantities: bool
    """Whether it states an amount that it does not deny."""
    own_words: bool = True
    """Whether these are tokens of the answer, not of the question that it says yes or no to."""

    def surface(self, term: str) -> str:
        """The claim's own word for one of its stems."""
        return surface(self.tokens, self.first, self.last, term)


def surface(tokens: Tokens, first: int, last: int, term: str) -> str:
    """The word as written whose stem it is; the stem itself where there is none."""
    for at in range(first, last):
        if tokens.kinds[at] != MARK and stem(tokens.lower[at]) == term:
            return tokens.words[at]
    return term


ConflictShare = tuple[Conflict, float] | None


def conflicts(claim: ClaimQuery, corpus: Corpus, index: int) -> list[tuple[Conflict, float]]:
    """The conflicts with one passage, each with how much the passage is about the claim."""
    if claim.terms.isdisjoint(corpus.passages[index].terms):
        return []
    ours, theirs = claim.facts, corpus.facts[index]
    shares = list[ConflictShare]()
    if ours.denied or theirs.denied:
        shares.append(_negation(claim, corpus, index))
    if ours.withheld or theirs.withheld:
        shares.append(_withheld(claim, corpus, index))
    if claim.opposable:
        shares.append(_antonym(claim, corpus, index))
    if claim.modifiers.turns or claim.modifiers.bounded_years:
        shares.append(_modifier_conflict(claim, corpus, index))
    if ours.slots and theirs.slots:
        shares.append(_name(claim, corpus, index))
    return list(filter(None, shares)) if shares else []


def aboutness(claim: ClaimQuery, corpus: Corpus, index: int, leave_out: frozenset[str]) -> float:
    """Share (0-1) of the claim's terms, some left out, in the passage or right around it."""
    claim_terms = claim.terms - leave_out
    passage = corpus.passages[index]
    shared = claim_terms & passage.terms
    near = (claim.context | claim_terms) & corpus.around(index)
    if not claim_terms or not (shared or leave_out & passage.terms):
        return 0.0
    if len(shared | near) < min(_LEAST_SHARED, len(claim_terms)):
        return 0.0
    shared_terms = shared | (claim_terms & near & claim.context)
    subject = claim.context - leave_out
    if subject and not subject & (passage.terms | near):
        return 0.0
    return len(shared_terms) / len(claim_terms)


def _negation(claim: ClaimQuery, corpus: Corpus, index: int) -> ConflictShare:
    passage = corpus.passages[index]
    ours, theirs = claim.facts, corpus.facts[index]
    # With a negative on both sides, which cancels which is beyond words alone.
    if ours.negative and theirs.negative:
        return None
    source = "negated in the source"
    for head, scope in theirs.denied.items():
        if head in claim.terms and _reaches(scope, claim):
            return _conflict(claim, corpus, index, ConflictKind.NEGATION, head, source)
    for head in ours.denied:
        if head in passage.terms:
            why = "negated in the claim but not in the source"
            return _conflict(claim, corpus, index, ConflictKind.NEGATION, head, why)
    return None


def _reaches(scope: frozenset[str], claim: ClaimQuery) -> bool:
    """ "not in 1990 but in 1995": what is denied must be what the claim says."""
    numbers_denied = {term for term in scope if term[:1].isdigit()}
    return not numbers_denied or bool(numbers_denied & claim.terms)


def _withheld(claim: ClaimQuery, corpus: Corpus, index: int) -> ConflictShare:
    """ "does not offer X" against "has X": what is denied is X, whatever the verb."""
    passage = corpus.passages[index]
    ours, theirs = claim.facts, corpus.facts[index]
    if ours.negative and theirs.negative:
        return None
    if ours.provides:
        for lacking in theirs.withheld:
            if lacking and lacking <= claim.terms:
                return _lacking(
                    claim, corpus, index, lacking, "not provided, according to the source"
                )
    if theirs.provides:
        for lacking in ours.withheld:
            if lacking and lacking <= passage.terms:
                return _lacking(
                    claim, corpus, index, lacking, "denied in the claim but not in the source"
                )
    return None


def _lacking(
    claim: ClaimQuery, corpus: Corpus, index: int, lacking: frozenset[str], why: str
) -> ConflictShare:
    words = [
        word
        for word, lower in zip(
            claim.tokens.words[claim.first : claim.last],
            claim.tokens.lower[claim.first : claim.last],
            strict=True,
        )
        if stem(lower) in lacking
    ]
    about = aboutness(claim, corpus, index, claim.terms - lacking - claim.context)
    if about < ABOUT:
        return None
    return Conflict(ConflictKind.NEGATION, f"“{' '.join(words)}”: {why}"), about


def _antonym(claim: ClaimQuery, corpus: Corpus, index: int) -> ConflictShare:
    passage, tokens = corpus.passages[index], corpus.tokens[corpus.passages[index].source]
    if "than" in claim.modifiers.lower and "than" in tokens.lower[passage.first : passage.last]:
        return None
    for word in claim.opposable:
        if word in passage.terms:
            continue
        against = ANTONYMS[word] & passage.terms
        if not against or against & claim.terms:
            continue
        ours, denied = claim.facts.denied, corpus.facts[index].denied
        if (word in ours) != bool(against & denied.keys()):
            continue
        theirs = surface(tokens, passage.first, passage.last, min(against))
        why = f"the source says “{theirs}”"
        return _conflict(claim, corpus, index, ConflictKind.ANTONYM, word, why, least=ABOUT_OTHER)
    return None


def _modifier_conflict(claim: ClaimQuery, corpus: Corpus, index: int) -> ConflictShare:
    """ "with alcohol" against "without alcohol"."""
    modifier_pair = modifiers.opposite_phrases(claim.modifiers, _modifiers_of(corpus, index))
    if modifier_pair is None:
        return None
    # Two denials may cancel; "without" is itself the one that counts here, and where both deny
    # the same, what differs is the phrase.
    theirs = corpus.facts[index]
    alike = claim.facts.denied.keys() == theirs.denied.keys()
    negative = (claim.facts.negative or theirs.negative) and not alike
    if negative and "without" not in modifier_pair:
        return None
    about = aboutness(claim, corpus, index, frozenset())
    if about < ABOUT:
        return None
    why = f"“{modifier_pair[0]}”: the source says “{modifier_pair[1]}”"
    return Conflict(ConflictKind.ANTONYM, why), about


def _modifiers_of(corpus: Corpus, index: int) -> Modifiers:
    of_passage: Modifiers | None = corpus.modifiers.get(index)
    if of_passage is None:
        passage = corpus.passages[index]
        tokens = corpus.tokens[passage.source]
        of_passage = corpus.modifiers[index] = Modifiers.of(tokens, passage.first, passage.last)
    return of_passage


def _is_foreign(corpus: Corpus, index: int) -> bool:
    entry = corpus.foreign.get(index)
    if entry is None:
        passage = corpus.passages[index]
        lower = corpus.tokens[passage.source].lower[passage.first : passage.last]
        entry = corpus.foreign[index] = modifiers.is_foreign(lower)
    return entry


def _name(claim: ClaimQuery, corpus: Corpus, index: int) -> ConflictShare:
    """Another name in the same slot: founded by A, founded by B."""
    passage = corpus.passages[index]
    ours, theirs = claim.facts.slots, corpus.facts[index].slots
    passage_terms = passage.terms | corpus.around(index)
    for slot, name in ours.items():
        other = theirs.get(slot)
        if other is None or name & passage_terms or other & claim.terms:
            continue
        place = f"{claim.surface(slot[0])} {slot[1]}".strip()
        why = f"a different name after “{place}” in the source"
        conflict = Conflict(ConflictKind.NAME, why)
        about = aboutness(claim, corpus, index, name)
        return (conflict, about) if about >= ABOUT_OTHER else None
    return None


def _one_person(claim: ClaimQuery, corpus: Corpus, index: int) -> bool:
    """True where the two names may be one: initials, or both in a sentence nearby."""
    passage = corpus.passages[index]
    ours, theirs = claim.facts.leading, corpus.facts[index].leading
    source = corpus.tokens[passage.source]
    words = claim.tokens.words[claim.first], source.words[passage.first]
    if any(is_initials(*pair) for pair in ((words[0], theirs), (words[1], ours))):
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


def leaves_open(claim: ClaimQuery, corpus: Corpus, index: int) -> bool:
    """True where a passage has the claim's words and does not say what the claim says.

    It denies or withholds a part of it, or its modifiers say something else.
    """
    ours, theirs = claim.facts, corpus.facts[index]
    withheld = theirs.withheld if ours.provides else ()
    if withheld and any(2 * len(part & claim.terms) > len(part) for part in withheld):
        return True
    # Of so few words, what is left beside the denied one is too little for a conflict.
    few = theirs.denied and len(claim.terms) <= _LEAST_SHARED and not ours.denied
    if few and not claim.terms.isdisjoint(theirs.denied):
        return True
    if claim.modifiers.are_none and not _is_foreign(corpus, index):
        return False
    pair = claim.modifiers, _modifiers_of(corpus, index)
    return modifiers.opposite_phrases(*pair) is not None or modifiers.says_otherwise(*pair)


def speaks_of_another(claim: ClaimQuery, corpus: Corpus, index: int) -> bool:
    """True where claim and passage begin with different names: its words are another's."""
    ours, theirs = claim.facts.leading, corpus.facts[index].leading
    if not ours or not theirs or ours & corpus.passages[index].terms or theirs & claim.terms:
        return False
    return not _one_person(claim, corpus, index)


def _conflict(
    claim: ClaimQuery,
    corpus: Corpus,
    index: int,
    kind: ConflictKind,
    word: str,
    why: str,
    leave_out: frozenset[str] = frozenset(),
    least: float = ABOUT,
) -> ConflictShare:
    about = aboutness(claim, corpus, index, leave_out | ({word} if word else frozenset()))
    if about < least:
        return None
    return Conflict(kind, f"“{claim.surface(word)}”: {why}" if word else why), about
