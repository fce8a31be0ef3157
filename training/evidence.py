"""Windows for training, chosen by the selector that serves: training sees what serving sees."""

from collections.abc import Iterator

from analysis.engine.claims.extraction import read
from analysis.engine.claims.reading import Reading
from analysis.engine.evidence.corpus import Corpus, build
from analysis.engine.evidence.hypotheses import Hypothesis, hypotheses
from analysis.engine.evidence.windows import choose
from analysis.engine.types import Source


def corpus_of(contexts: list[str]) -> Corpus:
    """The sources as the engine sees them."""
    return build(tuple(Source(f"s{at}", text) for at, text in enumerate(contexts, start=1)))


def read_pairs(corpus: Corpus, answer: str, query: str) -> Iterator[tuple[Hypothesis, str]]:
    """Each sentence of an answer with its window ("" where no passage shares a word)."""
    reading: Reading = read(answer, query)
    for hypothesis in hypotheses(reading, query):
        yield hypothesis, window_for(corpus, hypothesis)


def window_for(corpus: Corpus, hypothesis: Hypothesis) -> str:
    """The text of the best window."""
    windows = choose(corpus, hypothesis.terms, hypothesis.context).windows
    return windows[0].text if windows else ""
