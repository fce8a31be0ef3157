"""Measures how far passages support a claim by its words, names and figures."""

from itertools import pairwise

from analysis.engine.evidence.corpus import Corpus, terms_of
from analysis.engine.rules.conflicts import ClaimQuery
from analysis.engine.rules.figures import FigureFacts
from analysis.engine.signal_types import Coverage

SPREAD = 3
"""Passages whose words may together carry a claim."""
_MISSING_FIGURE, _MISSING_NAME = 0.4, 0.5
_MISSING_PREDICATE = 0.6
"""A passage about the subject alone says nothing of what is claimed of it."""


def support_of(
    claim: ClaimQuery,
    corpus: Corpus,
    indices: list[int],
    barred: frozenset[int],
    figures: FigureFacts,
) -> tuple[float, int | None, Coverage, bool | None]:
    """Return support (0-1), the best passage, coverage, and whether all figures agree."""
    if not indices or not claim.terms:
        return 0.0, None, Coverage(None, None, 0.0), None
    windows = {index: _window(corpus, index, barred) for index in indices}
    sought = claim.sought_terms
    best = max(indices, key=lambda index: len(sought & windows[index]))
    near = windows[best]
    spread = near.union(*(windows[index] for index in indices[:SPREAD]))
    alone, together = _coverage(claim, near), _coverage(claim, spread)
    figured = figures.share
    name_share = _share([bool(name & spread) and name <= spread for name in claim.names])
    score = max(alone, 0.7 * alone + 0.3 * together)
    if figured is not None and figured < 1:
        score *= _MISSING_FIGURE
    if name_share is not None and name_share < 1:
        score *= _MISSING_NAME + 0.3 * name_share
    claim_terms = claim.sought_terms - claim.context
    if claim_terms and claim_terms.isdisjoint(spread) and not claim.facts.negative:
        score *= _MISSING_PREDICATE
    agree = None if figured is None else figured == 1
    return score, best, Coverage(name_share, figured, round(alone, 4)), agree


def phrases_of(claim: ClaimQuery, corpus: Corpus) -> float | None:
    """Return the share of adjacent content words adjacent in a source; of a lone word, itself."""
    terms = terms_of(claim.tokens, claim.first, claim.last)
    if len(terms) == 1:
        return float(terms[0] in corpus.postings)
    share = _share([pair in corpus.pairs for pair in pairwise(terms)])
    return None if share is None else round(share, 4)


def _window(corpus: Corpus, index: int, barred: frozenset[int]) -> frozenset[str]:
    """Return the terms in the passage and its neighbours, without conflicting passages."""
    if not barred:
        return corpus.window(index)
    return corpus.passages[index].terms | corpus.around(index, barred)


def _coverage(claim: ClaimQuery, passage_terms: frozenset[str]) -> float:
    return len(claim.sought_terms & passage_terms) / len(claim.sought_terms)


def _share(hits: list[bool]) -> float | None:
    return sum(hits) / len(hits) if hits else None
