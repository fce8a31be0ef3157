"""Claims that the judge has read: one probability, and conflicts that words name."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.engine import DEFAULT_RULES
from analysis.engine.signal_types import Conflict, Consistency, Judgement, NliScores, VerifierSignal
from analysis.engine.types import ClaimStatus, ConflictKind
from analysis.engine.verdict.answer_score import JUDGE, calibration_of
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
DENIAL = Conflict(ConflictKind.NEGATION, "“open”: negated in the source")
ANTONYM = Conflict(ConflictKind.ANTONYM, "allowed / forbidden")
SHARES = st.floats(0, 1)


def judged(entail=0.9, contradict=0.02, coverage=FULL, sentences=1, **rest) -> VerifierSignal:
    neutral = round(max(0.0, 1 - entail - contradict), 4)
    judgement = Judgement(entail, neutral, contradict, 0.1, 1.0, sentences, "judge")
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
            judged(0.3, 0.3, lexical=scores(0, 0.95), conflicts=(NUMBER,)),
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


def test_a_figure_that_conflicts_is_sure_unless_the_judge_finds_support():
    against = {"lexical": scores(0, 0.95), "conflicts": (NUMBER,)}
    doubted = decide_judged(CLAIM, judged(0.3, 0.3, **against), DEFAULT_RULES)
    believed = decide_judged(CLAIM, judged(0.995, 0.0, **against), DEFAULT_RULES)
    assert doubted.status is ClaimStatus.CONTRADICTORY
    assert doubted.confidence.contradict_prob >= DEFAULT_RULES.high_confidence_at
    assert believed.status is ClaimStatus.SUPPORTED


def test_an_antonym_alone_is_not_sure():
    read = judged(0.2, 0.4, lexical=scores(0, 0.95), conflicts=(ANTONYM,))
    decision = decide_judged(CLAIM, read, DEFAULT_RULES)
    assert decision.status is ClaimStatus.CONTRADICTORY
    assert decision.confidence.contradict_prob < DEFAULT_RULES.high_confidence_at


@pytest.mark.parametrize(("conflict", "tells"), [(NUMBER, True), (ANTONYM, True), (DENIAL, False)])
def test_what_words_say_against_a_claim_raises_its_probability(conflict, tells):
    against = {"lexical": scores(0, 0.95)}
    plain = unsupported(judged(0.5, 0.3, **against))
    raised = unsupported(judged(0.5, 0.3, conflicts=(conflict,), **against))
    assert (raised > plain) is tells


def test_in_a_long_answer_the_judge_counts_for_less():
    short = [unsupported(judged(entail, 0.0)) for entail in (0.1, 0.9)]
    long = [unsupported(judged(entail, 0.0, sentences=9)) for entail in (0.1, 0.9)]
    assert short[0] - short[1] > long[0] - long[1] > 0.1


@given(SHARES, SHARES, st.integers(1, 30))
def test_more_entailment_never_makes_a_claim_less_likely(low, high, sentences):
    low, high = sorted((low, high))
    assert (
        unsupported(judged(high, 0.0, sentences=sentences))
        <= unsupported(judged(low, 0.0, sentences=sentences)) + 1e-9
    )


def test_an_answer_that_the_judge_read_has_a_calibration_of_its_own():
    assert calibration_of([judged()]) is JUDGE


def test_what_stands_word_for_word_is_supported_whatever_the_judge_says():
    doubted = judged(0.05, 0.3)
    copied = replace(doubted, judgement=replace(doubted.judgement, verbatim=True))
    assert decide_judged(CLAIM, doubted, DEFAULT_RULES).status is not ClaimStatus.SUPPORTED
    assert decide_judged(CLAIM, copied, DEFAULT_RULES).status is ClaimStatus.SUPPORTED
