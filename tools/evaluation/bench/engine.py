"""Times the engine alone, in this process, on one core, without any model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

from analysis.engine import analyze
from lib.stats.intervals import percentile
from tools.evaluation.bench.answers import prose

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
