"""The presets stand in order: what one lets pass, no laxer one stops."""

from dataclasses import replace

import pytest

from analysis.engine import SignalState, SignalStatus, Source, Submission, decide, measure
from analysis.engine.policy.presets import PRESETS
from analysis.engine.policy.rules import PolicyRules

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
    measurement = measure(Submission(answer, "Who wrote the opera Carmen?", (MILL,)))
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
    searched = measure(Submission(answer, "Where does it stand?", ()))
    ran = SignalState(SignalStatus.OK, "", "m", 1.0)
    searched = replace(searched, states=searched.states | {"retrieval": ran})
    codes = {r.code: r.action for r in decide(answer, searched, PRESETS["exploratory"]).reasons}
    assert codes["safety_insufficient_context"] == "WARN"


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_a_preset_survives_storage(rules):
    assert PolicyRules.from_json(rules.to_json()) == rules
