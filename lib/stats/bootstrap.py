"""Intervals of figures by the bootstrap over sources: whole sources are drawn again and again.

Answers about one source err together, so rows are never drawn alone: 391 answers about 66
sources are worth nearer to 66.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from lib.stats.detection import Floats, auroc, ranking, weighted_auroc

ROUNDS = 1_000
SEED = 20_240_501
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure with its 95 % interval; all None where a class is missing."""

    value: float | None
    low: float | None
    high: float | None


NONE = Interval(None, None, None)


def auroc_interval(
    labels: Sequence[bool],
    scores: Sequence[float],
    sources: Sequence[Hashable],
    *,
    rounds: int = ROUNDS,
    seed: int = SEED,
) -> Interval:
    """Return the AUROC with its percentile interval over samples of sources.

    The same seed gives the same figures.
    """
    order = ranking(labels, scores)
    samples = resample(sources, rounds, seed)
    return _interval(auroc(labels, scores), (weighted_auroc(order, w) for w in samples))


def difference_interval(
    labels: Sequence[bool],
    scores: Sequence[float],
    others: Sequence[float],
    sources: Sequence[Hashable],
    *,
    rounds: int = ROUNDS,
) -> Interval:
    """Return the AUROC of `scores` less that of `others`, from the same sample in each round."""
    first, second = ranking(labels, scores), ranking(labels, others)

    def gap(weights: Floats) -> float | None:
        one, other = weighted_auroc(first, weights), weighted_auroc(second, weights)
        return None if one is None or other is None else one - other

    gaps = (gap(weights) for weights in resample(sources, rounds, SEED))
    return _interval(gap(np.ones(len(labels))), gaps)


def resample(sources: Sequence[Hashable], rounds: int, seed: int) -> Iterator[Floats]:
    """Yield for each round how often each row counts: all sources are drawn with replacement."""
    numbers = {source: at for at, source in enumerate(dict.fromkeys(sources))}
    where = np.array([numbers[source] for source in sources], dtype=np.intp)
    generator = np.random.default_rng(seed)
    for _ in range(rounds):
        sample = generator.integers(0, len(numbers), len(numbers)) if numbers else where
        yield np.bincount(sample, minlength=len(numbers)).astype(float)[where]


def _interval(value: float | None, rounds: Iterator[float | None]) -> Interval:
    """Return the percentiles of the rounds that have a value (a sample may lack a class)."""
    present_values = [value_of_round for value_of_round in rounds if value_of_round is not None]
    if value is None or not present_values:
        return NONE
    edge = (1 - LEVEL) / 2 * 100
    low, high = np.percentile(present_values, [edge, 100 - edge])
    return Interval(value, float(low), float(high))


# Confidence intervals, and percentiles of a few values.

_Z = 1.959964
"""The 97.5 % point of the normal distribution."""


def wilson(hits: int, n: int) -> tuple[float, float]:
    """Return the 95 % interval of a rate (Wilson, JASA 22, 1927)."""
    rate = hits / n
    middle = rate + _Z * _Z / (2 * n)
    spread = _Z * sqrt(rate * (1 - rate) / n + _Z * _Z / (4 * n * n))
    scale = 1 + _Z * _Z / n
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def highest_rate(hits: int, n: int, confidence: float) -> float:
    """Return the exact one-sided upper bound of a rate (Clopper and Pearson, Biometrika 26, 1934).

    The rate at which so few hits are just as rare as 1 - `confidence`.
    """
    from scipy.special import betaincinv  # type: ignore[import-untyped]  # noqa: PLC0415

    return float(betaincinv(hits + 1, n - hits, confidence)) if hits < n else 1.0


def sample_needed(hits: int, rate: float, confidence: float) -> int:
    """Return the smallest n of which `hits` keep `highest_rate` at or below `rate`.

    Without hits ln(1 - confidence) / ln(1 - rate), near the rule of three (3 / rate for 95 %).
    """
    low, high = hits, max(1, hits)
    while highest_rate(hits, high, confidence) > rate:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        is_enough = highest_rate(hits, middle, confidence) <= rate
        low, high = (low, middle) if is_enough else (middle, high)
    return high


def at_most(hits: int, n: int, rate: float) -> float:
    """Return the probability of at most so many hits among n, each with this rate below 1."""
    from scipy.special import bdtr  # noqa: PLC0415

    return float(bdtr(hits, n, rate)) if hits < n else 1.0


def percentile(ordered: Sequence[float], percent: int) -> float:
    """Return the nearest-rank percentile of ascending values."""
    rank = -(-len(ordered) * percent // 100)
    return ordered[max(rank, 1) - 1]
