"""From stored signals to one action; what was not checked is never clean."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.engine import (
    DEFAULT_RULES,
    Action,
    Measurement,
    PolicyRules,
    Submission,
    decide,
    measure,
    verify,
)
from analysis.engine.codec import CodecError
from analysis.engine.policy import REQUIRED_SIGNALS
from analysis.engine.types import ClaimStatus, SignalStatus
from tests.answers import decided, measured, sources_of

REFUSED = "I don't know based on the available sources."
CLOSED = "SSN College closed in 2026."
PARTS = "SSN College |closed |opened |is |not |in |2010|2026|. |definitely |and |5 km |Hello! |🙂 "
WORDS = st.lists(st.sampled_from(PARTS.split("|"))).map("".join)


def codes(decision):
    return {reason.code: reason.action for reason in decision.reasons}


def decider(decision):
    [code] = [reason.code for reason in decision.reasons if reason.decided]
    return code


@given(WORDS, st.none() | st.lists(WORDS, max_size=3))
def test_a_stored_measurement_decides_the_same(answer, texts):
    given_sources = None if texts is None else sources_of(*texts)
    measurement, decision = verify(Submission(answer, "Is it?", given_sources))
    reloaded = Measurement.from_json(json.loads(json.dumps(measurement.to_json())))
    assert reloaded == measurement
    assert decide(answer, reloaded, DEFAULT_RULES) == decision
    assert 0 <= decision.risk.risk_score <= 100
    assert sum(reason.decided for reason in decision.reasons) == 1
    json.dumps(decision.to_json(), allow_nan=False)


def test_a_caution_of_the_application_warns_and_supports_nothing():
    cautious = Submission(CLOSED, "", sources_of(CLOSED), cautions=("Limits disagree.",))
    measurement, decision = verify(cautious)
    assert (decision.action, decider(decision)) == (Action.WARN, "application_caution")
    assert decision.reasons[0].text == "Limits disagree."
    assert decision.final_response == f"{CLOSED} [1]"
    wrong = replace(cautious, answer="SSN College closed in 2019.")
    assert verify(wrong)[1].action is Action.BLOCK
    assert decide(CLOSED, replace(measurement, cautions=())).action is Action.ALLOW


@pytest.mark.parametrize("answer", [CLOSED, "SSN College closed in 2019."])
def test_a_policy_that_observes_decides_and_changes_nothing(answer):
    measurement, enforced = verify(Submission(answer, "", sources_of(CLOSED)))
    observed = decide(answer, measurement, replace(DEFAULT_RULES, observe=True))
    assert (observed.action, observed.reasons) == (enforced.action, enforced.reasons)
    assert observed.final_response == answer != enforced.final_response
    assert observed.mitigation_actions == ("observed",)
    ((start, end),) = observed.final_spans.values()
    assert answer[start:end] == measurement.claims[0].text


def test_supported_answer_is_allowed():
    decision = decided(CLOSED, CLOSED)
    assert decision.action is Action.ALLOW
    assert decider(decision) == "all_supported"
    assert decision.final_response == f"{CLOSED} [1]"
    assert decision.mitigation_actions == ("added_citations",)
    assert decision.final_spans == {"c_0001": (0, len(CLOSED) - 1)}
    assert decision.claims[0].status is ClaimStatus.SUPPORTED
    assert decision.claims[0].rationale.startswith("supported: ")
    assert [state.signal for state in decision.not_checked] == ["judge"]


def test_contradicted_at_high_confidence_is_blocked():
    decision = decided("SSN College closed in 2010.", CLOSED)
    assert decision.action is Action.BLOCK
    assert decider(decision) == "contradicted_claim_high_confidence"
    assert codes(decision)["risk_score"] is Action.WARN
    assert decision.final_response == f"The sources say: “{CLOSED}” [1]"
    assert decision.mitigation_actions == ("refused_answer", "added_corrections")
    assert decision.risk.explanation == "MEDIUM RISK: Contradicts retrieved information"


def test_contradicted_claims_are_replaced_where_the_policy_only_warns():
    rules = PolicyRules.from_json({"verdicts": {"contradictory_high_confidence": "WARN"}})
    answer = "The mill is old. SSN College closed in 2010. The inn is blue."
    decision = decided(answer, CLOSED, "The mill is old.", rules=rules)
    assert decision.action is Action.WARN
    assert decision.final_response == (
        "The mill is old. [1] [Warning: The following claim contradicts the source] "
        "(claim withheld). The inn is blue [Not confirmed]."
    )
    assert decision.mitigation_actions == (
        "replaced_contradicted_claims",
        "flagged_low_confidence_claims",
        "added_citations",
    )
    assert set(decision.final_spans) == {"c_0001", "c_0003"}


def test_where_nothing_is_left_the_answer_is_refused():
    verdicts = {"contradictory_high_confidence": "WARN", "no_claim_supported": "WARN"}
    rules = PolicyRules.from_json(
        {"verdicts": verdicts, "mitigation": {"contradictory": "suppress"}}
    )
    decision = decided("Sure! SSN College closed in 2010.", CLOSED, rules=rules)
    assert decision.action is Action.WARN
    assert decision.final_response == REFUSED
    assert decision.mitigation_actions == ("refused_answer",)


def test_a_claim_that_nothing_could_confirm_is_not_flagged():
    measurement = measured(CLOSED, CLOSED)
    [signal] = measurement.signals
    open_claim = replace(measurement, signals=(replace(signal, checkable=False),))
    rules = PolicyRules.from_json({"verdicts": {"no_claim_supported": "WARN"}})
    decision = decide(CLOSED, open_claim, rules)
    assert decision.claims[0].reason == "not_checkable"
    assert decision.final_response == CLOSED


def test_no_sources_is_a_warning_with_its_reason():
    _, decision = verify(Submission(CLOSED))
    assert decision.action is Action.WARN
    assert decider(decision) == "no_sources"
    assert decision.claims[0].reason == "not_checked"
    assert [(missing.signal, missing.status) for missing in decision.not_checked] == [
        ("grounding", SignalStatus.NOT_APPLICABLE),
        ("judge", SignalStatus.NOT_APPLICABLE),
    ]


@pytest.mark.parametrize("texts", [(), ("Bananas ripen quickly.",)])
def test_searched_and_nothing_supported_is_blocked(texts):
    decision = decided(CLOSED, *texts)
    assert decision.action is Action.BLOCK
    assert decider(decision) == "no_claim_supported"
    assert decision.claims[0].reason == "nothing_found"


def test_a_greeting_has_nothing_to_check():
    measurement, decision = verify(Submission("Hello! How can I help?", "Hi", sources_of("x")))
    assert decision.action is Action.ALLOW
    assert decider(decision) == "nothing_to_check"
    assert {state.status for state in measurement.states.values()} == {SignalStatus.NOT_APPLICABLE}


@pytest.mark.parametrize(
    ("module", "signal"),
    [
        ("analysis.engine.measurement.read", "claims"),
        ("analysis.engine.signals.overconfidence.findings", "overconfidence"),
        ("analysis.engine.signals.contradiction.findings", "internal_contradiction"),
        ("analysis.engine.signals.grounding.ground", "grounding"),
    ],
)
def test_a_signal_that_raises_is_stated_and_warns(monkeypatch, caplog, module, signal):
    def fail(*args):
        raise KeyError(CLOSED)

    monkeypatch.setattr(module, fail)
    measurement, decision = verify(Submission(CLOSED, "", sources_of(CLOSED)))
    assert measurement.states[signal].status is SignalStatus.ERROR
    assert decision.action.severity >= Action.WARN.severity
    assert f"not_checked_{signal}" in codes(decision)
    assert signal in {missing.signal for missing in decision.not_checked}
    assert decision.risk.risk_score >= 35
    assert f"Not checked: {signal}" in decision.risk.explanation
    assert "Traceback" not in decision.risk.explanation
    assert "KeyError" in caplog.text
    assert "in fail" in caplog.text
    assert CLOSED not in caplog.text
    others = set(REQUIRED_SIGNALS) & set(measurement.states) - {signal, "judge"}
    if signal != "claims":
        assert {measurement.states[name].status for name in others} == {SignalStatus.OK}


@pytest.mark.parametrize("status", ["unavailable", "truncated", "error"])
@pytest.mark.parametrize("signal", ["overconfidence", "internal_contradiction", "grounding"])
def test_any_failed_state_warns(signal, status):
    measurement = measured(CLOSED, CLOSED)
    failed = replace(measurement.states[signal], status=SignalStatus(status), reason="why")
    states = {**measurement.states, signal: failed}
    decision = decide(CLOSED, replace(measurement, states=states), DEFAULT_RULES)
    assert decision.action is Action.WARN
    assert "why" in decision.risk.explanation


def test_a_signal_the_policy_does_not_require_may_be_missing():
    rules = PolicyRules.from_json({"required_signals": ["claims", "grounding"]})
    measurement = measured(CLOSED, CLOSED)
    unavailable = replace(measurement.states["overconfidence"], status=SignalStatus.UNAVAILABLE)
    states = {**measurement.states, "overconfidence": unavailable}
    reasons = codes(decide(CLOSED, replace(measurement, states=states), rules))
    assert reasons["not_checked_overconfidence"] is Action.ALLOW


def test_high_score_blocks():
    answer = "The inn is definitely open. The inn is closed. Bananas ripen in 3 days."
    rules = PolicyRules.from_json({"verdicts": {"no_sources": "ALLOW"}})
    _, decision = verify(Submission(answer), rules)
    assert decision.risk.risk_score == 75
    assert (decision.action, decider(decision)) == (Action.BLOCK, "risk_score")
    assert decision.risk.explanation.startswith(
        "HIGH RISK: Response contains internal contradictions; "
    )


def test_summary_stats():
    answer = "SSN College closed in 2026. The inn is blue. SSN College merged in 2026."
    stats = decided(answer, CLOSED).summary_stats
    total = stats.supported_high + stats.supported_low + stats.contradicted + stats.insufficient
    assert total == stats.claims_total == 3
    assert stats.supported_high >= 1


def test_the_measurement_of_another_answer_is_refused():
    measurement = measure(Submission(CLOSED))
    with pytest.raises(ValueError, match="another answer"):
        decide("SSN College closed in 2027.", measurement, DEFAULT_RULES)


def test_broken_json_names_the_path():
    data = measure(Submission(CLOSED)).to_json()
    data["claims"][0]["start"] = "0"
    with pytest.raises(CodecError, match=r"Measurement.claims\[0\].start: Expected `int`"):
        Measurement.from_json(data)


def test_a_wrong_typed_answer_is_no_submission():
    with pytest.raises(TypeError, match="must be strings"):
        measure(Submission(5))


def holding(**hold):
    return PolicyRules.from_json({"hold": hold, "refusal_text": "Not from {scope}."})


@pytest.mark.parametrize(
    ("hold", "reason"),
    [
        ({"risk_at": 0}, "Risk score 0; the policy holds answers from 0"),
        ({"words": ["rent", "the colleges"]}, "The policy holds answers about “the colleges”"),
        ({"words": ["closing colleges"], "risk_at": 1}, None),
        ({}, None),
    ],
)
def test_a_hold_by_risk_or_by_words_warns_at_least_and_keeps_the_text(hold, reason):
    answer = "The college closed in 2026."
    measurement, plain = verify(Submission(answer, "", sources_of(answer)))
    decision = decide(answer, measurement, holding(**hold))
    assert plain.action is Action.ALLOW
    if reason is None:
        assert (decision.action, decision.hold) == (Action.ALLOW, None)
        assert decision.to_json()["hold"] is None
        return
    assert (decision.action, decider(decision)) == (Action.WARN, "held")
    assert reason in [each.text for each in decision.reasons]
    assert decision.final_response == plain.final_response
    assert decision.hold.refusal_text == "Not from the available sources."
    assert decision.hold.waiting_text == "A person is reviewing this answer. It will follow."
    assert decision.to_json()["hold"]["on_expiry"] == "refuse"


def test_a_hold_is_in_the_language_of_the_policy_and_no_observer_holds():
    rules = PolicyRules.from_json({"hold": {"risk_at": 0}, "language": "de"})
    measurement = measured(CLOSED, CLOSED)
    hold = decide(CLOSED, measurement, rules).hold
    assert hold.waiting_text == "Ein Mensch prüft diese Antwort. Sie folgt."
    assert "vorhandenen Quellen" in hold.refusal_text
    assert decide(CLOSED, measurement, replace(rules, observe=True)).hold is None


def test_the_override_of_a_topic_holds_with_terms_of_its_own():
    hold = {"risk_at": 0, "four_eyes": True}
    override = {"name": "medical", "collections": ["medical"], "rules": {"hold": hold}}
    rules = PolicyRules.from_json({"overrides": [override]})
    measurement = measured(CLOSED, CLOSED)
    assert decide(CLOSED, measurement, rules, ["other"]).hold is None
    for collections in (["medical"], ["medical", "other"]):
        assert decide(CLOSED, measurement, rules, collections).hold.four_eyes
