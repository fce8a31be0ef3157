"""Reasons for an action, in sentences that do not contradict each other."""

import pytest

from analysis.engine.safety.model import RejectionReason
from desk.policies.templatetags.policy_words import label
from desk.verdict_page.reasons import (
    _ANY_SAFETY,
    KINDS,
    ReasonView,
    decider,
    reasons,
    sentence,
    summary,
)


def test_what_the_policy_lets_pass_has_no_badge_of_an_action() -> None:
    noted = ReasonView("ALLOW", decided=False, sentence="", figures="")
    assert noted.only_noted
    assert not ReasonView("ALLOW", decided=True, sentence="", figures="").only_noted
    assert not ReasonView("WARN", decided=False, sentence="", figures="").only_noted


def stored(code: str, action: str, *, decided: bool) -> dict[str, object]:
    return {"code": code, "action": action, "decided": decided, "text": ""}


def test_a_score_that_decided_is_named_first_and_then_what_the_claims_came_to() -> None:
    claims = stored("low_confidence_claims", "ALLOW", decided=False)
    score = stored("risk_score", "WARN", decided=True)
    assert summary(reasons([claims, score])) == (
        "The risk score has reached the limit of the policy. "
        "Parts of the answer are not supported by the sources."
    )
    assert summary(reasons([score])) == "The risk score has reached the limit of the policy."
    assert summary([]) == ""


@pytest.mark.parametrize("code", [*KINDS, "safety_off_topic", "not_checked_judge"])
def test_the_page_leads_with_the_reason_that_decided(code) -> None:
    other = stored("contradicted_claim", "WARN", decided=False)
    stored_reasons = reasons([other, stored(code, "BLOCK", decided=True)])
    decided = decider(stored_reasons)
    assert summary(stored_reasons).startswith(decided.sentence)


@pytest.mark.parametrize("code", [f"safety_{reason}" for reason in RejectionReason])
def test_a_replay_names_a_failed_safety_check_as_the_verdict_does(code) -> None:
    assert label(code) == sentence(code)


@pytest.mark.parametrize("reason", [each for each in RejectionReason if each.value])
def test_each_reason_of_a_safety_check_has_its_sentence(reason) -> None:
    message = f"add {reason.value!r} to _SAFETY in desk/verdict_page/reasons.py"
    assert sentence(f"safety_{reason.value}") != str(_ANY_SAFETY), message
