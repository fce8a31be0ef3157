"""Turns a claim into a query, selects passages for it, and measures how far they support it.

Passages are chosen by BM25 within a budget; support is measured by words, names and figures.
"""

from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter

from analysis.engine.claims import replies
from analysis.engine.claims.clauses import subject
from analysis.engine.claims.reading import METHOD_WHOLE, Reading, Statement
from analysis.engine.evidence.corpus import Corpus, affirmed, facts_of, terms_in, terms_of
from analysis.engine.rules.conflicts import ClaimQuery
from analysis.engine.rules.figures import FigureFacts
from analysis.engine.signal_types import Coverage
from lib.text.figures import figures as read_figures
from lib.text.figures import labels
from lib.text.names import names
from lib.text.tokens import WORD, Tokens, tokenize


def query_of(reading: Reading, statement: Statement, query: str) -> ClaimQuery:
    """Return the claim as a query; of a reply, the statement that the question makes.

    A whole answer and a mere figure take over the question's terms.
    """
    reply = _statement_of_reply(reading, statement, query)
    if reply:
        tokens = tokenize(reply)
        first, last = 0, len(tokens)
        figures, about = read_figures(tokens, first, last), subject(tokens, first, last)
        leading, context = frozenset[str](), frozenset(terms_of(tokens, *about))
    else:
        tokens, first, last = reading.tokens, statement.first, statement.last
        figures, about = reading.figures_of(statement), statement.subject
        leading, context = _leading_name(reading, statement), frozenset(terms_of(tokens, *about))
    figured = affirmed(figures, tokens, first, last).positions()
    claim_names = [
        frozenset(terms_of(tokens, name.first, name.last))
        for name in names(tokens, first, last)
        if name.first not in figured
    ]
    terms = _terms(tokens, first, last)
    # Figures are compared by value.
    plain = frozenset(term for term in terms if not term[0].isdigit())
    plain -= {tokens.terms[at] for at in figured}
    is_whole = not plain or statement.claim.extraction_method == METHOD_WHOLE
    if query and is_whole and not reply:
        context |= terms_in(query)
    return ClaimQuery(
        tokens,
        first,
        last,
        terms,
        context,
        tuple(name for name in (*claim_names, leading) if name),
        facts_of(tokens, first, last),
        statement.claim.text,
        (plain or terms) | (context if len(plain) > 1 else frozenset()),
        own_words=not reply,
    )


def _statement_of_reply(reading: Reading, statement: Statement, query: str) -> str:
    """Return the statement of the question that "Yes." or "No, it isn't." replies to, or ""."""
    line = reading.lines[statement.sentence]
    if not query or not replies.is_reply(reading.tokens, line.first, line.last):
        return ""
    return replies.statement_of(query, denied=False)


def denies(reading: Reading, statement: Statement) -> bool:
    """Return whether a reply answers the question with no."""
    line = reading.lines[statement.sentence]
    return replies.says_no(reading.tokens, line.first, line.last)


def _terms(tokens: Tokens, first: int, last: int) -> frozenset[str]:
    """Return the claim's terms; "Step 2" and "Passage 1" only if it says nothing else."""
    terms = frozenset(terms_of(tokens, first, last))
    numbered = labels(tokens, first, last)
    if not numbered:
        return terms
    places = (at for at in range(first, last) if at not in numbered)
    return frozenset(tokens.terms[at] for at in places if tokens.terms[at]) or terms


def _leading_name(reading: Reading, statement: Statement) -> frozenset[str]:
    """Return the first word if it is the claim's subject: another Bob says nothing about Ann."""
    tokens, first = reading.tokens, statement.first
    leads = statement.subject[0] == first and statement.subject[1] - first == 1
    capital = tokens.words[first][0].isupper() and tokens.kinds[first] == WORD
    return frozenset(terms_of(tokens, first, first + 1)) if leads and capital else frozenset()


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
    for term in terms:
        for index, score in corpus.neighbour_scores(term):
            if index in scores:
                scores[index] += score
    return _best(scores, corpus, budget.candidates), budget_left < 0


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


SPREAD = 3
"""The number of passages whose words together may support a claim."""
_MISSING_FIGURE, _MISSING_NAME = 0.4, 0.5
_MISSING_PREDICATE = 0.6
"""Factor if the predicate is missing: a passage about the subject alone says too little."""


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
    predicate = sought - claim.context
    if predicate and predicate.isdisjoint(spread) and not claim.facts.negative:
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
