"""Measures what the safety step adds to verification: relevance, citations counted, five checks.

In this process, on one core. The claims are read and the sources are indexed before, as
verification has done by then; the sources are a client's, whose relevance is measured by words,
which costs more than to read the scores of a search.
"""

from collections.abc import Callable

from analysis.engine import DEFAULT_RULES, decide, measure
from analysis.engine.claims.extraction import read
from analysis.engine.evidence.corpus import build
from analysis.engine.signals import citation_integrity, relevance
from analysis.engine.types import Source, Submission
from analysis.engine.verdict.safety_action import safety_of, safety_reasons
from tools.evaluation.bench.answers import prose
from tools.evaluation.bench.engine import WORDS, Latency, repeat

_QUERY = "When was the northern tower of the bridge completed, and how long is the main span?"


def measure_safety(*, seconds: float) -> dict[int, Latency]:
    """Time the step for answers of each length, with as many words of sources again."""
    rows = {words: step(words) for words in WORDS}
    latencies = dict[int, Latency]()
    for words, call in rows.items():
        repeat(call, seconds / 5)
        latencies[words] = repeat(call, seconds)
    return latencies


def step(words: int) -> Callable[[], None]:
    """Return the safety step of one answer of so many words, ready to be timed."""
    answer = prose(words)
    sources = (Source("s1", answer), Source("s2", prose(words * 2)[len(answer) :]))
    reading, corpus = read(answer, _QUERY), build(sources)
    measurement = measure(Submission(answer, _QUERY, sources))
    claims = decide(answer, measurement).claims

    def call() -> None:
        relevance.measure(_QUERY, corpus)
        citation_integrity.referencing_of(reading)
        safety = safety_of(measurement, claims, DEFAULT_RULES.safety.thresholds)
        safety_reasons(measurement, safety, DEFAULT_RULES)

    return call
