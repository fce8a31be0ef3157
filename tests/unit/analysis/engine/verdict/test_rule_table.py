"""The rule table: each rule fires where it should, the first one wins, and the page tells it."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.engine import DEFAULT_RULES, decide, measure
from analysis.engine.signal_types import (
    Conflict,
    Consistency,
    Coverage,
    NliScores,
    Uncertainty,
    VerifierSignal,
)
from analysis.engine.types import (
    Band,
    Claim,
    ClaimStatus,
    ConflictKind,
    Source,
    Submission,
)
from analysis.engine.verdict.judge_scores import RULES as JUDGE_RULES
from analysis.engine.verdict.rule_table import NOTHING_TO_GO_BY, RULES, decide_claim

PAGE = Path("docs/concepts/verdicts.md")
CLAIM = Claim("c_0001", "The mill closed in 2010", 5, 28, "", "clause_v1")
CONFLICT = Conflict(ConflictKind.NUMBER, "“2010” against “2012”")
FULL, HALF, NONE = Coverage(1, 1, 1.0), Coverage(1, 0.5, 0.6), Coverage(None, None, 0.1)
NOTHING = NliScores(0, 0, 1)


def scores(entail, contradict=0.0):
    return NliScores(entail, contradict, round(1 - entail - contradict, 4))


def signal(nli=NOTHING, coverage=FULL, **rest):
    verifier_signal = VerifierSignal(
        signal_id="sig_c_0001_3", claim_id="c_0001", doc_id="d", sent_id=3, nli=nli,
        coverage=coverage, uncertainty=None, consistency=None, citation_span_match=None,
        numeric_check=None, supported_by="d#3", contradicted_by="d#4", conflicts=(),
        overconfidence=(), contradictions=(), checkable=True, checked=True, lexical=nli,
    )  # fmt: skip
    return replace(verifier_signal, **rest)


def decided(claim_signal, rules=DEFAULT_RULES):
    return decide_claim(CLAIM, claim_signal, rules)


CASES = [
    ("not_checked", signal(None, None, checked=False)),
    ("not_checked", signal(None, None, checked=False, checkable=False)),
    ("not_checkable", signal(checkable=False)),
    ("conflicting_sources", signal(scores(0.9), disputed=True)),
    ("contradicted", signal(scores(0.2, 0.7))),
    ("unsteady", signal(scores(0.6), consistency=Consistency(disagreement=0.8))),
    ("unsteady", signal(scores(0.6), uncertainty=Uncertainty(2.5))),
    ("supported", signal(scores(0.9), consistency=Consistency(disagreement=0.8))),
    ("supported", signal(scores(0.6), uncertainty=Uncertainty(1.9))),
    ("supported", signal(scores(0.6), Coverage(None, None, 0.6))),
    ("nothing_found", signal(NOTHING, NONE)),
    ("nothing_found", signal(NOTHING, None)),
    ("not_supported", signal(scores(0.9), HALF)),
    ("not_supported", signal(scores(0.4, 0.3))),
]


@pytest.mark.parametrize(("name", "claim_signal"), CASES)
def test_the_first_rule_that_holds_names_the_decision(name, claim_signal):
    decision = decided(claim_signal)
    assert decision.rationale.startswith(f"{name}: ")
    assert decision.signals_ref == ("sig_c_0001_3",)


def test_every_rule_has_a_case():
    assert {name for name, _ in CASES} == {rule.name for rule in RULES}


def test_the_page_tells_the_rules_in_their_order():
    rows = re.findall(r"^\| `(\w+)` \|.*\| (.+) \|$", PAGE.read_text(), re.MULTILINE)
    own = len(NOTHING_TO_GO_BY)
    table = [*RULES, *JUDGE_RULES[own:]]
    statuses = [
        f"{rule.status}, `{rule.reason}`" if rule.reason else str(rule.status) for rule in table
    ]
    assert rows == list(zip([rule.name for rule in table], statuses, strict=True))


def test_the_thresholds_on_the_page_are_the_default_ones():
    matches = re.findall(r"`(\w+_at|band_\w+)` \(([\d.]+)", PAGE.read_text())
    rules = DEFAULT_RULES.to_json()
    for name, value in matches:
        assert rules[name] == float(value), name
    assert len(matches) >= 8


def test_a_conflict_in_words_is_told():
    claim_signal = decided(signal(scores(0.2, 0.7), conflicts=(CONFLICT,)))
    assert claim_signal.rationale == "contradicted: number: “2010” against “2012”"
    assert (claim_signal.primary_evidence, claim_signal.confidence.band) == ("d#4", Band.HIGH)


def test_the_confidence_of_the_seeds_example():
    claim_signal = signal(
        NliScores(0.81, 0.03, 0.16),
        Coverage(1.0, 1.0, 0.74),
        uncertainty=Uncertainty(1.12),
        consistency=Consistency(None),
    )
    decision = decided(claim_signal)
    assert decision.status is ClaimStatus.SUPPORTED
    assert decision.primary_evidence == "d#3"
    block = decision.confidence
    assert (block.support_prob, block.contradict_prob, block.band) == (0.81, 0.03, Band.HIGH)
    assert round(block.overall_confidence, 2) == 0.74


def test_without_scores_there_is_no_confidence():
    block = decided(signal(None, None, checked=False)).confidence
    assert (block.support_prob, block.contradict_prob, block.overall_confidence) == (None,) * 3
    assert block.band is Band.LOW


SHARES = st.floats(0, 1, allow_nan=False)
MAYBE = st.none() | SHARES


@given(SHARES, SHARES, MAYBE, st.none() | st.floats(0, 20))
def test_any_signals_have_a_decision_within_bounds(entail, contradict, vary, entropy):
    claim_signal = signal(
        NliScores(entail, contradict, 0),
        consistency=Consistency(disagreement=vary),
        uncertainty=Uncertainty(entropy),
    )
    block = decided(claim_signal).confidence
    assert 0 <= block.overall_confidence <= block.support_prob + 1e-4


def test_the_rationale_names_what_differs_and_not_that_nothing_else_does() -> None:
    source = Source("s1", "Workers on a scaffold need fall protection at 10 feet.")
    answer = "Workers on a scaffold need fall protection at 20 feet."
    decision = decide(answer, measure(Submission(answer, "", (source,))))
    assert decision.claims[0].rationale == "contradicted: number: the source says “10 feet”"
