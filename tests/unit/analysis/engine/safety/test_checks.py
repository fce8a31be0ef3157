"""Safety API: its examples, every reason, and their order."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.engine import (
    RejectionReason,
    SafetyMechanism,
    SafetyThresholds,
    check_safety,
    get_safe_answer,
)
from analysis.engine.safety.checks import check
from analysis.engine.safety.model import (
    MOST_SPECIFIC_FIRST,
    AnswerFacts,
    SafetyFacts,
    ScoredPassage,
)

AP = (
    "An arithmetic progression (AP) is a sequence of numbers in which each term is got by adding "
    "a fixed number to the one before. The fixed number is called the common difference."
)
QUERY = "What is an arithmetic progression?"
CITED = "An AP is a sequence of numbers [1]. The fixed number is called the common difference [1]."
GOOD = [{"text": AP, "confidence": 0.9, "class": 10, "subject": "Mathematics"}]
FOOD = {"text": "Plants store food as starch, and food gives the body energy. " * 3}
PARTICLES = {"text": "Matter is made of very small particles with space between them. " * 3}
LIMITS = SafetyThresholds()


def test_mars_has_insufficient_context():
    report = check_safety("What is the capital of Mars?", [])
    assert report.should_reject
    assert report.rejection_reason is RejectionReason.INSUFFICIENT_CONTEXT
    assert report.failed_checks == ("retrieval_confidence", "context_sufficiency")


def test_cookies_are_off_topic():
    report = check_safety(
        "How do I make chocolate chip cookies?", [FOOD | {"similarity_score": 0.25}]
    )
    assert report.rejection_reason is RejectionReason.OFF_TOPIC
    assert RejectionReason.LOW_CONFIDENCE in report.reasons


def test_quantum_entanglement_has_low_confidence():
    report = check_safety("Explain quantum entanglement", [PARTICLES | {"confidence": 0.35}])
    assert report.rejection_reason is RejectionReason.LOW_CONFIDENCE


def test_a_sentence_without_a_citation_is_missing_one():
    report = check_safety(QUERY, GOOD, "An AP is a sequence of numbers [1]. It has a difference.")
    assert RejectionReason.MISSING_CITATIONS in report.reasons
    assert report.diagnostic_info["citations"] == {
        "passed": False,
        "value": 0.5,
        "threshold": 0.8,
        "details": "1 of 2 sentences cited; at least 80% required",
    }


def test_an_answer_that_rests_on_its_source_is_accepted():
    report = check_safety(QUERY, GOOD, CITED, class_number=10, subject="mathematics")
    assert not report.should_reject
    assert report.rejection_reason is None
    assert report.failed_checks == ()
    assert len(report.passed_checks) == 5
    assert report.confidence_score == 0.9
    assert get_safe_answer(QUERY, GOOD, CITED, 10, "Mathematics") == CITED


def test_a_rejected_answer_becomes_the_refusal():
    assert get_safe_answer(QUERY, [], CITED) == "I don't know based on the available sources."
    answer = get_safe_answer(QUERY, [], CITED, scope="NCERT textbooks")
    assert answer == "I don't know based on NCERT textbooks."
    answer = get_safe_answer(QUERY, [], CITED, class_number=10, subject="Mathematics")
    assert answer == "I don't know based on the class 10 Mathematics material."


def test_stricter_thresholds_reject_more():
    strict = SafetyThresholds(min_retrieval_confidence=0.95, min_chunks_required=3)
    report = SafetyMechanism(strict).should_reject_query(QUERY, GOOD)
    assert report.failed_checks == ("retrieval_confidence", "context_sufficiency")


def test_another_class_is_off_topic():
    report = check_safety(QUERY, GOOD, CITED, class_number=9)
    assert report.rejection_reason is RejectionReason.OFF_TOPIC
    assert "class 9" in report.explanation


def test_without_scores_the_relevance_is_measured_and_said():
    report = check_safety(QUERY, [AP], CITED)
    assert not report.should_reject
    details = report.diagnostic_info["retrieval_confidence"]["details"]
    assert "the share of the question's words found in the sources" in details
    other = check_safety("How long do elephants live?", [AP])
    assert other.rejection_reason is RejectionReason.OFF_TOPIC


def answer(**changes):
    defaults = {
        "sentences": 2, "cited": 2, "invalid": (), "has_citations": True, "claims": 2,
        "supported": 2, "contradicted": 0, "fabricated": 0,
    }  # fmt: skip
    return AnswerFacts(**defaults | changes)


def facts(score=0.9, rerank=None, length=500, **changes):
    return SafetyFacts((ScoredPassage(score, score, rerank, length),), answered=answer(**changes))


REASONS = [
    (SafetyFacts(()), RejectionReason.INSUFFICIENT_CONTEXT),
    (facts(length=99, supported=0), RejectionReason.MULTIPLE_ISSUES),
    (facts(0.29), RejectionReason.OFF_TOPIC),
    (facts(0.59), RejectionReason.LOW_CONFIDENCE),
    (facts(0.9, rerank=0.4), RejectionReason.LOW_CONFIDENCE),
    (facts(invalid=(7,)), RejectionReason.INVALID_CITATIONS),
    (facts(cited=1), RejectionReason.MISSING_CITATIONS),
    (facts(claims=10, supported=9, contradicted=1), RejectionReason.HALLUCINATION_DETECTED),
    (facts(claims=10, supported=9, fabricated=1), RejectionReason.HALLUCINATION_DETECTED),
    (facts(claims=10, supported=6), RejectionReason.LOW_GROUNDING),
    (facts(0.5, cited=0), RejectionReason.MULTIPLE_ISSUES),
    (facts(cited=0, supported=0), RejectionReason.MULTIPLE_ISSUES),
]


def test_a_supported_answer_is_not_refused_for_its_neighbours():
    weak, near = ScoredPassage(0.1, 0.1, None, 40), ScoredPassage(0.7, 0.7, None, 40)
    found = SafetyFacts((weak, near, weak, weak), answered=answer(support=0.9, answering=0.9))
    report = check(found, LIMITS)
    assert not report.should_reject
    assert report.diagnostic_info["retrieval_confidence"]["value"] == 0.7
    assert check(SafetyFacts((weak, near)), LIMITS).reasons == (
        RejectionReason.INSUFFICIENT_CONTEXT,
    )


@pytest.mark.parametrize(
    ("support", "answering", "rejected"),
    [(0.9, 0.9, False), (0.9, 0.3, False), (0.9, 0.29, True), (0.51, 0.9, False), (0.0, 0.9, True)],
)
@pytest.mark.parametrize("unrelated", [True, False])
def test_a_claim_on_the_topic_of_the_question_tells_that_the_right_thing_was_found(
    support, answering, rejected, unrelated
):
    passage = ScoredPassage(0.2, 0.2, None, 40)
    facts = answer(support=support, answering=answering)
    found = SafetyFacts((passage,), answered=facts, unrelated=unrelated)
    assert check(found, LIMITS).should_reject is rejected


@pytest.mark.parametrize(("best", "rejected"), [(0.3, False), (0.29, True)])
def test_passages_on_the_topic_let_a_claim_count_whatever_words_the_answer_takes(best, rejected):
    passage = ScoredPassage(best, best, None, 40)
    found = SafetyFacts((passage,), answered=answer(support=0.51, answering=0.1))
    assert check(found, LIMITS).should_reject is rejected
    assert check(SafetyFacts((passage,), answered=answer(answering=0.1)), LIMITS).should_reject


@pytest.mark.parametrize(("given_facts", "reason"), REASONS)
def test_every_reason_can_be_reached(given_facts, reason):
    found = check(given_facts, LIMITS).rejection_reason
    assert found is reason, "Does its check add it, and does MOST_SPECIFIC_FIRST list it?"


def test_there_is_a_case_for_every_reason():
    assert {reason for _, reason in REASONS} == set(RejectionReason), "Add a case to REASONS"


def test_the_documentation_has_a_row_for_every_reason():
    rows = [row for row in Path("docs/concepts/safety.md").read_text().splitlines() if "|" in row]
    single = set(RejectionReason) - {RejectionReason.MULTIPLE_ISSUES}
    assert [reason for reason in single if not any(f"`{reason}`" in row for row in rows)] == []


@pytest.mark.parametrize(
    ("given_facts", "passes"),
    [(facts(0.6), True), (facts(length=100), True), (facts(claims=10, supported=7), True)],
)
def test_a_threshold_that_is_reached_passes(given_facts, passes):
    assert check(given_facts, LIMITS).should_reject is not passes


def test_checks_that_do_not_apply_are_said_and_neither_pass_nor_fail():
    report = check(SafetyFacts(None), LIMITS)
    assert (report.should_reject, report.passed_checks, report.failed_checks) == (False, (), ())
    assert all(outcome["passed"] is None for outcome in report.diagnostic_info.values())
    assert report.explanation.startswith("No safety check applies")


def test_citations_are_not_asked_of_an_answer_without_any_unless_required():
    free = SafetyThresholds(require_citations=False)
    assert not check(facts(cited=0, has_citations=False), free).should_reject
    assert check(facts(invalid=(9,)), free).rejection_reason is RejectionReason.INVALID_CITATIONS


@pytest.mark.parametrize("chunks", [[3], [{"title": "no text"}], [{"text": "x", "score": "high"}]])
def test_chunks_of_a_wrong_type_are_refused(chunks):
    with pytest.raises(TypeError):
        check_safety(QUERY, chunks)


share = st.floats(0, 1)
some_facts = st.builds(
    SafetyFacts,
    st.none() | st.lists(st.builds(ScoredPassage, share, share, st.none() | share,
                                   st.integers(0, 900))).map(tuple),
    answered=st.none() | st.builds(
        answer, cited=st.integers(0, 2), supported=st.integers(0, 2),
        contradicted=st.integers(0, 1), invalid=st.sampled_from([(), (3,)]),
    ),
)  # fmt: skip


@given(some_facts)
def test_it_is_rejected_exactly_where_a_check_fails_and_then_for_a_reason(given_facts):
    report = check(given_facts, LIMITS)
    assert report.should_reject == bool(report.failed_checks) == bool(report.reasons)
    assert (report.rejection_reason is None) is not report.should_reject
    assert not set(report.passed_checks) & set(report.failed_checks)
    assert list(report.reasons) == [item for item in MOST_SPECIFIC_FIRST if item in report.reasons]
    assert 0 <= report.confidence_score <= 1
