"""The fit finds what made the labels, and the thresholds of the policy keep what they mean."""

import math
import random
from dataclasses import replace

import pytest

from analysis.engine.policy.rules import DEFAULT_RULES
from analysis.engine.verdict.answer_score import Calibration
from analysis.engine.verdict.probability import JudgeWeights
from tools.training.judge.fitting import (
    BLOCKED,
    FLAGGED,
    FitAnswer,
    FitClaim,
    JudgeFit,
    anchored,
    cross_validated,
    fit_weights,
    probabilities,
    without_its_kind,
)

PLAIN = JudgeWeights(0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def claim(odds: float, label: int | None = None, **other: object) -> FitClaim:
    plain = FitClaim((odds, 0.0, 0.0, 0.0, 0.0, 0.0), False, False, 0.0, label)
    return replace(plain, **other)


def answers(count: int, kinds: tuple[str, ...] = ("a", "b")) -> list[FitAnswer]:
    """Single claims that are unsupported with the log-odds 0.5 + 1.5 of the judge's."""
    chance, rows = random.Random(7), []
    for at in range(count):
        odds = chance.uniform(-3, 3)
        label = int(chance.random() < 1 / (1 + math.exp(-0.5 - 1.5 * odds)))
        rows.append(FitAnswer(kinds[at % len(kinds)], f"s{at}", label, (claim(odds, label),)))
    return rows


def test_it_finds_how_much_the_judge_says() -> None:
    weights = fit_weights(answers(4000))
    assert weights.entail == pytest.approx(1.5, abs=0.15)
    assert weights.words == weights.conflict == 0


def test_a_tenth_of_the_right_answers_is_flagged_whatever_the_scale() -> None:
    right = [FitAnswer("dev", str(at), 0, (claim(at / 20 - 3),)) for at in range(100)]
    for bias, factor in ((-2.0, 0.3), (0.0, 1.0), (3.0, 4.0)):
        weights = anchored(replace(PLAIN, bias=bias, entail=factor), right)
        chances = [max(probabilities(answer, weights)) for answer in right]
        assert sum(chance >= DEFAULT_RULES.unsupported_at for chance in chances) == 100 * FLAGGED
        sure = sum(chance >= DEFAULT_RULES.unsupported_sure_at for chance in chances)
        assert sure <= 100 * BLOCKED


def test_certain_conflicts_alone_may_flag_too_many() -> None:
    right = [FitAnswer("dev", str(at), 0, (claim(0.0, is_certain=True),)) for at in range(10)]
    with pytest.raises(ValueError, match="certain conflicts"):
        anchored(PLAIN, right)


def test_no_answer_is_scored_by_a_fit_that_saw_its_source_or_its_kind() -> None:
    rows = answers(400)
    odd = FitAnswer("odd", "alone", 1, (claim(-3.0, 1),) * 3)
    for left_out in (cross_validated, without_its_kind):
        without, turned = left_out([*rows, odd], ()), left_out([*rows, replace(odd, label=0)], ())
        assert without[len(rows)] == turned[len(rows)]
        assert set(without) == set(range(len(rows) + 1))


def test_the_mean_claim_tells_apart_answers_of_the_same_worst_claims() -> None:
    judge_fit = JudgeFit(PLAIN, Calibration(0.0, 1.0, 0.0, mean=0.2))
    doubtful = FitAnswer("a", "s", 0, (claim(2.0), claim(1.0), claim(1.0)))
    clear = FitAnswer("a", "s", 0, (claim(2.0), claim(1.0), claim(-4.0)))
    assert judge_fit.chance(clear) < judge_fit.chance(doubtful)
