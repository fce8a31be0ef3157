"""How far a figure can be trusted: intervals by drawing whole sources again and again.

Answers about one source err together, so rows are never drawn alone: 391 answers about 66
sources are worth nearer to 66.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from stats.detection import Floats, auroc, ranking, weighted_auroc

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
    """AUROC with its percentile interval over samples of sources (same seed, same figures)."""
    ranked = ranking(labels, scores)
    drawn = resample(sources, rounds, seed)
    return _interval(auroc(labels, scores), (weighted_auroc(ranked, w) for w in drawn))


def difference_interval(
    labels: Sequence[bool],
    scores: Sequence[float],
    others: Sequence[float],
    sources: Sequence[Hashable],
    *,
    rounds: int = ROUNDS,
    seed: int = SEED,
) -> Interval:
    """AUROC of `scores` less that of `others`, both of the same sample in every round."""
    one, two = ranking(labels, scores), ranking(labels, others)

    def gap(weights: Floats) -> float | None:
        return _less(weighted_auroc(one, weights), weighted_auroc(two, weights))

    drawn = (gap(weights) for weights in resample(sources, rounds, seed))
    return _interval(gap(np.ones(len(labels))), drawn)


def resample(sources: Sequence[Hashable], rounds: int, seed: int) -> Iterator[Floats]:
    """For each round how often each row counts: all sources drawn with replacement."""
    numbers = {source: at for at, source in enumerate(dict.fromkeys(sources))}
    where = np.array([numbers[source] for source in sources], dtype=np.intp)
    generator = np.random.default_rng(seed)
    for _ in range(rounds):
        drawn = generator.integers(0, len(numbers), len(numbers)) if numbers else where
        yield np.bincount(drawn, minlength=len(numbers)).astype(float)[where]


def _less(one: float | None, two: float | None) -> float | None:
    return None if one is None or two is None else one - two


def _interval(value: float | None, drawn: Iterator[float | None]) -> Interval:
    """The percentiles of the rounds that could be told (a sample may lack a class)."""
    known = [found for found in drawn if found is not None]
    if value is None or not known:
        return NONE
    edge = (1 - LEVEL) / 2 * 100
    low, high = np.percentile(known, [edge, 100 - edge])
    return Interval(value, float(low), float(high))
