"""Detects passages about other cases: only gift cards, or an earlier year.

"Refunds for gift cards take 30 days" does not contradict "Refunds take 14 days", nor does "The fee
was 20 euros until 2023" contradict what it is now.
"""

from analysis.engine.evidence import framing
from analysis.engine.evidence.corpus import Corpus
from analysis.engine.rules.conflicts import ClaimQuery
from lib.text.verbs import finite
from lib.text.words import word_set

_NARROWING = word_set("for with without from of by in on at under over above below when if")
_ENDED = word_set("until till before formerly previously originally earlier once")


def is_of_another(claim: ClaimQuery, corpus: Corpus, index: int, by: int) -> bool:
    """Return whether a rival passage is about a part, or the past.

    Passage `by` supports the claim.
    """
    return _is_narrower(claim, corpus, index, by) or _is_over(claim, corpus, index)


def _is_narrower(claim: ClaimQuery, corpus: Corpus, index: int, by: int) -> bool:
    """Return whether its subject has an addition ("for gift cards") that claim and `by` lack."""
    passage = corpus.passages[index]
    tokens = corpus.tokens[passage.source]
    known_terms = claim.terms | claim.context | corpus.passages[by].terms | corpus.around(by)
    narrowing = False
    for at in range(passage.first, passage.last):
        if at > passage.first and finite(tokens, at):
            return False
        narrowing |= at > passage.first and tokens.lower[at] in _NARROWING
        term = tokens.terms[at]
        if narrowing and term and not term[0].isdigit() and term not in known_terms:
            return True
    return False


def _is_over(claim: ClaimQuery, corpus: Corpus, index: int) -> bool:
    """Return whether the passage is about the past and the claim about the present."""
    passage = corpus.passages[index]
    tokens = corpus.tokens[passage.source]
    if _ENDED.isdisjoint(tokens.lower[passage.first : passage.last]):
        return False
    now = framing.speaks_of_now(claim.tokens, claim.first, claim.last)
    return now and not framing.speaks_of_now(tokens, passage.first, passage.last)
