"""Fits a judge's probabilities to labelled claims."""

from collections.abc import Iterator, Sequence

import numpy as np

from desk.scoring.calibration.labels import CalibrationError, LabelledAnswer
from inference.judge.calibration import EDGE, Calibration
from lib.stats.odds import logit

LEAST = 20
"""Claims of either label below which nothing is fitted."""


def fit_judge(answers: Sequence[LabelledAnswer], name: str) -> Calibration:
    """Fit the claims that the judge `name` decided.

    Logistic regression of the label on the judge's log-odds, with equal weight for both labels.

    Raises CalibrationError if one label is rare, or the judge ranks wrong claims above right ones.
    """
    from sklearn.linear_model import (  # type: ignore[import-untyped]  # noqa: PLC0415 - a second
        LogisticRegression,
    )

    claims = [claim for answer in answers for claim in _judged_claims(answer, name)]
    wrong = sum(is_wrong for _, is_wrong in claims)
    if min(wrong, len(claims) - wrong) < LEAST:
        raise CalibrationError(
            f"{len(claims) - wrong} supported and {wrong} unsupported claims of the half that is "
            f"fitted on have a label; {LEAST} of each are the least."
        )
    odds = np.array([[logit(entail, EDGE)] for entail, _ in claims])
    labels = np.array([not is_wrong for _, is_wrong in claims])
    # In units of their own spread: the penalty of the regression must not depend on it.
    spread = float(odds.std()) or 1.0
    model = LogisticRegression(class_weight="balanced").fit(odds / spread, labels)
    factor = float(model.coef_[0][0]) / spread
    if factor <= 0:
        raise CalibrationError("The judge finds wrong claims no less supported than right ones.")
    return Calibration(round(float(model.intercept_[0]), 4), round(factor, 4), len(claims))


def _judged_claims(answer: LabelledAnswer, name: str) -> Iterator[tuple[float, bool]]:
    """Yield the judge's probability that a claim is entailed, and whether it is wrong."""
    pairs = zip(answer.measurement.signals, answer.wrong_claims, strict=True)
    for signal, is_wrong in pairs:
        judgement = signal.judgement
        if judgement is not None and judgement.judge == name and is_wrong is not None:
            yield judgement.entail, is_wrong
