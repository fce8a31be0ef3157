"""The seed's middleware, with and without HTTP."""

import json

import httpx
import pytest

from watchdog_client import BlockResponseException, HttpCheck, NotCheckedError, RiskCheckMiddleware

SOURCES = ["The tower is 330 metres tall."]


def test_a_harmless_answer_goes_through_unchanged() -> None:
    answer = "The tower is 330 metres tall."
    assert RiskCheckMiddleware().process_llm_response("How tall?", answer, SOURCES) == answer


def test_a_contradicted_answer_raises_with_its_assessment() -> None:
    guard = RiskCheckMiddleware()
    with pytest.raises(BlockResponseException, match="Contradicts retrieved information") as raised:
        guard.process_llm_response("How tall?", "The tower is 500 metres tall.", SOURCES)
    assert raised.value.assessment["action"] == "BLOCK"
    assert raised.value.assessment["risk_score"] == 35


def test_what_could_not_be_checked_here_raises() -> None:
    with pytest.raises(BlockResponseException, match="Not checked"):
        RiskCheckMiddleware().process_llm_response("q", 5)  # type: ignore[arg-type]


def test_the_seeds_threshold_is_70() -> None:
    at = {"risk_score": 69}
    guard = RiskCheckMiddleware(lambda *_: dict(at))
    assert guard.process_llm_response("q", "a") == "a"
    at["risk_score"] = 70
    with pytest.raises(BlockResponseException):
        guard.process_llm_response("q", "a")


def test_every_assessment_is_reported() -> None:
    seen: list[dict[str, object]] = []
    RiskCheckMiddleware(on_assessment=seen.append).process_llm_response("", "It is 5 km long.")
    assert seen[0]["risk_score"] == 15


@pytest.mark.parametrize("block_at", [0, 101])
def test_a_senseless_threshold_is_refused(block_at: int) -> None:
    with pytest.raises(ValueError, match="block_at"):
        RiskCheckMiddleware(block_at=block_at)


def server(status: int, body: object, **headers: str) -> HttpCheck:
    """A check whose server answers with this."""

    def answer(request: httpx.Request) -> httpx.Response:
        sent = json.loads(request.content)
        assert request.headers["Authorization"] == "Bearer key"
        assert set(sent) == {"query", "answer", "sources"}
        return httpx.Response(status, json=body, headers=headers)

    return HttpCheck("http://w", "key", transport=httpx.MockTransport(answer))


def test_over_http_the_action_decides() -> None:
    body = {"action": "BLOCK", "risk_score": 15, "explanation": "no"}
    with pytest.raises(BlockResponseException, match="no"):
        RiskCheckMiddleware(server(200, body)).process_llm_response("q", "a", "source")
    body = {"action": "WARN", "risk_score": 35}
    assert RiskCheckMiddleware(server(200, body)).process_llm_response("q", "a") == "a"


@pytest.mark.parametrize(
    ("check", "said"),
    [
        (server(202, {}, Location="/x"), "/x"),
        (server(400, {"detail": "answer: too long"}), "too long"),
        (server(502, "gateway"), "gateway"),
        (HttpCheck("http://127.0.0.1:1", "key"), "did not answer"),
    ],
    ids=["not in time", "refused", "no problem document", "down"],
)
def test_what_was_not_checked_is_never_let_through(check: HttpCheck, said: str) -> None:
    with pytest.raises(NotCheckedError, match=said):
        RiskCheckMiddleware(check).process_llm_response("q", "a")
