"""Times the engine alone, in this process, on one core, without any model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

from analysis.engine import DEFAULT_RULES, analyze, decide, measure
from analysis.engine.claims.extraction import read
from analysis.engine.evidence.corpus import build
from analysis.engine.signals import citation_integrity, relevance
from analysis.engine.types import Source, Submission
from analysis.engine.verdict.safety_action import safety_of, safety_reasons
from lib.stats.bootstrap import percentile

# Answers to measure with: prose of a given length, in sentences like those users submit.

_SENTENCES = (
    "The northern tower of the bridge was completed in 1932 after four years of work.",
    "It carries six lanes of traffic and two footpaths, and it is repainted every ten years.",
    "Engineers inspect the suspension cables twice a year, usually in April and October.",
    "The main span is 1,280 metres long, which made it the longest in the world until 1964.",
    "Wind above 110 km/h closes the deck to high-sided vehicles.",
    "The toll was raised to $8 in 2019, and the income pays for maintenance.",
    "According to the operator, about 112,000 vehicles cross on an average weekday.",
    "A second deck was proposed in 1967 but was never built.",
    "The foundations rest on rock 30 metres below the surface of the water.",
    "Dr. Ellis, who led the design, had worked on smaller bridges before.",
)


def prose(words: int) -> str:
    """Return about `words` words of distinct sentences (each round names another bridge)."""
    text: list[str] = []
    count = turn = 0
    while count < words:
        sentence = _SENTENCES[turn % len(_SENTENCES)]
        round_ = turn // len(_SENTENCES)
        if round_:
            sentence = f"On bridge {round_}, {sentence}"
        excerpt = sentence.split()[: words - count]
        text.append(" ".join(excerpt).rstrip(".,") + ".")
        count += len(excerpt)
        turn += 1
    return " ".join(text)


WORDS = (50, 200, 500)


@dataclass(frozen=True, slots=True)
class Latency:
    """Percentiles in milliseconds, and calls a second."""

    p50: float
    p95: float
    per_second: float
    count: int


def latency(milliseconds: Sequence[float], *, seconds: float) -> Latency:
    """Return percentiles (nearest rank) of timings that took `seconds` of wall time in all."""
    if not milliseconds:
        raise ValueError("nothing was timed")
    ordered = sorted(milliseconds)
    return Latency(
        p50=percentile(ordered, 50),
        p95=percentile(ordered, 95),
        per_second=len(ordered) / seconds,
        count=len(ordered),
    )


def measure_engine(*, seconds: float, with_sources: bool) -> dict[int, Latency]:
    """Time `analyze` for each length; sources are the answer's own text and as much again."""
    return {words: _time(words, seconds, with_sources) for words in WORDS}


def _time(words: int, seconds: float, with_sources: bool) -> Latency:
    answer = prose(words)
    sources = [answer, prose(words * 2)[len(answer) :]] if with_sources else None

    def call() -> None:
        analyze("What is known of the bridge?", answer, sources)

    repeat(call, seconds / 5)
    return repeat(call, seconds)


def repeat(call: Callable[[], None], seconds: float) -> Latency:
    """Call it for so many seconds, at least once, and time each call."""
    times_ms = []
    began = perf_counter()
    while (now := perf_counter()) - began < seconds:
        call()
        times_ms.append((perf_counter() - now) * 1000)
    return latency(times_ms, seconds=perf_counter() - began)


# Measures what the safety step adds to verification: relevance, citations counted, five checks.
#
# In this process, on one core. The claims are read and the sources are indexed before, as
# verification has done by then; the sources are a client's, whose relevance is measured by words,
# which costs more than to read the scores of a search.

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
