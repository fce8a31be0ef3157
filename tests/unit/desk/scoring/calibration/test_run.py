"""Half of the sources is fitted on, and the other half has the rates."""

import pytest

from analysis.engine import DEFAULT_RULES
from analysis.services.measuring import measure_submission
from desk.scoring.calibration.labels import CalibrationError, labelled
from desk.scoring.calibration.policy_fit import Aims, rates
from desk.scoring.calibration.run import calibrate, measurements_of
from desk.scoring.split import split_of
from inference.judge.calibration import CalibratedJudge
from tests.unit.desk.scoring.calibration.judged import NAME, Percentages, row

ROWS = [
    row(percentage, label=label, source=f"source {at % 10}")
    for label, low in ((0, 40), (1, 10))
    for at in range(80)
    for percentage in (low + (7 * at) % 55,)
]
FITTING = [each for each in ROWS if split_of(each.raw) == "tune"]
HELD_OUT = [each for each in ROWS if split_of(each.raw) == "report"]


def test_the_rates_are_those_of_the_policy_on_the_held_out_half() -> None:
    judge, steps = Percentages(), []
    fitted = calibrate(ROWS, judge, NAME, DEFAULT_RULES, Aims(), lambda: steps.append(1))
    assert (fitted.answers, fitted.held_out) == (len(FITTING), len(HELD_OUT))
    calibrated = CalibratedJudge(Percentages(), fitted.calibration, NAME)
    others = [
        labelled(each, measure_submission(each.submission, DEFAULT_RULES, None, calibrated))
        for each in HELD_OUT
    ]
    assert fitted.after == rates(others, fitted.policy)
    assert fitted.before == rates(others, DEFAULT_RULES)
    assert fitted.after != fitted.before
    assert len(steps) == measurements_of(ROWS, twice=True)
    assert judge.read == len({(each.submission.answer, each.raw["context"][0]) for each in ROWS})


def test_held_out_answers_have_no_part_in_the_fit() -> None:
    whole = calibrate(ROWS, Percentages(), NAME, DEFAULT_RULES, Aims())
    other = calibrate([*FITTING, *HELD_OUT[:9]], Percentages(), NAME, DEFAULT_RULES, Aims())
    assert (whole.calibration, whole.policy) == (other.calibration, other.policy)
    assert whole.after != other.after


def test_without_a_second_half_nothing_is_fitted() -> None:
    with pytest.raises(CalibrationError, match="more sources"):
        calibrate(FITTING, Percentages(), NAME, DEFAULT_RULES, Aims())
