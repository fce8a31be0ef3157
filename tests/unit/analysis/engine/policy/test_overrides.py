"""Overrides for collections: partial rules over the policy's own, validated when it is made."""

from typing import Any

import pytest

from analysis.engine import DEFAULT_RULES, PolicyError, PolicyRules, Source, Submission, measure
from analysis.engine.decision import decide, judge
from analysis.engine.policy.overrides import candidates, to_measure

STRICT = {"verdicts": {"low_confidence": "BLOCK"}}
LAX = {
    "warn_at": 90,
    "block_at": 95,
    "safety": {"grounding": "ALLOW"},
    "verdicts": {"low_confidence": "ALLOW"},
}


def one(name: str, collections: Any, rules: Any) -> dict[str, Any]:
    return {"name": name, "collections": collections, "rules": rules}


def policy(*overrides: Any, **rules: Any) -> PolicyRules:
    return PolicyRules.from_json({**rules, "overrides": list(overrides)})


RULES = policy(
    one("physics", ["physics-11"], STRICT),
    one("arts", ["arts"], LAX),
    one("both", ["physics-11", "arts"], {"refusal_text": "No."}),
)


def test_it_is_written_and_read_again() -> None:
    assert PolicyRules.from_json(RULES.to_json()) == RULES
    assert "overrides" in DEFAULT_RULES.to_json()
    assert PolicyRules.from_json({}) == PolicyRules()


def test_what_an_override_leaves_out_is_the_policys_own() -> None:
    rules = policy(one("physics", ["physics-11"], STRICT), warn_at=20)
    overlaid_rules = rules.overrides[0].rules
    assert (overlaid_rules.warn_at, overlaid_rules.verdicts.low_confidence.value) == (20, "BLOCK")
    assert overlaid_rules.verdicts.contradictory is rules.verdicts.contradictory
    assert overlaid_rules.overrides == ()


@pytest.mark.parametrize(
    ("collections", "names"),
    [
        ([], [""]),
        (["history"], [""]),
        (["physics-11"], ["physics"]),
        (["arts", "physics-11"], ["both"]),
        (["arts", "history"], ["", "arts", "both"]),
        (["arts", "history", "physics-11"], ["", "physics", "arts", "both"]),
    ],
)
def test_exactly_those_collections_decide_alone(collections: list[str], names: list[str]) -> None:
    assert [name for name, _ in candidates(RULES, collections)] == names


def test_the_strictest_decides_where_none_is_exactly_for_them() -> None:
    answer = "The old mill stands in Lyon. Bananas grow in Kenya."
    measurement = measure(Submission(answer, "", (Source("a", "The old mill stands in Lyon."),)))
    rules = policy(one("physics", ["p"], STRICT), one("arts", ["a"], LAX))
    assert judge(measurement, rules).action.value == "WARN"
    for collections, name, action in (
        (["p"], "physics", "BLOCK"),
        (["a"], "arts", "ALLOW"),
        (["a", "x"], None, "WARN"),  # a lenient override loosens nothing beside others
        (["a", "p"], "physics", "BLOCK"),
        (["x"], None, "WARN"),
    ):
        decision = decide(answer, measurement, rules, collections)
        assert (decision.override, decision.action.value) == (name, action), collections


def test_as_many_samples_are_drawn_as_any_that_may_decide_asks_for() -> None:
    rules = policy(one("p", ["p"], {"draw_samples": 3}))
    assert to_measure(rules, ["p"]).draw_samples == 3
    assert to_measure(rules, ["p", "x"]).draw_samples == 3
    assert to_measure(rules, ["x"]) == rules


@pytest.mark.parametrize(
    ("overrides", "field", "message"),
    [
        ("x", "overrides", "must be a list"),
        ([1], "overrides[0]", "must be an object of name"),
        ([{"name": "a"}], "overrides[0]", "must be an object of name"),
        ([one("", ["a"], STRICT)], "overrides[0].name", "must be a name"),
        ([one("a", [], STRICT)], "overrides[0].collections", "must be a list of collection names"),
        ([one("a", "a", STRICT)], "overrides[0].collections", "must be a list of collection names"),
        ([one("a", ["a"], {})], "overrides[0].rules", "the settings that differ"),
        ([one("a", ["a"], {"warn_at": 99})], "overrides[0].rules.warn_at", "is above block_at"),
        ([one("a", ["a"], {"no": 1})], "overrides[0].rules.no", "unknown key"),
        ([one("a", ["a"], {"overrides": []})], "overrides[0].rules.overrides", "have overrides"),
        ([one("a", ["a"], STRICT), one("a", ["b"], STRICT)], "overrides[1].name", "used twice"),
        ([one("a", ["a", "b"], STRICT), one("c", ["b", "a"], LAX)], "overrides[1].collections",
         "a is for the same collections"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused_when_it_is_made(
    overrides: Any, field: str, message: str
) -> None:
    with pytest.raises(PolicyError) as error:
        PolicyRules.from_json({"overrides": overrides})
    assert error.value.field == field
    assert message in error.value.reason
