"""Compares a claim with a passage that has its words in another frame, or as a duty.

A passage that only denies or reports the claim's words, or demands what the claim exempts from,
conflicts with it.
"""

from itertools import pairwise

from analysis.engine.evidence.corpus import Corpus
from analysis.engine.evidence.framing import Frame
from analysis.engine.facts.reading import spaced
from analysis.engine.rules.conflicts import ClaimQuery
from analysis.engine.signal_types import Conflict
from analysis.engine.types import ConflictKind
from lib.text.negation import negations
from lib.text.stems import stem, stem_set
from lib.text.tokens import Tokens
from lib.text.words import word_set

_ALLEGED = stem_set("allegedly supposedly purportedly")
"""Hedges that a claim may leave out and still be right."""
_SPEAKING = word_set(
    "allege alleges alleged allegedly claim claims claimed say says said accuse accuses accused "
    "charge charges charged report reports reported suggest suggests suggested argue argues argued "
    "according"
)
_LEAST_SHARED = 0.8
"""Share of a claim's terms, without its frame, that a passage with another frame must have."""
_RELEASES = (
    "exempt from", "exempted from", "excused from", "free from", "relieved of", "freed from",
    "can skip", "may skip", "can ignore", "may ignore", "can forgo", "may forgo", "can omit",
    "may omit", "can do without", "may do without", "work without", "can go without",
    "need not", "needn't", "do not have to", "don't have to", "does not have to",
    "doesn't have to", "do not need", "don't need", "does not need", "are not required to",
    "is not required to", "not obliged to", "choose not to", "must not", "mustn't",
    "forbidden to", "not allowed to", "prohibited from", "never",
)  # fmt: skip
_RELEASING = stem_set(" ".join(_RELEASES))
_DUTY = word_set("must shall need needs require requires required mandatory compulsory obligatory")
_NOT_DUE = word_set("not no never n't without exempt except cannot")


def framed_otherwise(claim: ClaimQuery, ours: Frame, corpus: Corpus, index: int) -> Conflict | None:
    """Return the conflict with a passage that only denies or reports the claim, or the reverse.

    An "allegedly" on either side is not certain: such claims are more often right than wrong. But
    an answer that begins with it doubts the source's whole statement.
    """
    theirs, passage = corpus.frame(index), corpus.passages[index]
    terms = claim.terms - ours.words - theirs.words
    if not terms or len(terms & passage.terms) < _LEAST_SHARED * len(terms):
        return None
    if ours.denied != theirs.denied:
        ours_negates = _negates(claim.tokens, claim.first, claim.last, ours)
        if ours_negates != _negates(*corpus.part(index), theirs):
            # "Myth: a permit is needed." and "No permit is needed." agree.
            return None
        why = f"the {'claim' if ours.denied else 'source'} denies it"
    elif ours.reported != theirs.reported and not (
        theirs.reported and not _SPEAKING.isdisjoint(claim.lower)
    ):
        why = f"the {'claim' if ours.reported else 'source'} only reports what others say"
    else:
        return None
    begins = stem(claim.lower[0]) in _ALLEGED
    sure = _ALLEGED.isdisjoint(theirs.words if begins else theirs.words | ours.words)
    return Conflict(ConflictKind.FRAME, why, certain=sure)


def release_of(claim: ClaimQuery) -> str:
    """Return the phrase by which a claim exempts from a duty, or ""."""
    words = spaced(claim.lower)
    return next((phrase for phrase in _RELEASES if f" {phrase} " in words), "")


def released(claim: ClaimQuery, release: str, corpus: Corpus, index: int) -> Conflict | None:
    """Return a conflict if the claim exempts from what the passage requires."""
    passage, terms = corpus.passages[index], claim.terms - _RELEASING
    if not release or not terms or not terms <= passage.terms or corpus.frame(index).denied:
        return None
    if not _obliges(*corpus.part(index)):
        return None
    detail = f"“{release}”: the source requires it"
    return Conflict(ConflictKind.ANTONYM, detail, certain=True)


def _negates(tokens: Tokens, first: int, last: int, frame: Frame) -> bool:
    """Return whether a statement has a negation other than its frame's, which has one at most."""
    negators = [stem(tokens.lower[each.at]) for each in negations(tokens, first, last)]
    return len(negators) > any(negator in frame.words for negator in negators)


def _obliges(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a passage imposes a duty and lifts none."""
    words = tokens.lower[first:last]
    if not _NOT_DUE.isdisjoint(words) or any(word.endswith("n't") for word in words):
        return False
    has_to = any(pair in (("have", "to"), ("has", "to")) for pair in pairwise(words))
    return has_to or not _DUTY.isdisjoint(words)
