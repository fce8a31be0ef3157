"""Calibrations of the kinds of answers, from measured ones."""

import random
from dataclasses import replace

import pytest

from analysis.engine.policy import DEFAULT_RULES
from analysis.engine.types import AnswerKind
from lib.stats.odds import logistic
from tools.training.judge.fitting import (
    FLAGGED,
    FitAnswer,
    FitClaim,
    cross_validated,
    fit,
    fit_kind,
    mean_auroc,
    without_its_set,
)


def answers(
    kind: AnswerKind = AnswerKind.SHORT, *, judge: float = 2.0, words: float = 0.0, seed: int = 1
) -> list[FitAnswer]:
    """Return answers of two sets.

    `judge` and `words` say how far wrong ones lie above right ones.
    """
    chance = random.Random(seed)
    made = []
    for number in range(400):
        label = number % 2
        claim = FitClaim(
            chance.gauss(judge * label, 1.0) - 1.5, chance.gauss(words * label, 1.0), 0
        )
        made.append(FitAnswer(f"set{number % 4 // 2}", kind, f"s{number // 4}", label, (claim,)))
    return made


def flagged(rows, by, label: int) -> float:
    chances = [logistic(row.odds(by)) for row in rows if row.label == label]
    return sum(c >= DEFAULT_RULES.unsupported_at for c in chances) / len(chances)


@pytest.mark.parametrize("shift", [0.6, 1.0, 2.0, 4.0])
def test_the_limit_of_the_policy_flags_a_tenth_of_the_right_answers_at_most(shift):
    rows = answers(judge=shift)
    by = fit_kind(rows)
    assert flagged(rows, by, 0) <= FLAGGED
    assert flagged(rows, by, 1) > flagged(rows, by, 0)


def test_words_count_in_long_answers_and_in_bare_ones_that_they_rank_better():
    assert fit_kind(answers(AnswerKind.PLACED, words=0.0)).words == 0
    assert fit_kind(answers(AnswerKind.PLACED, judge=0.5, words=2.0)).words > 0
    by_long, by_short = (fit_kind(answers(kind)) for kind in (AnswerKind.LONG, AnswerKind.SHORT))
    assert (by_long.words, by_long.unread) == (pytest.approx(by_long.judge / 4, abs=1e-3), 0)
    assert (by_short.words, by_short.unread) == (0, by_short.judge)


def test_each_kind_has_a_calibration_of_its_own():
    rows = [*answers(), *answers(AnswerKind.LONG, words=2.0, seed=2)]
    by = fit(rows)
    assert set(by) == {AnswerKind.SHORT, AnswerKind.LONG}
    assert by[AnswerKind.SHORT] == fit_kind(answers())


def test_a_long_answer_is_told_from_the_mean_of_its_claims():
    by = fit_kind(answers(AnswerKind.LONG))
    plain, believed = (
        FitAnswer("s", AnswerKind.LONG, "a", 1, (FitClaim(-1.0, 0.0, 0, mean),))
        for mean in (0.5, -3.0)
    )
    assert believed.odds(by) > plain.odds(by)
    assert by.typical is not None
    assert fit_kind(answers()).typical is None


def test_a_set_with_few_right_answers_does_not_set_the_limit():
    few = [replace(each, set="few", claims=(FitClaim(9.0, 0.0, 0),)) for each in answers()[:6]]
    assert fit([*answers(), *few]) == fit(answers())


def test_what_is_settled_outweighs_the_odds():
    certain = FitAnswer("s", AnswerKind.SHORT, "a", 1, (FitClaim(-9.0, 0.0, 1),))
    copied = FitAnswer("s", AnswerKind.SHORT, "a", 0, (FitClaim(9.0, 0.0, -1),))
    by = fit_kind(answers())
    assert logistic(certain.odds(by)) > 0.99
    assert logistic(copied.odds(by)) < 0.01


def test_answers_are_ranked_by_what_has_not_seen_them():
    rows = answers()
    for column in (cross_validated(rows), without_its_set(rows)):
        assert len(column) == len(rows)
    assert mean_auroc(rows, 0.0) > 0.8
