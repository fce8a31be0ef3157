"""How far sources speak of the question, each 0-1, on one calibrated scale.

Where a search gave a cosine, its calibrated value stands; else the share of the question's content
words that stand together in a source (three neighbouring sentences). Both are put through a
logistic function that was fitted so that 0.6 means the same for each (`python -m
training.relevance`, docs/decisions/0600).
"""

import math
from dataclasses import dataclass

from analysis.engine.evidence.corpus import Corpus, terms_of
from analysis.engine.safety.checks import Passage, Relevance
from text.tokens import tokenize

MODEL = "relevance-1"
NO_QUERY = "No question was given"
BY_SEARCH = "by retrieval scores"
BY_WORDS = "measured as the question's words found in the sources"


@dataclass(frozen=True, slots=True)
class Logistic:
    """1 / (1 + exp(-(slope * x + bias)))."""

    slope: float
    bias: float

    def __call__(self, value: float) -> float:
        """The calibrated score, 0-1, of a raw one."""
        return round(1 / (1 + math.exp(-(self.slope * value + self.bias))), 4)


WORDS = Logistic(14.12, -3.11)
"""For the share of words; fitted on question and context pairs, own against another's."""
COSINES = {"all-MiniLM-L6-v2": Logistic(16.04, -4.7)}
"""For the cosine of question and passage, by the name of the embedding model."""


def of_cosine(cosine: float | None, model: str) -> float | None:
    """The calibrated relevance; None without a cosine, or by a model that was not calibrated."""
    found = next((fit for name, fit in COSINES.items() if name in model), None)
    return None if cosine is None or found is None else found(cosine)


def measure(query: str, corpus: Corpus) -> Relevance:
    """The relevance of each source; of what a search found only what the question itself found."""
    asked = terms_asked(query)
    searched = any(source.retrieved for source in corpus.sources)
    scored = [at for at, source in enumerate(corpus.sources) if source.relevance is not None]
    if scored:
        found = tuple(_passage(corpus, at, corpus.sources[at].relevance) for at in scored)
        return Relevance(BY_SEARCH, searched, found)
    found = tuple(
        _passage(corpus, at, WORDS(share) if asked else None)
        for at, share in enumerate(shares(asked, corpus))
    )
    return Relevance(BY_WORDS if asked else "", searched, found)


def _passage(corpus: Corpus, at: int, score: float | None) -> Passage:
    return Passage(score, score, None, len(corpus.sources[at].text))


def terms_asked(query: str) -> frozenset[str]:
    """The content words of a question."""
    tokens = tokenize(query)
    return frozenset(terms_of(tokens, 0, len(tokens)))


def shares(asked: frozenset[str], corpus: Corpus) -> list[float]:
    """For each source the largest share of the terms that three neighbours hold together."""
    best = [0.0] * len(corpus.sources)
    holding = {at for term in asked for at in corpus.postings.get(term, ())}
    for at in holding:
        source = corpus.passages[at].source
        near = [n for n in (at - 1, at, at + 1) if 0 <= n < len(corpus.passages)]
        held = frozenset[str]().union(
            *(corpus.passages[n].terms for n in near if corpus.passages[n].source == source)
        )
        best[source] = max(best[source], len(asked & held) / len(asked))
    return best
