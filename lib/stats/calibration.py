"""Calibration of scores: of the answers scored 0.7, seven in ten should be at fault."""

from collections.abc import Sequence
from dataclasses import dataclass

BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Scores in [low, high), the last bin with 1: number, mean, and share at fault."""

    low: float
    high: float
    count: int
    mean_score: float
    positive_share: float


def reliability(labels: Sequence[bool], scores: Sequence[float], bins: int = BINS) -> list[Bin]:
    """Return the bins of equal width that have rows. Raises ValueError for unequal lengths."""
    rows_by_bin: dict[int, list[tuple[bool, float]]] = {}
    for label, score in zip(labels, scores, strict=True):
        rows_by_bin.setdefault(min(int(score * bins), bins - 1), []).append((label, score))
    return [_bin(at, rows_by_bin[at], bins) for at in sorted(rows_by_bin)]


def expected_calibration_error(bins: Sequence[Bin]) -> float | None:
    """Return the mean distance of score and share at fault, bins weighted by rows (Naeini 2015).

    None without rows.
    """
    total = sum(item.count for item in bins)
    if not total:
        return None
    return sum(item.count * abs(item.mean_score - item.positive_share) for item in bins) / total


def _bin(at: int, rows: list[tuple[bool, float]], bins: int) -> Bin:
    share = sum(label for label, _ in rows) / len(rows)
    mean = sum(score for _, score in rows) / len(rows)
    return Bin(at / bins, (at + 1) / bins, len(rows), mean, share)
