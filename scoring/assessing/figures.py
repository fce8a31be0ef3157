"""The figures of reviewed checks as one document. Pure functions."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from scoring.assessing.stored import Reviewed, sample_of
from scoring.figures import EVERYTHING, Group, group
from scoring.scoring import Scored
from stats.bootstrap import LEVEL, ROUNDS, SEED, Interval, resample
from stats.detection import Counts
from stats.intervals import wilson

SAMPLE, ALL = "quality_sample", "all"


def document(found: Sequence[Reviewed], *, rounds: int = ROUNDS) -> dict[str, Any]:
    """The quality sample, and all that was reviewed; None for a set without answers.

    Labels outside the sample are of answers that were flagged or not fully checked: figures over
    them say how the desk's work looks, and not how good the verdicts are.
    """
    sets = {SAMPLE: sample_of(found), ALL: list(found)}
    return {name: _of(rows, rounds) if rows else None for name, rows in sets.items()}


def _of(found: Sequence[Reviewed], rounds: int) -> dict[str, Any]:
    rows = [one.scored for one in found]
    measured = group(SAMPLE, EVERYTHING, rows, None, rounds)
    chances = [one.probability for one in found if one.probability is not None]
    return {
        "n": measured.rows,
        "at_fault": sum(row.label for row in rows),
        "sources": measured.sources,
        "flagged": _decision(measured.shipped, rows, [row.flagged for row in rows], rounds),
        "blocked": _decision(measured.blocked, rows, [row.blocked for row in rows], rounds),
        "auroc": _interval(measured.score),
        "words_auroc": _interval(measured.words),
        "calibration": _calibration(measured),
        "not_checked": dict(Counter(measured.not_checked).most_common()),
        "models": list(measured.models),
        "probabilities": [min(chances), max(chances)] if chances else None,
    }


def _decision(
    told: Counts, rows: Sequence[Scored], said: Sequence[bool], rounds: int
) -> dict[str, Any]:
    """A confusion table and its shares, each with its 95 % interval."""
    return {
        "tp": told.tp,
        "fp": told.fp,
        "tn": told.tn,
        "fn": told.fn,
        "precision": _share(told.tp, told.tp + told.fp),
        "recall": _share(told.tp, told.tp + told.fn),
        "false_alarms": _share(told.fp, told.fp + told.tn),
        "balanced_accuracy": _interval(_balanced(told, rows, said, rounds)),
    }


def _share(part: int, whole: int) -> dict[str, float] | None:
    """A share with its Wilson interval; None of nothing."""
    if not whole:
        return None
    low, high = wilson(part, whole)
    return {"value": part / whole, "low": low, "high": high}


def _balanced(told: Counts, rows: Sequence[Scored], said: Sequence[bool], rounds: int) -> Interval:
    """Balanced accuracy over samples of sources, as the intervals of `evaluate` are made."""
    value = told.balanced_accuracy
    if value is None:
        return Interval(None, None, None)
    bad, flagged = np.array([row.label for row in rows]), np.array(said)
    drawn = []
    for weights in resample([row.source for row in rows], rounds, SEED):
        wrong, clean = weights[bad].sum(), weights[~bad].sum()
        if wrong and clean:
            hit, left = weights[bad & flagged].sum(), weights[~bad & ~flagged].sum()
            drawn.append((hit / wrong + left / clean) / 2)
    if not drawn:
        return Interval(value, None, None)
    edge = (1 - LEVEL) / 2 * 100
    low, high = np.percentile(drawn, [edge, 100 - edge])
    return Interval(value, float(low), float(high))


def _interval(found: Interval) -> dict[str, float | None] | None:
    if found.value is None:
        return None
    return {"value": found.value, "low": found.low, "high": found.high}


def _calibration(measured: Group) -> dict[str, Any]:
    bins = [
        {
            "low": b.low,
            "high": b.high,
            "n": b.count,
            "score": b.mean_score,
            "share": b.positive_share,
        }
        for b in measured.bins
    ]
    return {
        "error": measured.calibration_error,
        "bins": bins,
        "without_score": measured.without_score,
    }
