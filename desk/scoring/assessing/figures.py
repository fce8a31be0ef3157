"""The figures of reviewed checks as one document. Pure functions."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from desk.scoring.assessing.stored import Reviewed
from desk.scoring.figures import EVERYTHING, Group, group
from desk.scoring.scoring import ScoredAnswer
from lib.stats.bootstrap import LEVEL, ROUNDS, SEED, Interval, resample, wilson
from lib.stats.detection import Counts

SAMPLE, ALL = "quality_sample", "all"


def document(reviewed_answers: Sequence[Reviewed], *, rounds: int = ROUNDS) -> dict[str, Any]:
    """Return the figures of the quality sample and of all reviewed checks; None for an empty set.

    Labels outside the sample concern answers that were flagged or not fully checked: their figures
    show the desk's work, not the accuracy of verdicts.
    """
    sample = [item for item in reviewed_answers if item.probability is not None]
    sets = {SAMPLE: sample, ALL: reviewed_answers}
    return {name: _of(rows, rounds) if rows else None for name, rows in sets.items()}


def _of(reviewed_answers: Sequence[Reviewed], rounds: int) -> dict[str, Any]:
    rows = [item.scored for item in reviewed_answers]
    figures = group(SAMPLE, EVERYTHING, rows, rounds)
    chances = [item.probability for item in reviewed_answers if item.probability is not None]
    return {
        "n": figures.rows,
        "at_fault": sum(row.label for row in rows),
        "sources": figures.sources,
        "flagged": _decision(figures.shipped, rows, [row.flagged for row in rows], rounds),
        "blocked": _decision(figures.blocked, rows, [row.blocked for row in rows], rounds),
        "auroc": _interval(figures.score),
        "words_auroc": _interval(figures.words),
        "calibration": _calibration(figures),
        "not_checked": dict(Counter(figures.not_checked).most_common()),
        "models": list(figures.models),
        "probabilities": [min(chances), max(chances)] if chances else None,
    }


def _decision(
    counts: Counts, rows: Sequence[ScoredAnswer], flags: Sequence[bool], rounds: int
) -> dict[str, Any]:
    """Return a confusion table and its rates, each with a 95% interval."""
    return {
        "tp": counts.tp,
        "fp": counts.fp,
        "tn": counts.tn,
        "fn": counts.fn,
        "precision": _share(counts.tp, counts.tp + counts.fp),
        "recall": _share(counts.tp, counts.tp + counts.fn),
        "false_alarms": _share(counts.fp, counts.fp + counts.tn),
        "balanced_accuracy": _interval(_balanced(counts, rows, flags, rounds)),
    }


def _share(part: int, whole: int) -> dict[str, float] | None:
    """Return a share with its Wilson interval, or None if the whole is 0."""
    if not whole:
        return None
    low, high = wilson(part, whole)
    return {"value": part / whole, "low": low, "high": high}


def _balanced(
    counts: Counts, rows: Sequence[ScoredAnswer], flags: Sequence[bool], rounds: int
) -> Interval:
    """Return balanced accuracy with an interval from resampled sources, as in `evaluate`."""
    value = counts.balanced_accuracy
    if value is None:
        return Interval(None, None, None)
    bad, flagged = np.array([row.label for row in rows]), np.array(flags)
    accuracies = []
    for weights in resample([row.source for row in rows], rounds, SEED):
        wrong, clean = weights[bad].sum(), weights[~bad].sum()
        if wrong and clean:
            hit, true_negatives = weights[bad & flagged].sum(), weights[~bad & ~flagged].sum()
            accuracies.append((hit / wrong + true_negatives / clean) / 2)
    if not accuracies:
        return Interval(value, None, None)
    edge = (1 - LEVEL) / 2 * 100
    low, high = np.percentile(accuracies, [edge, 100 - edge])
    return Interval(value, float(low), float(high))


def _interval(interval: Interval) -> dict[str, float | None] | None:
    if interval.value is None:
        return None
    return {"value": interval.value, "low": interval.low, "high": interval.high}


def _calibration(figures: Group) -> dict[str, Any]:
    bins = [
        {
            "low": b.low,
            "high": b.high,
            "n": b.count,
            "score": b.mean_score,
            "share": b.positive_share,
        }
        for b in figures.bins
    ]
    return {
        "error": figures.calibration_error,
        "bins": bins,
        "without_score": figures.without_score,
    }
