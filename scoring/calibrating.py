"""Fitting what a judge's probability means, on labelled answers of an operator."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.engine import measure
from analysis.engine.signal_types import Measurement
from inference.judge import Judge
from inference.judge.named.calibration import Calibration, log_odds
from scoring.rows import Row
from scoring.truth import label_of, spans_of

THRESHOLDS = tuple(step / 20 for step in range(2, 20))
_LEAST = 20
"""Claims of either label below which nothing is fitted."""


class CalibrationError(ValueError):
    """Rows that nothing can be fitted on, in words."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """One claim: the judge's probability that it is entailed, and whether it is unsupported."""

    entail: float
    unsupported: bool


@dataclass(frozen=True, slots=True)
class Rates:
    """Shares (0-1) of right and of wrong claims that a threshold flags."""

    threshold: float
    right: float
    wrong: float


def labelled_claims(row: Row, judge: Judge) -> Iterator[Labelled]:
    """The claims of an answer whose label is known, as the judge reads them.

    Of a wrong answer with several claims only marked spans tell which claims are wrong.
    """
    measurement = measure(row.submission, judge=judge)
    wrong, spans = label_of(row.raw), spans_of(row.raw)
    pairs = _judged_claims(measurement)
    for start, end, entail in pairs:
        if not wrong:
            yield Labelled(entail, unsupported=False)
        elif spans is not None:
            yield Labelled(entail, any(a < end and start < b for a, b in spans))
        elif len(pairs) == 1:
            yield Labelled(entail, unsupported=True)


def _judged_claims(measurement: Measurement) -> list[tuple[int, int, float]]:
    both = zip(measurement.claims, measurement.signals, strict=True)
    return [
        (claim.start, claim.end, signal.judgement.entail)
        for claim, signal in both
        if signal.judgement is not None
    ]


def fit(claims: Sequence[Labelled]) -> Calibration:
    """Logistic regression of the label on the judge's log-odds, either label weighing the same.

    Raises CalibrationError where one label is rare, or the judge ranks wrong claims above right.
    """
    from sklearn.linear_model import (  # type: ignore[import-untyped]  # noqa: PLC0415 - a second
        LogisticRegression,
    )

    wrong = sum(claim.unsupported for claim in claims)
    if min(wrong, len(claims) - wrong) < _LEAST:
        raise CalibrationError(
            f"{len(claims) - wrong} supported and {wrong} unsupported claims have a label; "
            f"{_LEAST} of each are the least."
        )
    odds = np.array([[log_odds(claim.entail)] for claim in claims])
    labels = np.array([not claim.unsupported for claim in claims])
    model = LogisticRegression(class_weight="balanced").fit(odds, labels)
    factor = float(model.coef_[0][0])
    if factor <= 0:
        raise CalibrationError("The judge finds wrong claims better supported than right ones.")
    return Calibration(round(float(model.intercept_[0]), 4), round(factor, 4), len(claims))


def rates(claims: Sequence[Labelled], calibration: Calibration) -> list[Rates]:
    """What each threshold of the probability of not being supported would flag."""
    doubts = [(1 - calibration(claim.entail), claim.unsupported) for claim in claims]
    return [
        Rates(threshold, _share(doubts, threshold, False), _share(doubts, threshold, True))
        for threshold in THRESHOLDS
    ]


def recommended(thresholds: Sequence[Rates], most_right: float) -> Rates | None:
    """The lowest threshold that flags at most this share of right claims."""
    return next((each for each in thresholds if each.right <= most_right), None)


def _share(doubts: Sequence[tuple[float, bool]], threshold: float, unsupported: bool) -> float:
    class_doubts = [doubt for doubt, label in doubts if label is unsupported]
    return sum(doubt >= threshold for doubt in class_doubts) / len(class_doubts)
