"""The probability that a claim is not supported, and the score of an answer."""

from dataclasses import astuple, replace
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.engine import measure
from analysis.engine.decision import _score_reason, decide
from analysis.engine.policy import (
    DEFAULT_RULES,
    PolicyRules,
    SafetyRules,
    ScoreLimits,
    VerdictActions,
)
from analysis.engine.signal_types import Conflict, Judgement, VerifierSignal
from analysis.engine.types import Action, AnswerKind, ConflictKind, Source, Submission
from analysis.engine.verdict.probability import (
    CALIBRATIONS,
    Features,
    hallucination_score,
    log_odds,
    unsupported,
)
from lib.stats.odds import logit
from tests.unit.analysis.engine.verdict.test_rule_table import FULL, NONE, scores, signal

SHARES = st.floats(0, 1)
KINDS = st.sampled_from(list(AnswerKind))


def judged(
    entail: float = 0.05, kind: AnswerKind = AnswerKind.SHORT, coverage=FULL, **rest
) -> VerifierSignal:
    by_default = {"evidence_read": 1.0, "kind": kind, "judge": "judge"}
    judgement = Judgement(entail, 1 - entail, 0.0, 0.1, **by_default | rest)
    return replace(signal(coverage=coverage, lexical=scores(0.9)), judgement=judgement)


def test_every_kind_of_answer_is_calibrated_and_the_judge_counts_in_each():
    assert set(CALIBRATIONS) == set(AnswerKind)
    assert all(each.judge > 0 and each.words >= 0 for each in CALIBRATIONS.values())


@given(SHARES, SHARES, KINDS)
def test_more_entailment_never_makes_a_claim_less_likely(low, high, kind):
    low, high = sorted((low, high))
    assert unsupported(judged(high, kind)) <= unsupported(judged(low, kind)) + 1e-9


@given(SHARES)
def test_words_do_not_outvote_the_judge_where_an_answer_is_short(entail):
    for kind in (AnswerKind.BARE, AnswerKind.SHORT):
        found, missing = (unsupported(judged(entail, kind, each)) for each in (FULL, NONE))
        assert isclose(found, missing) or CALIBRATIONS[kind].words < CALIBRATIONS[kind].judge


@pytest.mark.parametrize("judge", ["llm:qwen3-32b", "named:minicheck:large", "judge"])
@pytest.mark.parametrize("certain", [False, True])
def test_a_certain_conflict_decides_whatever_is_said_for_the_claim_and_no_other_does(
    judge: str, certain: bool
) -> None:
    says_yes = replace(
        judged(entail=0.97, judge=judge),
        lexical=scores(0.8, 0.1),
        conflicts=(Conflict(ConflictKind.NUMBER, "10 against 12", certain=certain),),
    )
    chance = unsupported(says_yes)
    assert chance is not None
    assert (chance >= DEFAULT_RULES.unsupported_at) == certain
    assert (chance >= DEFAULT_RULES.unsupported_sure_at) == certain


def test_a_sentence_of_the_source_is_supported_whatever_the_judge_says():
    assert unsupported(judged(0.02, verbatim=True)) < 0.1


@given(SHARES, st.floats(-5.3, 5.3), st.floats(-5.3, 5.3))
def test_of_two_long_answers_the_believed_one_makes_a_doubted_claim_stand_out(entail, low, high):
    low, high = sorted((low, high))
    believed, other = (judged(entail, AnswerKind.LONG, answer_odds=mean) for mean in (low, high))
    assert unsupported(believed) >= unsupported(other)


def test_claims_that_are_all_doubted_are_not_excused_by_each_other():
    odds = judged(0.05).judgement.odds
    assert unsupported(judged(0.05, AnswerKind.LONG, answer_odds=odds)) > 0.76


@given(SHARES, SHARES, SHARES)
def test_words_count_in_a_short_answer_for_what_the_judge_did_not_read(entail, less, more):
    less, more = sorted((less, more))

    def by_words(read: float) -> float:
        found, missing = (
            judged(entail, AnswerKind.SHORT, each, evidence_read=read) for each in (FULL, NONE)
        )
        return logit(unsupported(missing)) - logit(unsupported(found))

    assert by_words(1.0) == pytest.approx(0.0, abs=1e-6)
    assert by_words(more) <= by_words(less) + 1e-6
    assert by_words(less) > 0 or less > 1 - 1e-6


@given(SHARES, st.floats(-4, 4), st.floats(-4, 4))
def test_the_better_its_passage_answers_the_likelier_a_bare_answer_is(entail, low, high):
    low, high = sorted((low, high))
    near = replace(FULL, nearness=0.8)
    worse, better = (
        judged(entail, AnswerKind.PLACED, near, answering=each) for each in (low, high)
    )
    assert unsupported(better) <= unsupported(worse)
    assert unsupported(better) < unsupported(worse) or high - low < 1e-6


def test_a_claim_that_was_compared_with_nothing_has_no_probability():
    assert unsupported(signal(None, None)) is None


MILL = (Source("s", "The mill stands in Lyon. It was built in 1840."),)
feature_sets = st.builds(Features, SHARES, SHARES, SHARES, SHARES, SHARES, SHARES)


def measured(answer: str):
    return measure(Submission(answer, "", MILL)).signals[0]


def test_a_claim_that_is_supported_scores_below_one_that_is_not():
    good, bad = measured("The mill stands in Lyon."), measured("The goat sang.")
    assert unsupported(good) < 0.3 < unsupported(bad)


@given(feature_sets, feature_sets)
def test_more_against_a_claim_never_lowers_its_score(first, second):
    both = Features(*(max(a, b) for a, b in zip(astuple(first), astuple(second), strict=True)))
    assert log_odds(both) >= max(log_odds(first), log_odds(second)) - 1e-9


SOURCES = (Source("s", "The mill stands in Lyon. It was built in 1840 by Ana Brun."),)


def score(answer: str, sources=SOURCES) -> float | None:
    return hallucination_score(measure(Submission(answer, "", sources)))


def test_an_answer_in_the_words_of_the_source_scores_zero():
    assert score("The mill stands in Lyon.") < 0.25


def test_an_invented_answer_scores_high():
    assert score("Penguins sing at night in the harbour.") > 0.7


def test_no_sources_no_score_and_nothing_to_check_is_zero():
    assert score("The mill stands in Lyon.", None) is None
    assert score("Hello there!") == 0.0


def test_further_claims_that_are_supported_change_nothing():
    bad = "Greta Olsen painted a harbour."
    assert score("The mill stands in Lyon. " * 20 + bad) == score(bad) > 0.7


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
        rules = PolicyRules(
            score=limits,
            safety=SafetyRules(grounding=Action.ALLOW),
            verdicts=VerdictActions(low_confidence=Action.ALLOW),
        )
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
