"""Thresholds are the strictest that keep to the aims, by the functions that decide."""

from dataclasses import replace

import pytest

from analysis.engine import DEFAULT_RULES, measure
from analysis.engine.decision import decide
from analysis.engine.policy import CONSERVATIVE, ScoreLimits
from analysis.engine.types import Action
from desk.scoring.calibration.labels import CalibrationError, LabelledAnswer, labelled
from desk.scoring.calibration.policy_fit import Aims, fit_policy, rates
from tests.unit.desk.scoring.calibration.judged import Percentages, row

RIGHT = [(2,), (3,), *((20 + 2 * at,) for at in range(35))] + [
    (30 + at, 60 + at) for at in range(30)
]
WRONG = [(1 + 2 * at,) for at in range(35)] + [(5 + at, 40 + at) for at in range(30)]
ROWS = [*(row(*each) for each in RIGHT), *(row(*each, label=1) for each in WRONG)]


@pytest.fixture(scope="module")
def answers() -> list[LabelledAnswer]:
    return [labelled(each, measure(each.submission, judge=Percentages())) for each in ROWS]


def test_rates_are_those_of_the_decisions(answers: list[LabelledAnswer]) -> None:
    found = rates(answers, DEFAULT_RULES)
    actions = [
        decide(each.submission.answer, answer.measurement, DEFAULT_RULES).action
        for each, answer in zip(ROWS, answers, strict=True)
    ]
    of_right = actions[: len(RIGHT)]
    assert found.flagged.fp == sum(action is not Action.ALLOW for action in of_right)
    assert found.flagged.tp == sum(action is not Action.ALLOW for action in actions[len(RIGHT) :])
    assert found.blocked.fp == of_right.count(Action.BLOCK)
    assert 0 < found.blocked.fp < found.flagged.fp
    assert found.claims.fp + found.claims.tn == sum(map(len, RIGHT))
    assert found.claims.tp + found.claims.fn == sum(len(each) == 1 for each in WRONG)


@pytest.mark.parametrize("aims", [Aims(0.1, 0.02), Aims(0.3, 0.1)])
def test_each_threshold_keeps_to_its_aim_and_none_below_would(
    answers: list[LabelledAnswer], aims: Aims
) -> None:
    rules = replace(DEFAULT_RULES, score=ScoreLimits(warn_above=0.78))
    fitted = fit_policy(answers, rules, aims)
    found = rates(answers, fitted)
    assert found.claims.false_alarms <= aims.flagged
    assert found.flagged.false_alarms <= aims.flagged
    assert found.blocked.false_alarms <= aims.blocked

    stricter = rates(answers, replace(fitted, unsupported_at=fitted.unsupported_at - 0.01))
    assert max(stricter.claims.false_alarms, stricter.flagged.false_alarms) > aims.flagged
    score = replace(fitted.score, warn_above=fitted.score.warn_above - 0.01)
    assert rates(answers, replace(fitted, score=score)).flagged.false_alarms > aims.flagged
    if fitted.unsupported_sure_at > fitted.unsupported_at:
        sure = replace(fitted, unsupported_sure_at=fitted.unsupported_sure_at - 0.01)
        assert rates(answers, sure).blocked.false_alarms > aims.blocked


def test_a_policy_without_a_limit_of_the_score_gets_none(answers: list[LabelledAnswer]) -> None:
    fitted = fit_policy(answers, CONSERVATIVE, Aims(0.3, 0.3))
    assert fitted.score == CONSERVATIVE.score
    assert fitted.verdicts == CONSERVATIVE.verdicts


def test_what_no_threshold_can_keep_flags_nothing(answers: list[LabelledAnswer]) -> None:
    strict = replace(DEFAULT_RULES, required_signals=("uncertainty",), warn_at=1)
    assert fit_policy(answers, strict, Aims(-1.0, -1.0)).unsupported_at == 1.0


def test_what_cannot_be_fitted_is_said(answers: list[LabelledAnswer]) -> None:
    with pytest.raises(CalibrationError, match="no right answer"):
        fit_policy([each for each in answers if each.wrong], DEFAULT_RULES, Aims())
