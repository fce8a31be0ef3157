"""Calibration of a judge: its numbers are set right, thresholds keep to the aims."""

import random
from dataclasses import replace
from typing import Any

import pytest

from analysis.engine import DEFAULT_RULES, measure
from analysis.engine.decision import decide
from analysis.engine.policy import CONSERVATIVE, KindLimits, ScoreLimits
from analysis.engine.types import Action, AnswerKind
from analysis.services.measuring import measure_submission
from desk.scoring.calibration.judge_fit import fit_judge
from desk.scoring.calibration.labels import CalibrationError, LabelledAnswer, labelled
from desk.scoring.calibration.policy_fit import Aims, fit_policy, rates
from desk.scoring.calibration.run import calibrate, measurements_of
from desk.scoring.rows import Row
from desk.scoring.split import split_of
from inference.judge.calibration import CalibratedJudge
from tests.unit.desk.scoring.calibration.judged import NAME, Percentages, row


def wrong_claims(of: Row, judge: Any = None) -> tuple[bool | None, ...]:
    return labelled(of, measure(of.submission, judge=judge or Percentages())).wrong_claims


def test_spans_tell_which_claim_of_an_answer_is_wrong() -> None:
    assert wrong_claims(row(90, 20, label=1, spans=[[40, 50]])) == (False, True)


def test_without_spans_only_a_single_claim_is_known_to_be_wrong() -> None:
    assert wrong_claims(row(90, 20, label=1)) == (None, None)
    assert wrong_claims(row(20, label=1)) == (True,)
    assert wrong_claims(row(90, 20)) == (False, False)


def test_a_claim_that_no_judge_read_has_no_label() -> None:
    class Slow(Percentages):
        def predict(self, *args: Any, **options: Any) -> Any:
            return (None, *super().predict(*args, **options)[1:])

    assert wrong_claims(row(90, 20), Slow()) == (None, False)


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


RIGHT = [(2,), (3,), *((20 + 2 * at,) for at in range(35))] + [
    (30 + at, 60 + at) for at in range(30)
]
WRONG = [(1 + 2 * at,) for at in range(35)] + [(5 + at, 40 + at) for at in range(30)]
ROWS = [*(row(*each) for each in RIGHT), *(row(*each, label=1) for each in WRONG)]


@pytest.fixture(scope="module")
def policy_answers() -> list[LabelledAnswer]:
    return [labelled(each, measure(each.submission, judge=Percentages())) for each in ROWS]


def test_rates_are_those_of_the_decisions(policy_answers) -> None:
    found = rates(policy_answers, DEFAULT_RULES)
    actions = [
        decide(each.submission.answer, answer.measurement, DEFAULT_RULES).action
        for each, answer in zip(ROWS, policy_answers, strict=True)
    ]
    of_right = actions[: len(RIGHT)]
    assert found.flagged.fp == sum(action is not Action.ALLOW for action in of_right)
    assert found.flagged.tp == sum(action is not Action.ALLOW for action in actions[len(RIGHT) :])
    assert found.blocked.fp == of_right.count(Action.BLOCK)
    assert 0 < found.blocked.fp < found.flagged.fp
    assert found.claims.fp + found.claims.tn == sum(map(len, RIGHT))
    assert found.claims.tp + found.claims.fn == sum(len(each) == 1 for each in WRONG)


@pytest.mark.parametrize("aims", [Aims(0.1, 0.02), Aims(0.3, 0.1)])
def test_each_threshold_keeps_to_its_aim_and_none_below_would(policy_answers, aims) -> None:
    rules = replace(DEFAULT_RULES, score=ScoreLimits(warn_above=0.78))
    fitted = fit_policy(policy_answers, rules, aims)
    found = rates(policy_answers, fitted)
    assert found.claims.false_alarms <= aims.flagged
    assert found.flagged.false_alarms <= aims.flagged
    assert found.blocked.false_alarms <= aims.blocked

    stricter = rates(policy_answers, replace(fitted, unsupported_at=fitted.unsupported_at - 0.01))
    assert max(stricter.claims.false_alarms, stricter.flagged.false_alarms) > aims.flagged
    score = replace(fitted.score, warn_above=fitted.score.warn_above - 0.01)
    assert rates(policy_answers, replace(fitted, score=score)).flagged.false_alarms > aims.flagged
    if fitted.unsupported_sure_at > fitted.unsupported_at:
        sure = replace(fitted, unsupported_sure_at=fitted.unsupported_sure_at - 0.01)
        assert rates(policy_answers, sure).blocked.false_alarms > aims.blocked


def test_each_kind_with_enough_answers_keeps_to_the_aim_by_itself() -> None:
    """Without limits of their own, the long answers would use up what all may flag."""
    right = [*((60 + at,) for at in range(30)), *((20 + at,) * 3 for at in range(30)), (5, 90)]
    wrong = [*((40 + at,) for at in range(30)), *((5 + at,) * 3 for at in range(20))]
    rows = [*(row(*each) for each in right), *(row(*each, label=1) for each in wrong)]
    all_of = [labelled(each, measure(each.submission, judge=Percentages())) for each in rows]
    fitted = fit_policy(all_of, DEFAULT_RULES, Aims(0.1, 0.1))
    assert 0 < fitted.by_kind.short < fitted.unsupported_at
    assert fitted.by_kind == KindLimits(short=fitted.by_kind.short)  # what is the same is not told
    for kind in (AnswerKind.SHORT, AnswerKind.LONG):
        some = [answer for answer in all_of if answer.kind == kind]
        assert rates(some, fitted).flagged.false_alarms <= 0.1
        lower = replace(fitted.by_kind, **{kind: fitted.limit_of(kind) - 0.01})
        stricter = rates(some, replace(fitted, by_kind=lower))
        assert max(stricter.claims.false_alarms, stricter.flagged.false_alarms) > 0.1


def test_a_policy_without_a_limit_of_the_score_gets_none(policy_answers) -> None:
    fitted = fit_policy(policy_answers, CONSERVATIVE, Aims(0.3, 0.3))
    assert fitted.score == CONSERVATIVE.score
    assert fitted.verdicts == CONSERVATIVE.verdicts


def test_what_no_threshold_can_keep_flags_nothing(policy_answers) -> None:
    strict = replace(DEFAULT_RULES, required_signals=("uncertainty",), warn_at=1)
    assert fit_policy(policy_answers, strict, Aims(-1.0, -1.0)).unsupported_at == 1.0


def test_thresholds_that_cannot_be_fitted_are_said(policy_answers) -> None:
    with pytest.raises(CalibrationError, match="no right answer"):
        fit_policy([each for each in policy_answers if each.wrong], DEFAULT_RULES, Aims())


HALVES = [
    row(percentage, label=label, source=f"source {at % 10}")
    for label, low in ((0, 40), (1, 10))
    for at in range(80)
    for percentage in (low + (7 * at) % 55,)
]
FITTING = [each for each in HALVES if split_of(each.raw) == "tune"]
HELD_OUT = [each for each in HALVES if split_of(each.raw) == "report"]


def test_the_rates_are_those_of_the_policy_on_the_held_out_half() -> None:
    judge, steps = Percentages(), []
    fitted = calibrate(HALVES, judge, NAME, DEFAULT_RULES, Aims(), lambda: steps.append(1))
    assert (fitted.answers, fitted.held_out) == (len(FITTING), len(HELD_OUT))
    calibrated = CalibratedJudge(Percentages(), fitted.calibration, NAME)
    others = [
        labelled(each, measure_submission(each.submission, DEFAULT_RULES, None, calibrated))
        for each in HELD_OUT
    ]
    assert fitted.after == rates(others, fitted.policy)
    assert fitted.before == rates(others, DEFAULT_RULES)
    assert fitted.after != fitted.before
    assert len(steps) == measurements_of(HALVES, twice=True)
    assert judge.read == len({(each.submission.answer, each.raw["context"][0]) for each in HALVES})


def test_held_out_answers_have_no_part_in_the_fit() -> None:
    whole = calibrate(HALVES, Percentages(), NAME, DEFAULT_RULES, Aims())
    other = calibrate([*FITTING, *HELD_OUT[:9]], Percentages(), NAME, DEFAULT_RULES, Aims())
    assert (whole.calibration, whole.policy) == (other.calibration, other.policy)
    assert whole.after != other.after


def test_without_a_second_half_nothing_is_fitted() -> None:
    with pytest.raises(CalibrationError, match="more sources"):
        calibrate(FITTING, Percentages(), NAME, DEFAULT_RULES, Aims())
