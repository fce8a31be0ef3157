"""The risk API's middleware in one process."""

import pytest

from analysis.engine.compat import middleware
from analysis.engine.compat.middleware import BlockResponseException, RiskCheckMiddleware

SOURCES = ["The tower is 330 metres tall."]


def test_a_supported_answer_is_returned_unchanged() -> None:
    answer = "The tower is 330 metres tall."
    assert RiskCheckMiddleware().process_llm_response("How tall?", answer, SOURCES) == answer


def test_a_contradicted_answer_raises_with_its_assessment() -> None:
    with pytest.raises(BlockResponseException, match="Contradicts retrieved information") as raised:
        RiskCheckMiddleware().process_llm_response(
            "How tall?", "The tower is 500 metres tall.", SOURCES
        )
    assert raised.value.assessment["risk_score"] == 35


def test_what_could_not_be_checked_raises() -> None:
    with pytest.raises(BlockResponseException, match="Not checked"):
        RiskCheckMiddleware().process_llm_response("q", 5)  # type: ignore[arg-type]


@pytest.mark.parametrize(("score", "blocked"), [(69, False), (70, True)])
def test_a_score_of_70_blocks(score: int, blocked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    assessment = {"risk_score": score, "signals": {}, "explanation": "why"}
    monkeypatch.setattr(middleware, "analyze", lambda *_: assessment)
    call = RiskCheckMiddleware().process_llm_response
    if blocked:
        with pytest.raises(BlockResponseException, match="why"):
            call("q", "It rained.")
    else:
        assert call("q", "It rained.") == "It rained."
