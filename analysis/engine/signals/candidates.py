"""Selects the passages that a claim is compared with: the best by BM25, within a budget."""

from dataclasses import dataclass
from operator import itemgetter

from analysis.engine.evidence.corpus import Corpus
from analysis.engine.rules.conflicts import ClaimQuery

_SCORE_AND_TEXT = itemgetter(0, 1)


@dataclass(frozen=True, slots=True)
class Budget:
    """The work allowed for one claim: index entries examined and passages read."""

    postings: int
    candidates: int


def candidates_for(
    claim: ClaimQuery, corpus: Corpus, budget: Budget, other_forms: frozenset[str] = frozenset()
) -> tuple[list[tuple[int, float]], bool]:
    """Return the best passages by BM25, rarest terms first until the budget is spent.

    `other_forms` are alternative terms for some of the claim's: T2DM, unopened.
    """
    postings = corpus.postings
    terms = corpus.rarest_first(claim.terms | claim.context | other_forms)
    # `in` before indexing takes two thirds of the time of `get`.
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
    """Boost the neighbours of passages that contain a rare term."""
    for term in terms:
        for index, score in corpus.neighbour_scores(term):
            if index in scores:
                scores[index] += score


def _best(scores: dict[int, float], corpus: Corpus, count: int) -> list[tuple[int, float]]:
    """Return the best first, each text once; ties by text, so that source order is irrelevant."""
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
