"""Why an action was decided, in sentences that do not contradict each other."""

from desk.verdict_page.reasons import ReasonView, reasons, summary


def test_what_the_policy_lets_pass_has_no_badge_of_an_action() -> None:
    noted = ReasonView("ALLOW", decided=False, sentence="", figures="")
    assert noted.only_noted
    assert not ReasonView("ALLOW", decided=True, sentence="", figures="").only_noted
    assert not ReasonView("WARN", decided=False, sentence="", figures="").only_noted


def test_a_score_that_decided_is_told_by_what_the_claims_came_to() -> None:
    def stored(code: str, action: str, *, decided: bool) -> dict[str, object]:
        return {"code": code, "action": action, "decided": decided, "text": ""}

    claims = stored("low_confidence_claims", "ALLOW", decided=False)
    score = stored("risk_score", "WARN", decided=True)
    assert summary(reasons([claims, score])) == (
        "Parts of the answer are not supported by the sources."
    )
    assert summary(reasons([score])) == "The risk score has reached the limit of the policy."
    assert summary([]) == ""
