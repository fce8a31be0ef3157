"""Policies: typed, validated, and never able to let an error pass."""

import json
from dataclasses import replace

import pytest

from analysis.engine import DEFAULT_RULES, PolicyError, PolicyRules


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
        ({"block_at": 101}, "block_at", "must be above 0 and at most 100"),
        ({"warn_at": 0}, "warn_at", "must be above 0 and at most 100"),
        ({"support_at": 0}, "support_at", "must be above 0 and at most 1"),
        ({"support_at": float("nan")}, "support_at", "must be above 0 and at most 1"),
        ({"doubt_at": 2}, "doubt_at", "must be above 0 and at most 1"),
        ({"uncertain_at": 0}, "uncertain_at", "must be above 0"),
        ({"contradict_at": 0.9}, "contradict_at", "is above high_confidence_at"),
        ({"weights": {"overconfidence": 101}}, "weights.overconfidence", "between 0 and 100"),
        ({"weights": {"luck": 1}}, "weights.luck", "unknown key"),
        ({"weights": 5}, "weights", "must be an object, not int"),
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
