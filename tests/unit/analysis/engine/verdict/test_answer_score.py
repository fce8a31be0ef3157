from dataclasses import replace
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.engine import measure
from analysis.engine.decision import _score_reason, decide
from analysis.engine.policy.rules import DEFAULT_RULES, PolicyRules
from analysis.engine.policy.settings import SafetyRules, ScoreLimits
from analysis.engine.signal_types import Judgement, NliScores
from analysis.engine.types import Action, Source, Submission
from analysis.engine.verdict.answer_score import (
    JUDGE,
    RULES,
    calibration_of,
    hallucination_score,
    odds_of,
    together,
)
from tests.unit.analysis.engine.verdict.test_rule_table import signal

SOURCES = (Source("s", "The mill stands in Lyon. It was built in 1840 by Ana Brun."),)
shares = st.lists(st.floats(0, 1), min_size=1, max_size=6).map(lambda s: sorted(s, reverse=True))


def score(answer: str, sources=SOURCES) -> float | None:
    return hallucination_score(measure(Submission(answer, "", sources)))


def test_an_answer_in_the_words_of_the_source_scores_zero():
    assert score("The mill stands in Lyon.") < 0.25


def test_an_invented_answer_scores_high():
    assert score("Penguins sing at night in the harbour.") > 0.7


def test_one_bad_claim_is_not_averaged_away():
    good, bad = "The mill stands in Lyon. " * 20, "Greta Olsen painted a harbour."
    assert score(good + bad) >= score(bad) > 0.7


def test_no_sources_no_score_and_nothing_to_check_is_zero():
    assert score("The mill stands in Lyon.", None) is None
    assert score("Hello there!") == 0.0


@given(shares)
def test_never_below_the_worst_nor_above_one(scores):
    assert scores[0] - 1e-9 <= together(scores) <= 1


@given(shares, st.floats(0, 1))
def test_a_worse_claim_never_lowers_the_score(scores, more):
    longer = sorted([*scores, more], reverse=True)
    assert together(longer) >= together(scores) - 1e-9


def test_a_share_of_the_log_odds_is_those_of_the_mean_claim():
    nine_to_one, even = log(9), 0.0
    assert odds_of([0.9], 0.2) == pytest.approx(nine_to_one)
    worst = odds_of([0.9, 0.5], 0.0)
    assert worst > nine_to_one
    mean = (nine_to_one + even) / 2
    assert odds_of([0.9, 0.5], 0.2) == pytest.approx(0.8 * worst + 0.2 * mean)


def test_the_score_of_words_alone_is_calibrated_apart():
    words = NliScores(0.9, 0.0, 0.1)
    by_words = signal(words, lexical=words)
    assert calibration_of([by_words]) is RULES
    read = signal(words, lexical=words, judgement=Judgement(0.5, 0.5, 0.0, 0.1, 1.0, 1, "judge"))
    assert calibration_of([by_words, read]) is JUDGE


def test_the_second_claim_counts_half():
    assert together([0.5, 0.5]) == pytest.approx(1 - 0.5 * 0.75)


def test_an_answer_about_a_record_is_rated_by_a_number_of_its_own():
    record = '{"name": "Inn", "attributes": {"OutdoorSeating": true, "WiFi": "free"}}'
    answer = "The inn is a lovely place with outdoor seating where one surfs for free."
    prose = (Source("s", "The inn has outdoor seating. Its Wi-Fi is free."),)
    about_record, about_prose = score(answer, (Source("s", record),)), score(answer, prose)
    assert about_record is not None
    assert about_prose is not None
    assert about_record < about_prose


def test_the_score_warns_above_the_limit_of_the_policy_and_says_so():
    answer = "The mill stands in Lyon. Greta Olsen painted a harbour."
    measurement = measure(Submission(answer, "", SOURCES))
    answer_score = hallucination_score(measurement)
    assert answer_score is not None
    for limits, action in (
        (ScoreLimits(), Action.ALLOW),
        (ScoreLimits(warn_above=answer_score - 0.01), Action.WARN),
        (ScoreLimits(warn_above=answer_score), Action.ALLOW),
        (
            ScoreLimits(warn_above=answer_score - 0.02, block_above=answer_score - 0.01),
            Action.BLOCK,
        ),
    ):
        rules = PolicyRules(score=limits, safety=SafetyRules(grounding=Action.ALLOW))
        decision = decide(answer, measurement, rules)
        assert decision.action is action, limits
        assert decision.hallucination_score == answer_score
        texts = [reason.text for reason in decision.reasons if reason.code == "hallucination_score"]
        assert bool(texts) is (action is not Action.ALLOW)
        assert all(f"{answer_score:.2f}" in text for text in texts)


def test_a_score_and_its_limit_are_never_told_as_the_same_figure() -> None:
    rules = replace(DEFAULT_RULES, score=replace(DEFAULT_RULES.score, warn_above=0.72))
    (close,), (far,) = _score_reason(0.7213, rules), _score_reason(0.9, rules)
    said = "The probability that the answer is not fully supported is "
    assert close.text == f"{said}0.7213, above 0.7200"
    assert far.text == f"{said}0.90, above 0.72"
