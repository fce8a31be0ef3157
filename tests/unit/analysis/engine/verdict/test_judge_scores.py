"""Claims that the judge has read: one probability, and certain conflicts."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.engine import DEFAULT_RULES
from analysis.engine.signal_types import Conflict, Consistency, Judgement, NliScores, VerifierSignal
from analysis.engine.types import AnswerKind, ClaimStatus, ConflictKind, LowConfidenceReason
from analysis.engine.verdict.judge_scores import decide_judged
from analysis.engine.verdict.probability import unsupported
from tests.unit.analysis.engine.verdict.test_rule_table import (
    CLAIM,
    FULL,
    HALF,
    NONE,
    scores,
    signal,
)

NUMBER = Conflict(ConflictKind.NUMBER, "the source says “10 feet”")
ANTONYM = Conflict(ConflictKind.ANTONYM, "allowed / forbidden")
SHARES = st.floats(0, 1)


def judged(
    entail=0.9, contradict=0.02, coverage=FULL, kind=AnswerKind.SHORT, **rest
) -> VerifierSignal:
    neutral = round(max(0.0, 1 - entail - contradict), 4)
    judgement = Judgement(entail, neutral, contradict, 0.1, 1.0, kind, "judge")
    nli = NliScores(entail, contradict, neutral)
    return replace(
        signal(coverage=coverage), nli=nli, judgement=judgement, **{"lexical": scores(0.6)} | rest
    )


@pytest.mark.parametrize(
    ("rule", "status", "read"),
    [
        ("supported", ClaimStatus.SUPPORTED, judged()),
        ("not_checkable", ClaimStatus.LOW_CONFIDENCE, judged(checkable=False)),
        ("contradicted_by_judge", ClaimStatus.CONTRADICTORY, judged(0.02, 0.9)),
        ("not_supported", ClaimStatus.LOW_CONFIDENCE, judged(0.02, 0.1)),
        ("nothing_found", ClaimStatus.LOW_CONFIDENCE, judged(0.02, 0.1, NONE)),
        (
            "contradicted",
            ClaimStatus.CONTRADICTORY,
            judged(0.3, 0.3, conflicts=(replace(NUMBER, certain=True),)),
        ),
        (
            "unsteady",
            ClaimStatus.LOW_CONFIDENCE,
            judged(0.5, 0.1, HALF, consistency=Consistency(disagreement=0.9)),
        ),
    ],
)
def test_the_first_rule_that_holds_decides(rule, status, read):
    decision = decide_judged(CLAIM, read, DEFAULT_RULES)
    assert (decision.rationale.partition(":")[0], decision.status) == (rule, status)


def test_a_certain_conflict_is_sure_and_names_itself():
    against = judged(0.995, 0.0, conflicts=(replace(NUMBER, certain=True),))
    decision = decide_judged(CLAIM, against, DEFAULT_RULES)
    assert decision.status is ClaimStatus.CONTRADICTORY
    assert NUMBER.detail in decision.rationale
    assert decision.confidence.contradict_prob >= DEFAULT_RULES.high_confidence_at


def test_a_conflict_that_is_not_certain_decides_nothing():
    plain, named = judged(0.9), judged(0.9, conflicts=(ANTONYM,))
    assert decide_judged(CLAIM, plain, DEFAULT_RULES) == decide_judged(CLAIM, named, DEFAULT_RULES)


@given(SHARES, st.sampled_from(list(AnswerKind)))
def test_supported_means_more_likely_than_not(entail, kind):
    read = judged(entail, 0.0, kind=kind)
    decision = decide_judged(CLAIM, read, DEFAULT_RULES)
    assert (decision.status is ClaimStatus.SUPPORTED) == (unsupported(read) < 0.5)


@given(SHARES)
def test_between_the_limits_a_claim_is_not_confirmed(entail):
    read = judged(entail, 0.0)
    decision = decide_judged(CLAIM, read, DEFAULT_RULES)
    between = 0.5 <= unsupported(read) < DEFAULT_RULES.unsupported_at
    assert (decision.reason is LowConfidenceReason.NOT_CONFIRMED) == between


def test_what_stands_word_for_word_is_supported_whatever_the_judge_says():
    doubted = judged(0.05, 0.3)
    copied = replace(doubted, judgement=replace(doubted.judgement, verbatim=True))
    assert decide_judged(CLAIM, doubted, DEFAULT_RULES).status is not ClaimStatus.SUPPORTED
    assert decide_judged(CLAIM, copied, DEFAULT_RULES).status is ClaimStatus.SUPPORTED
