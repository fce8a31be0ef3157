"""The outcomes of a claim, each told in words of its own, wherever it is told."""

import pytest

from analysis.engine import (
    ClaimStatus,
    LowConfidenceReason,
    PolicyRules,
    Source,
    Submission,
    verify,
)
from analysis.engine.verdict.wording import (
    OF_ONE,
    OF_SOME,
    ClaimOutcome,
    count_outcomes,
    outcome,
    words,
)
from desk.verdict_page.words import reason_words

LOW = ClaimStatus.LOW_CONFIDENCE
SOURCES = (
    Source("s1", "The old mill stands in Lyon. It was built in 1840 of grey stone by John Smith."),
)
CASES = [
    (ClaimStatus.SUPPORTED, None, ClaimOutcome.SUPPORTED, "a source supports it"),
    (ClaimStatus.CONTRADICTORY, None, ClaimOutcome.CONTRADICTED, "a source contradicts it"),
    (LOW, "conflicting_sources", ClaimOutcome.CONFLICTING_SOURCES, "the sources disagree about it"),
    (LOW, "not_supported", ClaimOutcome.NOT_SUPPORTED, "no source supports it"),
    (LOW, "nothing_found", ClaimOutcome.NOTHING_FOUND, "nothing was found about it"),
    (LOW, "not_checkable", ClaimOutcome.NOT_CHECKABLE, "it states nothing that can be checked"),
    (LOW, "not_checked", ClaimOutcome.NOT_CHECKED, "it was not checked"),
    (LOW, "not_confirmed", ClaimOutcome.NOT_CONFIRMED, "the sources do not clearly support it"),
]


@pytest.mark.parametrize(("status", "reason", "expected", "text"), CASES)
def test_each_outcome_has_its_words(status, reason, expected, text):
    assert outcome(status, reason) is expected
    assert words(status, reason) == text


def test_all_outcomes_are_told_and_told_apart():
    assert {case[2] for case in CASES} == set(ClaimOutcome)
    for table in (OF_ONE, OF_SOME):
        assert set(table) == set(ClaimOutcome)
        assert len(set(table.values())) == len(ClaimOutcome)


@pytest.mark.parametrize("reason", LowConfidenceReason)
def test_the_confidence_view_uses_the_same_words(reason):
    assert reason_words(reason) == words(LOW, reason)


def test_unknown_ones_are_refused():
    with pytest.raises(ValueError, match="Perhaps"):
        outcome("Perhaps", None)
    with pytest.raises(ValueError, match="not a valid"):
        outcome(LOW, None)


def test_counts_go_most_severe_first():
    text = count_outcomes(
        [ClaimOutcome.NOT_CHECKED, ClaimOutcome.NOTHING_FOUND, ClaimOutcome.CONTRADICTED] * 2
    )
    assert text == ("2 contradicted by the sources, 2 not covered by the sources, 2 not checked")


def test_the_reasons_of_a_decision_tell_them_apart():
    answer = (
        "The old mill stands in Lyon. The old mill was sold to Anna Meyer for 300 euros. "
        "Elephants eat bananas happily."
    )
    _, decision = verify(Submission(answer, "", SOURCES))
    (text,) = [reason.text for reason in decision.reasons if reason.code == "low_confidence_claims"]
    assert text == ("Of 3 claims: 1 not supported by the sources, 1 not covered by the sources")
    _, decision = verify(Submission("Elephants eat bananas happily.", "", SOURCES))
    (text,) = [reason.text for reason in decision.reasons if reason.code == "no_claim_supported"]
    assert text == "The sources support none of the claims: 1 not covered by the sources"


def test_a_claim_that_needs_no_source_is_not_held_against_the_answer():
    answer = "The old mill stands in Lyon. You should do it."
    rules = PolicyRules.from_json({"verdicts": {"low_confidence": "WARN"}})
    _, decision = verify(Submission(answer, "", SOURCES), rules)
    reasons = [claim.reason for claim in decision.claims]
    assert reasons == [None, LowConfidenceReason.NOT_CHECKABLE]
    assert "low_confidence_claims" not in {reason.code for reason in decision.reasons}
