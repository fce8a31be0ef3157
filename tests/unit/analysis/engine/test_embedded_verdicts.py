"""Claims that the model which comes along has read: words and model decide together."""

import pytest

from analysis.engine import DEFAULT_RULES
from analysis.engine.aggregation import by_rules
from analysis.engine.fusion import EMBEDDED_NAME, EMBEDDED_WEIGHTS, unsupported, weights_of
from analysis.engine.types import Band, ClaimStatus, VerifierSignal
from analysis.engine.verdict import decide_claim
from tests.unit.analysis.engine.test_verdict import (
    CLAIM,
    CONFLICT,
    FULL,
    NONE,
    NOTHING,
    scores,
    signal,
)


def by_embedded(nli=NOTHING, coverage=FULL, **rest) -> VerifierSignal:
    return signal(nli, coverage, judged_by=EMBEDDED_NAME, doubt=1 - nli.entail, **rest)


@pytest.mark.parametrize(
    ("name", "status", "found"),
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
            by_embedded(scores(0.1, 0.8), NONE, lexical=NOTHING),
        ),
        (
            "fused_unsupported",
            ClaimStatus.LOW_CONFIDENCE,
            by_embedded(scores(0.1, 0.3), NONE, lexical=NOTHING),
        ),
        ("fused_supported", ClaimStatus.SUPPORTED, by_embedded(scores(0.9), lexical=scores(0.7))),
    ],
)
def test_each_rule_fires_where_it_should(name, status, found):
    decision = by_rules(CLAIM, found, DEFAULT_RULES)
    assert decision.rationale.startswith(f"{name}: ")
    assert decision.status is status


def test_what_is_stated_otherwise_is_told_in_words():
    found = by_embedded(scores(0.3, 0.1), lexical=scores(0, 0.9), conflicts=(CONFLICT,))
    told = by_rules(CLAIM, found, DEFAULT_RULES).rationale
    assert "“2010” against “2012”" in told
    assert "chance of being unsupported" in told


def test_a_model_that_surely_sees_support_is_heard_against_words():
    found = by_embedded(scores(0.99), lexical=scores(0.4, 0.6))
    assert unsupported(found) < 0.3
    assert by_rules(CLAIM, found, DEFAULT_RULES).status is ClaimStatus.SUPPORTED


def test_no_contradiction_is_surer_than_that_the_claim_is_unsupported():
    found = by_embedded(scores(0.3, 0.1), lexical=scores(0, 0.95), conflicts=(CONFLICT,))
    block = by_rules(CLAIM, found, DEFAULT_RULES).confidence
    assert block.contradict_prob == pytest.approx(min(0.95, unsupported(found)), abs=1e-4)
    assert block.band in (Band.MEDIUM, Band.HIGH)


def test_other_models_keep_the_rule_table_and_its_weights():
    other = signal(scores(0.6), lexical=NOTHING, doubt=0.1, judged_by="some/cross-encoder")
    assert weights_of(other) is not EMBEDDED_WEIGHTS
    table = decide_claim(CLAIM, other, DEFAULT_RULES)
    assert by_rules(CLAIM, other, DEFAULT_RULES) == table
    assert weights_of(by_embedded()) is EMBEDDED_WEIGHTS
