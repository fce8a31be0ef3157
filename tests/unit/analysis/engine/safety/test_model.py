"""The refusal's words: the policy's scope, else what was searched, else a plain default."""

from dataclasses import replace

import pytest

from analysis.engine import Action, PolicyRules, Source, Submission, decide, measure
from analysis.engine.safety.model import REFUSAL, SearchedScope, fault_in, refusal

MATHS = SearchedScope("the class 10 Mathematics material")
ANSWER = "SSN College closed in 2010."
SOURCES = (Source("s1", "SSN College closed in 2026."),)


def final(rules, scope):
    measurement = replace(measure(Submission(ANSWER, "", SOURCES)), scope=scope)
    decision = decide(ANSWER, measurement, rules)
    assert decision.action is Action.BLOCK
    return decision.final_response


@pytest.mark.parametrize(
    ("own", "searched", "expected"),
    [
        ("", None, "I don't know based on the available sources."),
        ("", SearchedScope(), "I don't know based on the available sources."),
        ("", MATHS, "I don't know based on the class 10 Mathematics material."),
        ("NCERT textbooks", MATHS, "I don't know based on NCERT textbooks."),
        ("{scope} {0}", None, "I don't know based on {scope} {0}."),
    ],
)
def test_the_scope_is_the_policys_else_the_collections_else_a_default(own, searched, expected):
    assert refusal(REFUSAL, own, searched) == expected


def test_a_blocked_answer_is_replaced_by_the_applications_refusal():
    assert final(PolicyRules(), MATHS) == (
        "I don't know based on the class 10 Mathematics material."
    )
    own = PolicyRules(
        refusal_text="Ask a person; {scope} {{v2}} is silent.", refusal_scope="The wiki"
    )
    assert final(own, MATHS) == "Ask a person; The wiki {v2} is silent."
    plain = PolicyRules(refusal_text="No answer.")
    assert final(plain, None) == "No answer."


@pytest.mark.parametrize("template", [REFUSAL, "No.", "{{scope}} is {scope}"])
def test_a_good_template_has_no_fault(template):
    assert fault_in(template) == ""
