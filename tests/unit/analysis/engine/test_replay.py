"""Replays: counted, put down and taken up again; a trial draws the arm of a check once."""

import json
from collections import Counter
from dataclasses import replace

import pytest

from analysis.engine import DEFAULT_RULES, Measurement, SignalState, SignalStatus, Submission
from analysis.engine.measurement import measure
from analysis.engine.replay import (
    MOST_LISTED,
    Arm,
    DecisionOutcome,
    Replayed,
    Running,
    Tally,
    TrialMode,
    arm_of,
    report,
    tally_from_json,
    tally_to_json,
    together,
    why_not,
)
from analysis.engine.signal_types import SignalName
from analysis.engine.types import Action

ALLOW = DecisionOutcome(Action.ALLOW, "all_supported", "fine")
WARN = DecisionOutcome(Action.WARN, "risk_score", "35")
BLOCK = DecisionOutcome(Action.BLOCK, "no_claim_supported", "none", "low_grounding", 80)


def tally(*replayed: Replayed) -> Tally:
    tally = Tally()
    for item in replayed:
        tally.add(item)
    return tally


def test_actions_reasons_and_rejections_are_counted_before_and_after() -> None:
    counts = tally(
        Replayed("1", ALLOW, ALLOW), Replayed("2", ALLOW, BLOCK), Replayed("3", WARN, ALLOW)
    )
    document = report(counts)
    assert (document["replayed"], document["changed"]) == (3, 2)
    assert {row["name"]: (row["before"], row["after"]) for row in document["actions"]} == {
        "ALLOW": (2, 2), "WARN": (1, 0), "BLOCK": (0, 1),
    }  # fmt: skip
    assert {(row["before"], row["after"], row["count"]) for row in document["transitions"]} == {
        ("ALLOW", "ALLOW", 1), ("ALLOW", "BLOCK", 1), ("WARN", "ALLOW", 1),
    }  # fmt: skip
    flagged = document["flagged_by_reason"]
    assert {row["name"]: (row["before"], row["after"]) for row in flagged} == {
        "risk_score": (1, 0), "no_claim_supported": (0, 1),
    }  # fmt: skip
    assert document["safety_rejections"] == [
        {"name": "low_grounding", "before": 0, "after": 1, "share_before": 0.0,
         "share_after": 0.3333}
    ]  # fmt: skip
    change = document["changes"][0]
    assert (change["check_id"], change["before"]["reason"]) == ("2", "all_supported")
    assert change["after"]["reason"] == "no_claim_supported"


def test_what_cannot_be_replayed_is_counted_apart() -> None:
    document = report(tally(Replayed("1", BLOCK, None, "x"), Replayed("2", WARN, None, "x")))
    assert document["cannot_be_replayed"] == {"count": 2, "reasons": [{"reason": "x", "count": 2}]}
    assert (document["replayed"], document["transitions"], document["changes"]) == (0, [], [])
    assert document["actions"][0]["share_before"] is None


def test_precision_and_recall_with_positive_meaning_flagged() -> None:
    counts = tally(
        Replayed("1", BLOCK, ALLOW, unsafe=True),
        Replayed("2", BLOCK, BLOCK, unsafe=True),
        Replayed("3", WARN, ALLOW, unsafe=False),
        Replayed("4", ALLOW, WARN, unsafe=True, sampled=True),
        Replayed("5", ALLOW, ALLOW, unsafe=False, sampled=True),
        Replayed("6", ALLOW, BLOCK),
    )
    document = report(counts)
    before, after = document["reviewed"]["before"], document["reviewed"]["after"]
    assert (before["reviewed"], before["precision"], before["recall"]) == (5, 0.6667, 0.6667)
    assert (after["precision"], after["recall"], after["false_negatives"]) == (1.0, 0.6667, 1)
    assert document["quality_sample"]["before"]["precision"] is None  # nothing was flagged
    assert document["quality_sample"]["before"]["recall"] == 0.0
    assert document["quality_sample"]["after"]["recall"] == 1.0


def test_parts_add_up_to_the_whole_and_the_list_is_bounded() -> None:
    many = [Replayed(str(n), ALLOW, BLOCK, unsafe=n % 2 == 0) for n in range(MOST_LISTED + 5)]
    many += ONES
    whole, parts = tally(*many), together([tally(*many[:700]), tally(*many[700:]), Tally()])
    assert report(whole) == report(parts)
    assert (whole.changes, len(whole.changed)) == (MOST_LISTED + 7, MOST_LISTED)
    assert parts.cannot == Counter({"never measured: nli": 1})


@pytest.fixture
def measurement() -> Measurement:
    return measure(Submission("The mill stands in Lyon.", "Where?"))


def test_the_same_rules_can_always_be_applied_again(measurement: Measurement) -> None:
    lost = SignalState(SignalStatus.UNAVAILABLE, "gone", "", 0.0)
    for state in (lost, None):
        states = dict.fromkeys(measurement.states, lost) if state else {}
        variant = replace(measurement, states=states)
        assert why_not(variant, DEFAULT_RULES, DEFAULT_RULES) == ""


def test_a_signal_that_is_newly_asked_for_must_have_been_measured(measurement: Measurement) -> None:
    required = (*DEFAULT_RULES.required_signals, "consistency", "uncertainty")
    rules = replace(DEFAULT_RULES, required_signals=required)
    reason = why_not(measurement, DEFAULT_RULES, rules)
    assert reason == "never measured: consistency, uncertainty"
    assert why_not(measurement, rules, rules) == ""
    assert why_not(measurement, rules, DEFAULT_RULES) == ""
    drawing = replace(DEFAULT_RULES, draw_samples=3)
    assert why_not(measurement, DEFAULT_RULES, drawing) == "never measured: consistency"


def test_a_signal_that_the_engine_did_not_know_was_never_measured(measurement: Measurement) -> None:
    states = {k: v for k, v in measurement.states.items() if k not in ("relevance", "retrieval")}
    old = replace(measurement, states=states)
    searching = replace(DEFAULT_RULES, required_signals=("relevance", "retrieval"))
    without = replace(DEFAULT_RULES, required_signals=())
    assert SignalName.RETRIEVAL not in old.states
    assert why_not(old, without, searching) == "never measured: relevance"


def test_a_failed_signal_was_tried_and_is_decided_by_the_policy(measurement: Measurement) -> None:
    failed = SignalState(SignalStatus.UNAVAILABLE, "No samples came", "", 0.0)
    variant = replace(measurement, states=measurement.states | {"consistency": failed})
    rules = replace(DEFAULT_RULES, required_signals=("consistency",))
    assert why_not(variant, DEFAULT_RULES, rules) == ""


def test_another_engine_is_named(measurement: Measurement) -> None:
    old = replace(measurement, engine_version="1.0.0")
    reason = why_not(old, DEFAULT_RULES, DEFAULT_RULES)
    assert reason == "engine 1.0.0: its rules are not in this build"


ONES = [
    Replayed("a", WARN, BLOCK, unsafe=True, sampled=True),
    Replayed("b", ALLOW, ALLOW, unsafe=False),
    Replayed("c", BLOCK, WARN),
    Replayed("d", BLOCK, None, cannot="never measured: nli"),
]


def test_a_tally_comes_back_from_json_as_it_was() -> None:
    counts = tally(*ONES)
    assert tally_from_json(json.loads(json.dumps(tally_to_json(counts)))) == counts
    assert tally_from_json(json.loads(json.dumps(tally_to_json(Tally())))) == Tally()


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_about_the_share_of_the_keys_is_in_the_trial(share: float) -> None:
    trial = Running(7, 2, TrialMode.SPLIT, share)
    arms = [arm_of(trial, f"key {number}") for number in range(2_000)]
    assert abs(arms.count(Arm.TRIAL) / len(arms) - share) < 0.04  # keys are fixed: no chance
    assert arms == [arm_of(trial, f"key {number}") for number in range(2_000)]


def test_a_larger_share_keeps_whom_the_smaller_one_had_and_each_trial_draws_anew() -> None:
    small, large = (Running(7, 2, TrialMode.SPLIT, share) for share in (0.2, 0.6))
    other = Running(8, 2, TrialMode.SPLIT, 0.2)
    keys = [f"key {number}" for number in range(500)]
    first = {key for key in keys if arm_of(small, key) is Arm.TRIAL}
    assert first <= {key for key in keys if arm_of(large, key) is Arm.TRIAL}
    assert first != {key for key in keys if arm_of(other, key) is Arm.TRIAL}


def test_all_or_in_shadow_none() -> None:
    assert arm_of(Running(1, 2, TrialMode.SPLIT, 1.0), "x") is Arm.TRIAL
    assert arm_of(Running(1, 2, TrialMode.SHADOW, 1.0), "x") is Arm.CONTROL
