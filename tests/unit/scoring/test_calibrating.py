"""A calibration makes a judge's numbers mean what they say."""

import random

import pytest

from inference.judge.types import ClaimJudgement
from scoring.calibrating import (
    CalibrationError,
    Labelled,
    fit,
    labelled_claims,
    rates,
    recommended,
)
from scoring.rows import Row, row_of


class FakeJudge:
    """Finds each claim entailed as far as it is told, in turn."""

    model_id = "named:hhem:x"

    def __init__(self, *entail: float) -> None:
        self.entail = entail

    def predict(self, question, evidence, claims, *, before=(), seconds=None):
        shares = zip(self.entail, claims, strict=False)
        return tuple(ClaimJudgement(e, 1 - e, 0.0, (), (), 1.0) for e, _ in shares)


def row(response: str, **more: object) -> Row:
    return row_of(1, {"response": response, "context": ["The mill closed in 1990."], **more})


def skewed(count: int) -> list[Labelled]:
    """Claims of a judge that is far too sure that everything is supported."""
    chance = random.Random(3)
    right = [Labelled(min(0.999, chance.gauss(0.97, 0.01)), False) for _ in range(count)]
    wrong = [Labelled(min(0.999, chance.gauss(0.93, 0.02)), True) for _ in range(count)]
    return right + wrong


def test_a_judge_that_is_too_sure_is_set_right() -> None:
    claims = skewed(200)
    calibration = fit(claims)
    assert calibration.claims == 400
    assert calibration(0.98) > 0.7
    assert calibration(0.91) < 0.3


def test_the_threshold_keeps_the_rate_of_false_alarms() -> None:
    claims = skewed(200)
    table = rates(claims, fit(claims))
    best = recommended(table, 0.10)
    assert best is not None
    assert best.right <= 0.10 < best.wrong
    below = [each for each in table if each.threshold < best.threshold]
    assert all(each.right > 0.10 for each in below)
    assert recommended(table, -1.0) is None


def test_what_cannot_be_fitted_is_said() -> None:
    with pytest.raises(CalibrationError, match="20 of each are the least"):
        fit(skewed(10))
    turned = [Labelled(each.entail, not each.unsupported) for each in skewed(50)]
    with pytest.raises(CalibrationError, match="better supported than right ones"):
        fit(turned)


def test_spans_tell_which_claim_of_an_answer_is_wrong() -> None:
    answer = "The mill closed in 1990. It was sold to a bank."
    answer_row = row(answer, label=1, spans=[[26, 46]])
    claims = list(labelled_claims(answer_row, FakeJudge(0.9, 0.2)))
    assert [(each.entail, each.unsupported) for each in claims] == [(0.9, False), (0.2, True)]


def test_without_spans_a_wrong_answer_of_several_claims_teaches_nothing() -> None:
    answer = "The mill closed in 1990. It was sold to a bank."
    assert not list(labelled_claims(row(answer, label=1), FakeJudge(0.9, 0.2)))
    assert len(list(labelled_claims(row(answer, label=0), FakeJudge(0.9, 0.2)))) == 2
    (only,) = labelled_claims(row("The mill was sold.", label=1), FakeJudge(0.4))
    assert only.unsupported
