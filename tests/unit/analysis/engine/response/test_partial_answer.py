"""Of a blocked answer the supported sentences stay, cited and whole; what is missing is said."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.engine import (
    Action,
    ClaimStatus,
    PolicyRules,
    SignalStatus,
    Source,
    Submission,
    decide,
    measure,
    verify,
)
from analysis.engine.safety.checks import SearchedScope
from analysis.engine.types import SignalState

SOURCES = (
    Source("s1", "The old mill stands in Lyon. The old mill was built in 1840 of grey stone."),
    Source("s2", "The inn is blue. The inn opened in 1901. The mill has a wheel of oak."),
)
ON = PolicyRules.from_json(
    {"partial_answers": True, "verdicts": {"contradictory": "BLOCK", "low_confidence": "BLOCK"}}
)
MILL, WRONG = "The old mill stands in Lyon.", "The old mill was built in 1950 of grey stone."
INN = "The inn opened in 1901."


def decided(answer, rules=ON, query="", **changed):
    measured = replace(measure(Submission(answer, query, SOURCES)), **changed)
    return decide(answer, measured, rules)


def body(decision):
    assert decision.action is Action.BLOCK
    text, gap, note = decision.final_response.rpartition("\n\n")
    assert gap
    assert note == decision.partial_answer.note
    return text


def test_the_supported_sentences_stay_cited_and_the_rest_is_said():
    decision = decided(f"{MILL} {WRONG} Elephants eat bananas happily. {INN}")
    assert body(decision) == f"{MILL} [1] {INN} [2]"
    part = decision.partial_answer
    assert part.note == (
        "This is only the part of the answer that rests on the available sources. Left out: "
        "1 contradicted by the sources, 1 about which nothing was found."
    )
    assert [(one.reason, one.statements) for one in part.left_out] == [
        ("contradicted", 1), ("nothing_found", 1),
    ]  # fmt: skip
    assert [one.text for one in part.sentences] == [MILL, INN]
    assert [one.citations for one in part.sentences] == [(1,), (2,)]
    assert [one.claim_ids for one in part.sentences] == [("c_0001",), ("c_0004",)]
    by_id = {claim.claim_id: claim.confidence.overall_confidence for claim in decision.claims}
    assert [one.confidence for one in part.sentences] == [by_id["c_0001"], by_id["c_0004"]]
    assert decision.mitigation_actions == ("partial_answer", "added_citations")
    assert set(decision.final_spans) == {"c_0001", "c_0004"}


def test_off_by_default():
    decision = decided(f"{MILL} {WRONG}", PolicyRules())
    assert decision.final_response == "I don't know based on the available sources."
    assert decision.partial_answer is None


def test_where_nothing_is_supported_it_stays_a_refusal():
    decision = decided(WRONG)
    assert decision.final_response == "I don't know based on the available sources."
    assert decision.partial_answer is None


def test_an_answer_that_is_not_blocked_is_not_cut():
    decision = decided(f"{MILL} {INN}")
    assert decision.action is Action.ALLOW
    assert decision.partial_answer is None


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        (f"{MILL} {WRONG} However, the inn is blue.", f"{MILL} [1] The inn is blue. [2]"),
        (f"However, the inn is blue. {WRONG}", "However, the inn is blue. [1]"),
        ("The inn is blue and closed in 1702.", "The inn is blue [1]."),
        (f"Sure! Here it is. {MILL} {WRONG} I hope this helps!", f"{MILL} [1]"),
        (
            f"Known facts:\n\n- {MILL}\n- {WRONG}\n- {INN}",
            f"Known facts:\n\n- {MILL} [1]\n- {INN} [2]",
        ),
        (f"## Mill\n\n{MILL}\n\n## Fire\n\n{WRONG}", f"## Mill\n\n{MILL} [1]"),
        (f"{MILL} [2] {WRONG}", f"{MILL} [2]"),
    ],
)
def test_the_grammar_stays_whole(answer, left):
    assert body(decided(answer)) == left


def test_what_says_it_of_a_lost_sentence_goes_with_it():
    answer = f"{MILL} The castle was built in 1702 by Anna. It is blue."
    decision = decided(answer)
    statuses = [claim.status for claim in decision.claims]
    assert statuses[1:] == [ClaimStatus.LOW_CONFIDENCE, ClaimStatus.SUPPORTED]
    assert body(decision) == f"{MILL} [1]"
    assert [one.reason for one in decision.partial_answer.left_out][-1] == "dependent"


def test_a_search_that_was_refused_gives_no_part():
    answer = f"{MILL} {WRONG}"
    inside = SearchedScope("the class 10 History material")
    outside = SearchedScope("the class 10 History material", "the class 10 History material")
    state = {"retrieval": SignalState(SignalStatus.OK, "", "m", 1.0)}
    measured = measure(Submission(answer, "Where is the old mill?", SOURCES))
    searched = measured.states | state
    long = PolicyRules.from_json(
        {"partial_answers": True, "safety": {"thresholds": {
            "min_total_context_length": 10, "require_citations": False}}}
    )  # fmt: skip
    shown = decided(answer, long, "Where is the old mill?", states=searched, scope=inside)
    assert body(shown) == f"{MILL} [1]"
    assert "rests on the class 10 History material." in shown.partial_answer.note
    refused = decided(answer, long, "Where is the old mill?", states=searched, scope=outside)
    assert refused.partial_answer is None
    assert refused.final_response == "I don't know based on the class 10 History material."


def test_what_could_not_be_checked_gives_no_part():
    rules = PolicyRules.from_json({"partial_answers": True, "not_checked": {"error": "BLOCK"}})
    states = measure(Submission(MILL, "", SOURCES)).states
    failed = states | {"overconfidence": SignalState(SignalStatus.ERROR, "x", "rules-1", 0.0)}
    assert decided(f"{MILL} {WRONG}", rules, states=failed).partial_answer is None


def test_sentences_that_contradict_one_another_are_not_vouched_for():
    answer = "The store is open. The store is closed. The inn is blue."
    measured = measure(Submission(answer, "", (Source("s", answer),)))
    assert measured.contradictions
    rules = PolicyRules.from_json({"partial_answers": True, "warn_at": 30, "block_at": 40})
    decision = decide(answer, measured, rules)
    assert body(decision).startswith("The inn is blue.")
    assert decision.partial_answer.left_out[0].reason == "inconsistent"


SENTENCES = st.lists(
    st.sampled_from(
        [MILL, INN, WRONG, "Sure!", "Elephants eat bananas happily.", "It is blue.",
         "However, the inn is blue.", "The inn is blue and closed in 1702.", "\n\n- ",
         "\n\n## Inn\n\n"]
    ),
    min_size=1,
    max_size=8,
).map(" ".join)  # fmt: skip


@given(SENTENCES)
def test_only_supported_claims_are_ever_shown(answer):
    decision = decided(answer)
    part = decision.partial_answer
    if part is None:
        return
    supported = {c.claim_id for c in decision.claims if c.status is ClaimStatus.SUPPORTED}
    shown = {claim_id for one in part.sentences for claim_id in one.claim_ids}
    assert shown == set(decision.final_spans) <= supported
    assert sum(one.statements for one in part.left_out) == len(decision.claims) - len(shown)
    for one in part.sentences:
        assert decision.final_response[slice(*one.final_char_span)] == one.text
        assert "1950" not in one.text
        assert "1702" not in one.text
    assert decision.final_response.endswith(part.note)


def test_a_new_application_shows_the_supported_part_of_a_blocked_answer():
    answer = "The mill closed in 2010. The inn opened in 1980."
    sources = (Source("a", "The mill closed in 2010. The inn opened in 1990."),)
    _, decision = verify(Submission(answer, "", sources))
    assert decision.action is Action.BLOCK
    assert decision.final_response.startswith("The mill closed in 2010. [1]\n\nThis is only")
    assert "1980" not in decision.final_response
    _, refused = verify(Submission("The inn opened in 1980.", "", sources))
    assert refused.final_response == "I don't know based on the available sources."


def test_an_answer_that_only_fails_its_citations_is_no_part_of_itself():
    rules = PolicyRules.from_json({"partial_answers": True, "safety": {"citations": "BLOCK"}})
    decision = decided(f"{MILL} [9]", rules)
    assert decision.action is Action.BLOCK
    assert [claim.status for claim in decision.claims] == [ClaimStatus.SUPPORTED]
    assert decision.partial_answer is None
    assert decision.final_response == "I don't know based on the available sources."
