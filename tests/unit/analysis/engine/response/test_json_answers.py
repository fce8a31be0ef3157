"""JSON in an answer is shown as it stands, or the answer is refused: nothing is changed in it."""

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.engine import PolicyRules, Source, Submission, verify
from analysis.engine.response.mitigation import REFUSED
from analysis.engine.verdict_types import Decision

SOURCE = "The store opens at 9. Delivery takes 5 days. The manager is Ada Berg."
WORDS = st.sampled_from(
    ["The store opens at 9.", "Delivery takes 8 days.", "The owner is Max [7].", "card", "Ada Berg"]
)
DOCUMENTS = st.recursive(
    WORDS | st.integers(0, 90) | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
).filter(lambda document: isinstance(document, dict | list) and '"' in json.dumps(document))
POLICIES = [
    PolicyRules.from_json({"mitigation": {"contradictory": bad, "low_confidence": low}, **rest})
    for bad, low in [("replace", "flag"), ("suppress", "suppress"), ("flag", "replace")]
    for rest in (
        {"partial_answers": True},
        {
            "verdicts": {
                "contradictory": "WARN",
                "contradictory_high_confidence": "WARN",
                "no_claim_supported": "WARN",
            }
        },
    )
]


def decided(answer: str, rules: PolicyRules, source: str | None = SOURCE) -> Decision:
    sources = None if source is None else (Source("s1", source, "Store"),)
    return verify(Submission(answer, "When does the store open?", sources), rules)[1]


def is_whole(answer: str, decision: Decision) -> bool:
    if decision.final_response == answer:
        return True
    return REFUSED in decision.mitigation_actions and "{" not in decision.final_response


@given(DOCUMENTS, st.sampled_from(POLICIES), st.sampled_from([SOURCE, None]), st.booleans())
@settings(max_examples=60, deadline=None)
def test_a_document_passes_whole_or_is_refused_whole(
    document: Any, rules: PolicyRules, source: str | None, indented: bool
) -> None:
    answer = json.dumps(document, indent=2 if indented else None)
    decision = decided(answer, rules, source)
    assert is_whole(answer, decision)
    assert decision.citations.formatted_text == answer


@pytest.mark.parametrize(
    "answer",
    [
        '{"opens": 9, "delivery": "8 days", "owner": "Max"}',
        '[{"opens": 9, "owner": "Max"}, {"opens": 8, "owner": "Ada"}]',
        '{"opens": 9, "owner": "The owner is Max", }',
        '{"opens": 9, "owner": "The owner is Ma',
        '```json\n{"opens": 9, "owner": "The owner is Max."}\n```',
        '{"opens": 9}\n{"owner": "The owner is Max."}\n',
    ],
    ids=["object", "array", "a comma too many", "cut off", "fenced", "lines"],
)
@pytest.mark.parametrize("rules", POLICIES)
def test_so_do_the_forms_in_which_models_write_it(answer: str, rules: PolicyRules) -> None:
    assert is_whole(answer, decided(answer, rules))


def test_thoughts_before_a_document_are_still_taken_out() -> None:
    answer = '{"opens": 9, "owner": "Max"}'
    assert decided(f"<think>Max?</think>\n{answer}", POLICIES[1]).final_response == answer


def test_among_words_the_words_are_marked_and_the_document_stays() -> None:
    document = '{"opens": 9, "owner": "Max"}'
    answer = f"The data:\n\n```json\n{document}\n```\n\nThe store has a red roof."
    decision = decided(answer, POLICIES[1])
    assert "red roof [Not confirmed]." in decision.final_response
    assert re.search(r"```json\n(.*)\n```", decision.final_response)[1] == document
