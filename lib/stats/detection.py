"""Figures of rankings and decisions. In all of them positive = not fully supported (1)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Counts:
    """A confusion table: true and false positives, true and false negatives."""

    tp: int
    fp: int
    tn: int
    fn: int

    @property
    def precision(self) -> float:
        """Share of the flagged that are positive; 0 where nothing was flagged."""
        return _ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """Share of the positive that were flagged; 0 where there are none."""
        return _ratio(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float:
        """2 tp / (2 tp + fp + fn); 0 where that is 0 / 0."""
        return _ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    @property
    def false_alarms(self) -> float | None:
        """Share of the clean that were flagged; None without clean ones."""
        clean = self.fp + self.tn
        return self.fp / clean if clean else None

    @property
    def balanced_accuracy(self) -> float | None:
        """Mean of recall and of the share of the clean not flagged.

        None where a class is missing.
        """
        alarms = self.false_alarms
        if alarms is None or not self.tp + self.fn:
            return None
        return (self.recall + 1 - alarms) / 2


def counts(labels: Sequence[bool], flagged: Sequence[bool]) -> Counts:
    """Return the confusion table of a decision. Raises ValueError for unequal lengths."""
    pairs = list(zip(labels, flagged, strict=True))
    return Counts(
        pairs.count((True, True)),
        pairs.count((False, True)),
        pairs.count((False, False)),
        pairs.count((True, False)),
    )


def auroc(labels: Sequence[bool], scores: Sequence[float]) -> float | None:
    """Return the chance that a positive scores above a clean one, a tie counting half.

    None where a class is missing. This is Mann-Whitney's U over the number of pairs.
    """
    return weighted_auroc(ranking(labels, scores), np.ones(len(labels)))


@dataclass(frozen=True, slots=True)
class Ranking:
    """Rows sorted by score, for figures of many samples of them.

    `order` leads from sorted to given places, `starts` are the first sorted places of each run
    of equal scores.
    """

    order: npt.NDArray[np.intp]
    starts: npt.NDArray[np.intp]
    positive: Floats


def ranking(labels: Sequence[bool], scores: Sequence[float]) -> Ranking:
    """Sort rows by score. Raises ValueError for unequal lengths or a score that is no number."""
    values, truth = np.asarray(scores, dtype=float), np.asarray(labels, dtype=float)
    if values.shape != truth.shape:
        raise ValueError(f"{truth.size} labels and {values.size} scores")
    if np.isnan(values).any():
        raise ValueError("a score is not a number")
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]][: ordered.size])
    return Ranking(order, starts, truth[order])


def weighted_auroc(ranking: Ranking, weights: Floats) -> float | None:
    """Return the AUROC where row i counts `weights[i]` times; None where a class is missing."""
    if not ranking.order.size:
        return None
    ordered = weights[ranking.order]
    bad = np.add.reduceat(ordered * ranking.positive, ranking.starts)
    clean = np.add.reduceat(ordered * (1 - ranking.positive), ranking.starts)
    pairs = bad.sum() * clean.sum()
    if not pairs:
        return None
    below = np.cumsum(clean) - clean
    return float((bad * (below + clean / 2)).sum() / pairs)


def flag_all_f1(labels: Sequence[bool]) -> float:
    """Return the F1 of flagging every answer."""
    return counts(labels, [True] * len(labels)).f1


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Scores in [low, high), the last bin with 1: number, mean, and share at fault."""

    low: float
    high: float
    count: int
    mean_score: float
    positive_share: float


def reliability(labels: Sequence[bool], scores: Sequence[float]) -> list[Bin]:
    """Return the bins of equal width that have rows. Raises ValueError for unequal lengths."""
    rows_by_bin: dict[int, list[tuple[bool, float]]] = {}
    for label, score in zip(labels, scores, strict=True):
        rows_by_bin.setdefault(min(int(score * BINS), BINS - 1), []).append((label, score))
    return [
        Bin(
            low=at / BINS,
            high=(at + 1) / BINS,
            count=len(rows),
            mean_score=sum(score for _, score in rows) / len(rows),
            positive_share=sum(label for label, _ in rows) / len(rows),
        )
        for at, rows in sorted(rows_by_bin.items())
    ]


def expected_calibration_error(bins: Sequence[Bin]) -> float | None:
    """Return the mean distance of score and share at fault, bins weighted by rows (Naeini 2015).

    None without rows.
    """
    total = sum(item.count for item in bins)
    if not total:
        return None
    return sum(item.count * abs(item.mean_score - item.positive_share) for item in bins) / total
