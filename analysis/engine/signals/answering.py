"""Measures whether the passage that holds a bare answer is the one that answers its question.

"When was it electrified?" "1891": the sources contain the year, and a judge of answers says of each
passage how surely it answers the question. If one without the answer does so better, the answer was
probably taken from beside it.
"""

from collections.abc import Sequence, Set
from math import fsum

from analysis.engine.evidence.corpus import Corpus, terms_in
from inference.judge.types import Judge
from lib.stats.odds import logit

FARTHEST = 4.0
"""Differences of log-odds beyond this say no more."""
_MOST = 40
"""Passages that are read: those that share most with the question and the answers."""
_EDGE = 1e-6


def answering(
    corpus: Corpus,
    question: str,
    answers: Sequence[Set[str]],
    judge: Judge,
    seconds: float | None = None,
) -> list[float | None] | None:
    """Return for each answer (its terms) how much better a passage with it answers the question.

    That is the difference in log-odds (-4 to 4) between the best passage with all its terms and the
    best one without; None if all passages have them or none has. No list without time to read them.
    Raises `inference.errors.ModelError`.
    """
    passages = corpus.passages
    terms = terms_in(question).union(*answers)

    def worth(at: int) -> float:
        # Exact: a set has another order in each process, and equal sums must be equal in all.
        return fsum(map(corpus.idf, terms & passages[at].terms))

    stating = [at for at in range(len(passages)) if not corpus.facts(at).asks]
    nearest = sorted(stating, key=worth, reverse=True)[:_MOST]
    texts = [
        corpus.visible_text(passages[at].source, passages[at].start, passages[at].end)
        for at in nearest
    ]
    read = judge.predict(question, [], texts, seconds=seconds)
    odds = {
        at: logit(judgement.entail, _EDGE)
        for at, judgement in zip(nearest, read, strict=True)
        if judgement is not None
    }
    if len(odds) < len(nearest):
        return None

    def difference(answer: Set[str]) -> float | None:
        own = [each for at, each in odds.items() if answer <= passages[at].terms]
        others = [each for at, each in odds.items() if not answer <= passages[at].terms]
        if not (answer and own and others):
            return None
        return round(max(-FARTHEST, min(FARTHEST, max(own) - max(others))), 4)

    return [difference(answer) for answer in answers]
