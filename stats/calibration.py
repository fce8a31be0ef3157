"""Whether a score means what it says: of the answers scored 0.7, seven in ten are at fault."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Scores in [low, high), the last bin with 1: how many, their mean, and the share at fault."""

    low: float
    high: float
    count: int
    mean_score: float
    positive_share: float


def reliability(labels: Sequence[bool], scores: Sequence[float], bins: int = BINS) -> list[Bin]:
    """Bins of equal width with at least one row each. Raises ValueError for unequal lengths."""
    held: dict[int, list[tuple[bool, float]]] = {}
    for label, score in zip(labels, scores, strict=True):
        held.setdefault(min(int(score * bins), bins - 1), []).append((label, score))
    return [_bin(at, held[at], bins) for at in sorted(held)]


def merged(several: Iterable[Sequence[Bin]]) -> list[Bin]:
    """The bins of several sets of rows as those of all rows together."""
    held: dict[float, list[Bin]] = {}
    for one in chain.from_iterable(several):
        held.setdefault(one.low, []).append(one)
    return [_together(held[low]) for low in sorted(held)]


def _together(bins: Sequence[Bin]) -> Bin:
    count = sum(one.count for one in bins)
    mean = sum(one.count * one.mean_score for one in bins) / count
    share = sum(one.count * one.positive_share for one in bins) / count
    return Bin(bins[0].low, bins[0].high, count, mean, share)


def expected_calibration_error(found: Sequence[Bin]) -> float | None:
    """Mean distance of score and share at fault, bins weighted by their rows (Naeini 2015).

    None without rows.
    """
    total = sum(one.count for one in found)
    if not total:
        return None
    return sum(one.count * abs(one.mean_score - one.positive_share) for one in found) / total


def _bin(at: int, rows: list[tuple[bool, float]], bins: int) -> Bin:
    share = sum(label for label, _ in rows) / len(rows)
    mean = sum(score for _, score in rows) / len(rows)
    return Bin(at / bins, (at + 1) / bins, len(rows), mean, share)
