"""How far passages support a claim by its words, names and figures."""

from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter

from analysis.engine.evidence.corpus import Corpus, terms_of
from analysis.engine.rules.conflicts import ClaimQuery
from analysis.engine.rules.figures import FigureFacts
from analysis.engine.signal_types import Coverage

_SCORE_AND_TEXT = itemgetter(0, 1)


@dataclass(frozen=True, slots=True)
class Budget:
    """Work allowed for one claim: index entries looked at and passages read."""

    postings: int
    candidates: int


def candidates_for(
    claim: ClaimQuery, corpus: Corpus, budget: Budget
) -> tuple[list[tuple[int, float]], bool]:
    """The best passages by BM25, rarest terms first until the budget is spent."""
    postings = corpus.postings
    terms = corpus.rarest_first(claim.terms | claim.context)
    # Asking first whether a passage is there takes two thirds of the time of `get`.
    scores = dict[int, float]()
    budget_left = budget.postings
    for term in terms:
        budget_left -= len(postings[term])
        if budget_left < 0 and scores:
            break
        found_in = corpus.scores_of(term)
        for index, score in found_in if budget_left >= 0 else found_in[: budget.postings]:
            if index in scores:
                scores[index] += score
            else:
                scores[index] = score
    _add_near(scores, corpus, terms)
    return _best(scores, corpus, budget.candidates), budget_left < 0


def _add_near(scores: dict[int, float], corpus: Corpus, terms: list[str]) -> None:
    """Raise the passages that a rare word beside them speaks for."""
    for term in terms:
        for index, score in corpus.scores_beside(term):
            if index in scores:
                scores[index] += score


def _best(scores: dict[int, float], corpus: Corpus, count: int) -> list[tuple[int, float]]:
    """Highest first, each text once; ties by the text, so that the order of sources is nothing."""
    wide, highest = count, sorted(scores.values(), reverse=True)
    while True:
        floor = highest[min(wide, len(highest)) - 1] if highest else 0.0
        candidates = [
            (-score, corpus.text_of(index), index)
            for index, score in scores.items()
            if score >= floor
        ]
        candidates.sort(key=_SCORE_AND_TEXT)
        once: dict[str, tuple[int, float]] = {}
        for score, text, index in candidates:
            once.setdefault(text, (index, -score))
        if len(once) >= count or len(candidates) == len(scores):
            return list(once.values())[:count]
        wide *= 4


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
    """Support (0-1), the passage that gives most of it, coverage, whether all figures agree."""
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
    """Share of neighbouring content words that stand so in a source; of a lone word, itself."""
    terms = terms_of(claim.tokens, claim.first, claim.last)
    if len(terms) == 1:
        return float(terms[0] in corpus.postings)
    share = _share([pair in corpus.pairs for pair in pairwise(terms)])
    return None if share is None else round(share, 4)


def _window(corpus: Corpus, index: int, barred: frozenset[int]) -> frozenset[str]:
    """Terms in the passage and beside it, but not those of a passage in conflict."""
    if not barred:
        return corpus.window(index)
    return corpus.passages[index].terms | corpus.around(index, barred)


def _coverage(claim: ClaimQuery, passage_terms: frozenset[str]) -> float:
    return len(claim.sought_terms & passage_terms) / len(claim.sought_terms)


def _share(hits: list[bool]) -> float | None:
    return sum(hits) / len(hits) if hits else None
