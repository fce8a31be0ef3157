"""Claims that the model which comes along has read: words and model decide together."""

import pytest

from analysis.engine import DEFAULT_RULES
from analysis.engine.signal_types import Consistency, Uncertainty, VerifierSignal
from analysis.engine.types import Band, ClaimStatus
from analysis.engine.verdict.aggregation import by_rules
from analysis.engine.verdict.answer_score import calibration_of
from analysis.engine.verdict.fusion_model import (
    EMBEDDED_NAME,
    EMBEDDED_WEIGHTS,
    unsupported,
    weights_of,
)
from analysis.engine.verdict.rule_table import decide_claim
from tests.unit.analysis.engine.verdict.test_rule_table import (
    CLAIM,
    CONFLICT,
    FULL,
    HALF,
    NONE,
    NOTHING,
    scores,
    signal,
)


def by_embedded(nli=NOTHING, coverage=FULL, by=EMBEDDED_NAME, **rest) -> VerifierSignal:
    return signal(nli, coverage, judged_by=by, doubt=1 - nli.entail, **rest)


@pytest.mark.parametrize(
    ("name", "status", "signals"),
    [
        ("not_checkable", ClaimStatus.LOW_CONFIDENCE, by_embedded(checkable=False)),
        (
            "contradicted",
            ClaimStatus.CONTRADICTORY,
            by_embedded(scores(0.3, 0.1), lexical=scores(0, 0.9), conflicts=(CONFLICT,)),
        ),
        (
            "contradicted_by_model",
            ClaimStatus.CONTRADICTORY,
            by_embedded(scores(0.1, 0.8), HALF, lexical=NOTHING),
        ),
        (
            "fused_unsupported",
            ClaimStatus.LOW_CONFIDENCE,
            by_embedded(scores(0.1, 0.3), HALF, lexical=NOTHING),
        ),
        (
            "nothing_found",
            ClaimStatus.LOW_CONFIDENCE,
            by_embedded(scores(0.1, 0.8), NONE, lexical=NOTHING),
        ),
        (
            "unsteady",
            ClaimStatus.LOW_CONFIDENCE,
            by_embedded(
                scores(0.6), lexical=scores(0.5), consistency=Consistency(disagreement=0.9)
            ),
        ),
        ("fused_supported", ClaimStatus.SUPPORTED, by_embedded(scores(0.9), lexical=scores(0.7))),
    ],
)
def test_each_rule_fires_where_it_should(name, status, signals):
    decision = by_rules(CLAIM, signals, DEFAULT_RULES)
    assert decision.rationale.startswith(f"{name}: ")
    assert decision.status is status


@pytest.mark.parametrize("nli", [scores(0.3, 0.1), scores(0.99)])
def test_a_conflict_that_words_name_is_decided_as_by_words_alone(nli):
    words = scores(0, 0.9)
    signals = by_embedded(nli, lexical=words, conflicts=(CONFLICT,))
    decision = by_rules(CLAIM, signals, DEFAULT_RULES)
    assert decision == decide_claim(CLAIM, signal(words, conflicts=(CONFLICT,)), DEFAULT_RULES)
    assert decision.rationale == "contradicted: number: “2010” against “2012”"
    assert (decision.status, decision.confidence.band) == (ClaimStatus.CONTRADICTORY, Band.HIGH)


def test_no_contradiction_is_surer_than_that_the_claim_is_unsupported():
    signals = by_embedded(scores(0.05, 0.95), lexical=scores(0.5))
    decision = by_rules(CLAIM, signals, DEFAULT_RULES)
    assert decision.rationale.startswith("contradicted_by_model: ")
    assert decision.confidence.contradict_prob == pytest.approx(unsupported(signals), abs=1e-4)
    assert decision.confidence.contradict_prob < 0.95


def test_the_words_in_doubt_are_named():
    signals = by_embedded(
        scores(0.1, 0.3), HALF, lexical=NOTHING, unsupported=((24, 28, 0.91), (9, 13, 0.3))
    )
    assert by_rules(CLAIM, signals, DEFAULT_RULES).rationale.endswith("); doubted: “2010”")


def test_a_writer_that_was_unsure_lowers_the_confidence_and_nothing_else():
    unsure = Uncertainty(mean_entropy=2.0)
    variants = [
        by_embedded(scores(0.95), lexical=scores(0.9), uncertainty=u) for u in (None, unsure)
    ]
    plain, less = (by_rules(CLAIM, item, DEFAULT_RULES).confidence for item in variants)
    assert less.support_prob == plain.support_prob
    assert less.overall_confidence == pytest.approx(plain.overall_confidence * 0.9, abs=1e-4)


def test_a_claim_that_the_model_spared_has_its_weights_and_the_table_of_words():
    words = scores(0.95)
    spared = signal(words, FULL, lexical=words, spared_by=EMBEDDED_NAME)
    read = by_embedded(scores(1.0), lexical=words)
    assert unsupported(spared) == unsupported(read)
    assert calibration_of([spared]) is calibration_of([read])
    assert by_rules(CLAIM, spared, DEFAULT_RULES).rationale.startswith("supported: ")


def test_other_models_keep_the_rule_table_and_its_weights():
    other = signal(scores(0.6), lexical=NOTHING, doubt=0.1, judged_by="some/cross-encoder")
    assert weights_of(other) is not EMBEDDED_WEIGHTS
    table = decide_claim(CLAIM, other, DEFAULT_RULES)
    assert by_rules(CLAIM, other, DEFAULT_RULES) == table
    assert weights_of(by_embedded()) is EMBEDDED_WEIGHTS
