"""Policies: typed, validated, and never able to let an error pass."""

import json
import pathlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from analysis.engine import (
    DEFAULT_RULES,
    SignalState,
    SignalStatus,
    Source,
    Submission,
    decide,
    measure,
)
from analysis.engine.decision import judge
from analysis.engine.policy import (
    PRESETS,
    Language,
    PolicyError,
    PolicyRules,
    candidates,
    overlaid,
    to_measure,
)
from analysis.engine.types import Action
from tests.answers import measured


def test_default_values_of_the_seed():
    assert (DEFAULT_RULES.warn_at, DEFAULT_RULES.block_at) == (35, 70)
    assert DEFAULT_RULES.weights.by_signal() == {
        "internal_contradiction": 40,
        "rag_contradiction": 35,
        "rag_unverified": 15,
        "overconfidence": 20,
    }


def test_round_trip():
    document = json.loads(json.dumps(DEFAULT_RULES.to_json()))
    assert document == DEFAULT_RULES.to_json()
    assert {type(name) for name in DEFAULT_RULES.to_json()["required_signals"]} == {str}
    assert PolicyRules.from_json(document) == DEFAULT_RULES
    assert PolicyRules.from_json({}) == PolicyRules()


def test_the_rules_that_the_page_shows_are_accepted() -> None:
    page = pathlib.Path("docs/concepts/policies.md").read_text()
    shown = map(yaml.safe_load, re.findall(r"^```yaml\n(.*?)^```$", page, re.M | re.S))
    by_topic, held = (PolicyRules.from_json(part.get("rules", part)) for part in shown)
    (override,) = by_topic.overrides
    assert override.rules.safety.thresholds.min_grounding_score == 0.9
    assert (held.hold.words, held.hold.four_eyes) == (("dosage", "side effects"), True)


def test_a_policy_of_before_the_score_has_no_limit_for_it():
    assert PolicyRules.from_json({"warn_at": 30}).score.warn_above == 1


def test_settings_that_a_stored_policy_has_of_an_earlier_version_are_passed_over():
    stored = {
        "warn_at": 20,
        "aggregator": "fusion",
        "fusion_at": 0.6,
        "model": {"support_at": 0.4},
        "required_signals": ["claims", "nli", "judge"],
        "overrides": [
            {"name": "Law", "collections": ["law"], "rules": {"model": {}, "block_at": 60}}
        ],
    }
    rules = PolicyRules.from_json(stored)
    kept = PolicyRules.from_json({"warn_at": 20, "required_signals": ["claims", "judge"]})
    assert rules.overrides[0].rules == replace(kept, block_at=60)
    assert replace(rules, overrides=()) == kept
    assert not {"aggregator", "fusion_at", "model"} & rules.to_json().keys()


def test_what_is_given_is_used():
    rules = PolicyRules.from_json(
        {"warn_at": 20, "weights": {"overconfidence": 5}, "verdicts": {"no_sources": "ALLOW"}}
    )
    assert rules.warn_at == 20
    assert rules.weights.overconfidence == 5
    assert rules.verdicts.no_sources == "ALLOW"
    assert rules.block_at == 70


@pytest.mark.parametrize(
    ("data", "field", "reason"),
    [
        ([], "policy", "must be an object, not array"),
        ({"uncertain_at": 10**400}, "uncertain_at", "is too large"),
        ({1: 2}, "1", "unknown key"),
        ({"verdicts": {"no_sources": 5}}, "verdicts.no_sources", "must be a string, not int"),
        ({"required_signals": [1]}, "required_signals", "must be a list of signal names"),
        ({"warn_at": "35"}, "warn_at", "must be a whole number, not str"),
        ({"warn_at": True}, "warn_at", "must be a whole number, not bool"),
        ({"warn_at": None}, "warn_at", "must be a whole number, not null"),
        ({"warn_at": 80}, "warn_at", "80 is above block_at 70"),
        ({"block_at": 101}, "block_at", "must be at most 100, not 101"),
        ({"warn_at": 0}, "warn_at", "must be at least 1, not 0"),
        ({"support_at": 0}, "support_at", "must be above 0, not 0"),
        ({"support_at": float("nan")}, "support_at", "must be above 0, not nan"),
        ({"doubt_at": 2}, "doubt_at", "must be at most 1, not 2"),
        ({"uncertain_at": 0}, "uncertain_at", "must be above 0"),
        ({"uncertain_at": float("inf")}, "uncertain_at", "must be at most 1000000"),
        ({"steady_at": -0.5}, "steady_at", "must be at least 0, not -0.5"),
        ({"by_kind": {"short": 1.5}}, "by_kind.short", "must be at most 1, not 1.5"),
        ({"score": {"warn_above": 0}}, "score.warn_above", "must be above 0, not 0"),
        ({"draw_samples": 11}, "draw_samples", "must be at most 10, not 11"),
        (
            {"safety": {"thresholds": {"min_chunks_required": -1}}},
            "safety.thresholds.min_chunks_required",
            "must be at least 0, not -1",
        ),
        ({"contradict_at": 0.9}, "contradict_at", "is above high_confidence_at"),
        ({"weights": {"overconfidence": 101}}, "weights.overconfidence", "at most 100, not 101"),
        ({"weights": {"luck": 1}}, "weights.luck", "unknown key"),
        ({"weights": 5}, "weights", "must be an object, not int"),
        ({"hold": {"words": 1.5}}, "hold.words", "must be a list, not float"),
        ({"hold": {"words": ["…"]}}, "hold.words", "must not be empty"),
        ({"hold": {"words": ["a"] * 201}}, "hold.words", "must be a list of at most 200"),
        ({"waiting_text": " "}, "waiting_text", "must not be empty"),
        ({"hold": {"risk_at": 102}}, "hold.risk_at", "must be at most 101, not 102"),
        ({"hold": {"hours": 0}}, "hold.hours", "must be at least 1, not 0"),
        ({"hold": {"on_expiry": "wait"}}, "hold.on_expiry", "must be one of refuse, release"),
        ({"colour": "red"}, "colour", "unknown key"),
        ({"verdicts": {"no_sources": "SHRUG"}}, "verdicts.no_sources", "must be one of ALLOW"),
        ({"not_checked": {"error": "ALLOW"}}, "not_checked.error", "never be ALLOW"),
        ({"required_signals": ["luck"]}, "required_signals", "unknown signal luck"),
        ({"required_signals": "claims"}, "required_signals", "must be a list of signal names"),
        ({"refusal_text": " "}, "refusal_text", "must not be empty"),
        ({"refusal_text": "No: {name}."}, "refusal_text", "{scope} and nothing else in braces"),
        ({"refusal_text": "No: {scope.x}."}, "refusal_text", "nothing else in braces"),
        ({"refusal_text": "No: {scope!r}."}, "refusal_text", "nothing else in braces"),
        ({"refusal_text": "No: {scope:>9}."}, "refusal_text", "nothing else in braces"),
        ({"refusal_text": "No: {}."}, "refusal_text", "nothing else in braces"),
        ({"refusal_text": "No: {scope."}, "refusal_text", "an unmatched brace"),
        ({"refusal_text": "x" * 501}, "refusal_text", "not be longer than 500 characters"),
        ({"refusal_scope": "x" * 201}, "refusal_scope", "not be longer than 200 characters"),
        ({"mitigation": {"contradictory": "hide"}}, "mitigation.contradictory", "keep, flag"),
        ({"mitigation": {"contradictory": "keep"}}, "mitigation.contradictory", "cannot be kept"),
        ({"mitigation": {"cite_supported": 1}}, "mitigation.cite_supported", "true or false"),
    ],
)
def test_bad_policies_name_the_field_and_the_reason(data, field, reason):
    with pytest.raises(PolicyError) as caught:
        PolicyRules.from_json(data)
    assert caught.value.field == field
    assert reason in caught.value.reason


MILL = Source("s", "The old mill stands in Lyon. It was built in 1840 of grey stone and oak.")
FOUND = Source("f", MILL.text, retrieved=True, relevance=0.2)
ANSWERS = [
    "The old mill stands in Lyon.",
    "The old mill stands in Lyon [1]. It was built in 1840 [7].",
    "The old mill stands in Oslo.",
    "The old mill was built in 1840. It has four wheels and a bakery.",
    "It definitely closed in 2010. It closed in 2015.",
    "Hello there!",
]
SOURCES = [None, (), (MILL,), (FOUND,)]


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("sources", SOURCES, ids=["none", "empty", "given", "found"])
@pytest.mark.parametrize("query", ["", "Where does the old mill stand?", "Who is the mayor?"])
def test_a_stricter_preset_is_never_milder(answer, sources, query):
    measurement = measure(Submission(answer, query, sources))
    severities = [
        decide(answer, measurement, PRESETS[name]).action.severity
        for name in ("exploratory", "balanced", "conservative")
    ]
    assert severities == sorted(severities)


def test_the_conservative_one_rejects_what_is_off_topic():
    answer = "The old mill stands in Lyon."
    measurement = measured(answer, MILL.text, query="Who wrote the opera Carmen?")
    decided = decide(answer, measurement, PRESETS["conservative"])
    assert decided.action == "BLOCK"
    assert [reason.code for reason in decided.reasons if reason.decided] == ["safety_off_topic"]
    balanced = decide(answer, measurement, PRESETS["balanced"])
    assert balanced.action == "ALLOW"
    assert [(reason.code, reason.decided) for reason in balanced.reasons] == [
        ("all_supported", True),
        ("safety_off_topic", False),
    ]


def test_a_search_that_found_nothing_is_a_failed_search():
    answer = "The old mill stands in Lyon."
    searched = measured(answer, query="Where does it stand?")
    ran = SignalState(SignalStatus.OK, "", "m", 1.0)
    searched = replace(searched, states=searched.states | {"retrieval": ran})
    codes = {r.code: r.action for r in decide(answer, searched, PRESETS["exploratory"]).reasons}
    assert codes["safety_insufficient_context"] == "WARN"


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


@pytest.mark.parametrize(
    "rules", [*PRESETS.values(), RULES, replace(DEFAULT_RULES, language=Language.GERMAN)]
)
def test_a_policy_survives_storage(rules: PolicyRules) -> None:
    assert PolicyRules.from_json(rules.to_json()) == rules


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
    measurement = measured(answer, "The old mill stands in Lyon.")
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


Path = tuple[str, ...]

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=5,
)
SETTINGS = st.one_of(
    st.floats(0, 1), st.integers(0, 100), st.booleans(), st.sampled_from([*Action]).map(str), JSON
)


def paths_of(document: Mapping[str, Any], above: Path = ()) -> Iterator[Path]:
    """Yield the path of each setting of a rules document."""
    for key, value in document.items():
        yield (*above, key)
        if isinstance(value, Mapping):
            yield from paths_of(value, (*above, key))


def change(path: Path, value: Any) -> dict[str, Any]:
    """Return a document with one setting."""
    for key in reversed(path):
        value = {key: value}
    return dict(value)


def rules_or_error(document: Any) -> PolicyRules | PolicyError:
    """Return the result of reading the document."""
    try:
        return PolicyRules.from_json(document)
    except PolicyError as error:
        return error


PATHS = sorted(paths_of(PRESETS["balanced"].to_json()))
CHANGES = st.builds(change, st.sampled_from(PATHS), SETTINGS)


@given(st.sampled_from(sorted(PRESETS)), st.lists(CHANGES, min_size=1, max_size=3))
def test_a_changed_document_is_read_whole_or_refused_by_setting(
    preset: str, changes: list[dict[str, Any]]
) -> None:
    document = PRESETS[preset].to_json()
    for each in changes:
        document = overlaid(document, each)
    rules = rules_or_error(document)
    if isinstance(rules, PolicyError):
        assert rules.field.split(".")[0].split("[")[0] in document
        assert rules.reason
    else:
        # A setting that the document leaves out has its default.
        assert overlaid(rules.to_json(), document) == rules.to_json()
        assert PolicyRules.from_json(rules.to_json()) == rules


@given(JSON)
def test_any_json_is_rules_or_refused(document: Any) -> None:
    rules = rules_or_error(document)
    if isinstance(rules, PolicyError):
        assert rules.field
    else:
        assert PolicyRules.from_json(rules.to_json()) == rules
