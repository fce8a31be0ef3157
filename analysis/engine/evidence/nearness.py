"""Measures how near a bare answer is, in the sources, to the words of its question.

"When was it electrified?" "1891": the sources contain the year, and only its position tells whether
it is the one asked for. A judge that reads question, answer and sources learns this badly
(docs/research/judges.md); the distance between words works well.
"""

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import accumulate

from analysis.engine.evidence.corpus import Corpus

_REACH = 12.0
"""Distance in tokens at which the weight of a question word falls to a third."""
_SENTENCE, _CLAUSE = 11, 5
"""Tokens added to the distance for each sentence end, or mark such as a comma, between."""
_CLAUSE_MARKS = frozenset(",;:()|–—")
_MOST_PLACES = 500
"""Words with more occurrences in all are uninformative and expensive."""
_MOST_TERMS = 40
"""Words of a question that are searched for."""


def nearness(corpus: Corpus, answer: Sequence[str], question: Sequence[str]) -> float | None:
    """Return how near the answer is to the question's words: 1 at the best place there is.

    `answer` and `question` are stems of content words; the question's first 40 count. The nearness
    of a place is the sum, over the question's words, of a weight that falls with the distance to
    the nearest one; rare words weigh more. None if the sources have no word of either, or the
    question contains the answer.
    """
    terms = set(question[:_MOST_TERMS]) - set(answer)
    counts = Counter(term for tokens in corpus.tokens for term in tokens.terms if term in terms)
    # The question's own words say nothing of the alternatives it offers ("Ulm or Bonn?").
    if set(answer) <= set(question) or not 0 < sum(counts.values()) <= _MOST_PLACES:
        return None
    best = own = 0.0
    for source in range(len(corpus.sources)):
        text = _Text(corpus, source, terms)
        for first, last in text.occurrences(answer):
            own = max(own, text.nearness(first, last, counts))
        for at in {place for places in text.places.values() for place in places}:
            best = max(best, text.nearness(at, at, counts))
    return own / max(own, best) if own else None


class _Text:
    """One source: positions of the question's words, and each token's distance from its start."""

    def __init__(self, corpus: Corpus, source: int, terms: Set[str]) -> None:
        tokens = corpus.tokens[source]
        begins = {each.first for each in corpus.passages if each.source == source}
        steps = (
            1 + _SENTENCE * (at in begins) + _CLAUSE * (word in _CLAUSE_MARKS)
            for at, word in enumerate(tokens.words)
        )
        self._terms = tokens.terms
        self._ways = list(accumulate(steps))
        places: dict[str, list[int]] = defaultdict(list)
        for at, term in enumerate(self._terms):
            if term in terms:
                places[term].append(at)
        self.places: Mapping[str, list[int]] = places

    def occurrences(self, answer: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Yield the tokens [first, last] of the answer, or of any of its words if incomplete."""
        content = [at for at, term in enumerate(self._terms) if term]
        words = [self._terms[at] for at in content]
        size = len(answer)
        whole = [
            (content[at], content[at + size - 1])
            for at in range(len(words) - size + 1)
            if words[at] == answer[0] and words[at : at + size] == list(answer)
        ]
        parts = set(answer)
        yield from whole or ((at, at) for at in content if self._terms[at] in parts)

    def nearness(self, first: int, last: int, counts: Mapping[str, int]) -> float:
        """Return the summed weights of the nearest occurrence of each question word."""
        total = 0.0
        for term, places in self.places.items():
            after = bisect_left(places, first)
            way = min(
                max(self._ways[first] - self._ways[place], self._ways[place] - self._ways[last], 0)
                for place in places[max(0, after - 1) : after + 2]
            )
            total += math.exp(-way / _REACH) / (1 + math.log1p(counts[term]))
        return total
