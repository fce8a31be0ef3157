"""Finds the passage nearest to a sentence, or to a part of it, which is read beside it alone."""

from collections.abc import Sequence
from math import fsum

from analysis.engine.evidence.corpus import Corpus
from analysis.engine.evidence.hypotheses import Hypothesis

_BY_LENGTH = 0.3
"""The power of a passage's length by which its worth is divided; set, not fitted."""
_BELOW = 2
"""Passages below a heading that are read with it."""


def nearest_text(corpus: Corpus, evidence: Sequence[str], item: Hypothesis) -> str:
    """Return the nearest passage with its neighbours; "" without one, or if they are all.

    `evidence` are the sources' texts as a judge reads them.
    """
    passage = _nearest(corpus, item)
    text = "" if passage is None else _with_neighbours(corpus, evidence, passage)
    return "" if len(text.strip()) == len("".join(evidence).strip()) else text


def _nearest(corpus: Corpus, item: Hypothesis) -> int | None:
    """Return the passage with most of the sentence's terms by their worth, or None.

    Long passages have many terms by chance, so their length counts against them.
    """
    candidates = {at for term in item.terms for at in corpus.postings.get(term, ())}

    def worth(at: int) -> float:
        terms = corpus.passages[at].terms
        # Exact: a set has another order in each process, and equal sums must be equal in all.
        return fsum(map(corpus.idf, item.terms & terms)) / float((1 + len(terms)) ** _BY_LENGTH)

    # Whether a passage asks is found last: of a large source, nearly all may have some term.
    best_first = sorted(sorted(candidates), key=worth, reverse=True)
    return next((at for at in best_first if not corpus.facts(at).asks), None)


def _with_neighbours(corpus: Corpus, evidence: Sequence[str], index: int) -> str:
    """Return a passage as it is read, after the one before it in the same source.

    A heading says nothing by itself: it is read with what stands below it.
    """
    passage, heads = corpus.passages[index], _heads_text(corpus, index)
    near = range(index, index + _BELOW + 1) if heads else range(max(0, index - 1), index + 1)
    stretch = [
        one for one in corpus.passages[near.start : near.stop] if one.source == passage.source
    ]
    begin, end = corpus.readings[passage.source].part(stretch[0].start, stretch[-1].end)
    return evidence[passage.source][begin:end]


def _heads_text(corpus: Corpus, index: int) -> bool:
    """Return whether a passage is a line that ends like no sentence, with its text below it."""
    if not corpus.is_beside(index, index + 1):
        return False
    passage, below = corpus.passages[index : index + 2]
    return corpus.sources[passage.source].text.count("\n", passage.end, below.start) > 1
