"""Partial answers: the supported sentences of a blocked answer stay, cited and whole."""

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
from analysis.engine.safety.model import SearchedScope
from analysis.engine.signal_types import SignalState

SOURCES = (
    Source("s1", "The old mill stands in Lyon. The old mill was built in 1840 of grey stone."),
    Source("s2", "The inn is blue. The inn opened in 1901. The mill has a wheel of oak."),
)
ON = PolicyRules.from_json(
    {"partial_answers": True, "verdicts": {"contradictory": "BLOCK", "low_confidence": "BLOCK"}}
)
MILL, WRONG = "The old mill stands in Lyon.", "The old mill was built in 1950 of grey stone."
INN = "The inn opened in 1901."


def decided(answer, rules=ON, query="", **changes):
    measurement = replace(measure(Submission(answer, query, SOURCES)), **changes)
    return decide(answer, measurement, rules)


def body(decision):
    assert decision.action is Action.BLOCK
    text, gap, note = decision.final_response.rpartition("\n\n")
    assert gap
    assert note == decision.partial_answer.note
    return text.partition("\n\nThe sources say: ")[0]


def test_the_supported_sentences_stay_cited_and_the_rest_is_said():
    decision = decided(f"{MILL} {WRONG} Elephants eat bananas happily. {INN}")
    assert body(decision) == f"{MILL} [1] {INN} [2]"
    part = decision.partial_answer
    assert part.note == (
        "This is only the part of the answer that rests on the available sources. Left out: "
        "1 contradicted by the sources, 1 not covered by the sources."
    )
    assert [(item.reason, item.statements) for item in part.left_out] == [
        ("contradicted", 1), ("nothing_found", 1),
    ]  # fmt: skip
    assert [sentence.text for sentence in part.sentences] == [MILL, INN]
    assert [sentence.citations for sentence in part.sentences] == [(1,), (2,)]
    assert [sentence.claim_ids for sentence in part.sentences] == [("c_0001",), ("c_0004",)]
    by_id = {claim.claim_id: claim.confidence.overall_confidence for claim in decision.claims}
    assert [sentence.confidence for sentence in part.sentences] == [
        by_id["c_0001"],
        by_id["c_0004"],
    ]
    assert decision.mitigation_actions == (
        "partial_answer", "added_citations", "added_corrections",
    )  # fmt: skip
    assert set(decision.final_spans) == {"c_0001", "c_0004"}


FAILS_CITATIONS = PolicyRules.from_json({"partial_answers": True, "safety": {"citations": "BLOCK"}})


@pytest.mark.parametrize(
    ("answer", "rules"),
    [
        (f"{MILL} {WRONG}", PolicyRules()),
        ("Elephants eat bananas happily.", ON),
        (f"{MILL} [9]", FAILS_CITATIONS),
    ],
    ids=["off by default", "nothing is supported", "all that fails is a citation"],
)
def test_it_stays_a_refusal(answer, rules):
    decision = decided(answer, rules)
    assert decision.action is Action.BLOCK
    assert decision.final_response == "I don't know based on the available sources."
    assert decision.partial_answer is None


def test_an_answer_that_is_not_blocked_is_not_cut():
    decision = decided(f"{MILL} {INN}")
    assert decision.action is Action.ALLOW
    assert decision.partial_answer is None


@pytest.mark.parametrize(
    ("answer", "remaining"),
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
def test_the_grammar_stays_whole(answer, remaining):
    assert body(decided(answer)) == remaining


def test_what_says_it_of_a_lost_sentence_goes_with_it():
    answer = f"{MILL} The castle was built in 1702 by Anna. It is blue."
    decision = decided(answer)
    statuses = [claim.status for claim in decision.claims]
    assert statuses[1:] == [ClaimStatus.LOW_CONFIDENCE, ClaimStatus.SUPPORTED]
    assert body(decision) == f"{MILL} [1]"
    assert [item.reason for item in decision.partial_answer.left_out][-1] == "dependent"


def test_a_search_that_was_refused_gives_no_part():
    answer = f"{MILL} {WRONG}"
    inside = SearchedScope("the class 10 History material")
    outside = SearchedScope("the class 10 History material", "the class 10 History material")
    state = {"retrieval": SignalState(SignalStatus.OK, "", "m", 1.0)}
    measurement = measure(Submission(answer, "Where is the old mill?", SOURCES))
    searched = measurement.states | state
    long = PolicyRules.from_json(
        {"partial_answers": True, "safety": {"thresholds": {
            "min_total_context_length": 10, "require_citations": False}}}
    )  # fmt: skip
    decision = decided(answer, long, "Where is the old mill?", states=searched, scope=inside)
    assert body(decision) == f"{MILL} [1]"
    assert "rests on the class 10 History material." in decision.partial_answer.note
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
    measurement = measure(Submission(answer, "", (Source("s", answer),)))
    assert measurement.contradictions
    rules = PolicyRules.from_json({"partial_answers": True, "warn_at": 30, "block_at": 40})
    decision = decide(answer, measurement, rules)
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
    visible_ids = {claim_id for sentence in part.sentences for claim_id in sentence.claim_ids}
    assert visible_ids == set(decision.final_spans) <= supported
    assert sum(item.statements for item in part.left_out) == len(decision.claims) - len(visible_ids)
    for part_sentence in part.sentences:
        assert decision.final_response[slice(*part_sentence.final_char_span)] == part_sentence.text
        assert "1950" not in part_sentence.text
        assert "1702" not in part_sentence.text
    assert decision.final_response.endswith(part.note)


def test_a_new_application_shows_the_supported_part_of_a_blocked_answer():
    answer = "The mill closed in 2010. The inn opened in 1980."
    sources = (Source("a", "The mill closed in 2010. The inn opened in 1990."),)
    _, decision = verify(Submission(answer, "", sources))
    assert decision.action is Action.BLOCK
    part, correction, note = decision.final_response.split("\n\n")
    assert part == "The mill closed in 2010. [1]"
    assert correction == "The sources say: “The inn opened in 1990.” [2]"
    assert note.startswith("This is only")
    assert "1980" not in decision.final_response
    _, refused = verify(Submission("The inn was painted by monks.", "", sources))
    assert refused.final_response == "I don't know based on the available sources."
