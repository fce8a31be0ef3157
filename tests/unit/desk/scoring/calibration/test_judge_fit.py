"""A calibration makes a judge's numbers mean what they say."""

import random

import pytest

from analysis.engine import measure
from desk.scoring.calibration.judge_fit import fit_judge
from desk.scoring.calibration.labels import CalibrationError, LabelledAnswer, labelled
from tests.unit.desk.scoring.calibration.judged import NAME, Percentages, row


def answers(right: list[int], wrong: list[int]) -> list[LabelledAnswer]:
    rows = [*(row(each) for each in right), *(row(each, label=1) for each in wrong)]
    return [labelled(item, measure(item.submission, judge=Percentages())) for item in rows]


def generous(count: int) -> list[LabelledAnswer]:
    """Return claims of a judge that is far too sure that everything is supported."""
    chance = random.Random(3)
    right = [min(99, round(chance.gauss(96, 2))) for _ in range(count)]
    wrong = [min(99, round(chance.gauss(90, 3))) for _ in range(count)]
    return answers(right, wrong)


def test_a_judge_that_is_too_sure_is_set_right() -> None:
    calibration = fit_judge(generous(60), NAME)
    assert calibration.claims == 120
    assert calibration(0.98) > 0.7
    assert calibration(0.88) < 0.3


def test_a_judge_of_narrow_numbers_is_fitted_as_well() -> None:
    calibration = fit_judge(answers([52] * 30 + [51] * 5, [49] * 30 + [50] * 5), NAME)
    assert calibration(0.52) > 0.8
    assert calibration(0.49) < 0.2


def test_only_claims_of_the_judge_that_is_fitted_count() -> None:
    with pytest.raises(CalibrationError, match="0 supported and 0 unsupported"):
        fit_judge(generous(30), "llm:other")


def test_what_cannot_be_fitted_is_said() -> None:
    with pytest.raises(CalibrationError, match="20 of each are the least"):
        fit_judge(generous(10), NAME)
    with pytest.raises(CalibrationError, match="no less supported than right ones"):
        fit_judge(answers([40] * 30, [60] * 30), NAME)
