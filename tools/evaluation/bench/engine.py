"""Times the engine alone, in this process, on one core, without any model."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

from analysis.engine import analyze
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
    latencies = {}
    for words in WORDS:
        answer = prose(words)
        sources = [answer, prose(words * 2)[len(answer) :]] if with_sources else None
        _repeat(answer, sources, seconds / 5)
        latencies[words] = _repeat(answer, sources, seconds)
    return latencies


def _repeat(answer: str, sources: list[str] | None, seconds: float) -> Latency:
    """Check it for so many seconds, at least once, and time each call."""
    times_ms = []
    began = perf_counter()
    while (now := perf_counter()) - began < seconds:
        analyze("What is known of the bridge?", answer, sources)
        times_ms.append((perf_counter() - now) * 1000)
    return latency(times_ms, seconds=perf_counter() - began)
