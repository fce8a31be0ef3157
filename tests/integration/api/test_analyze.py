"""The risk API's `POST /api/analyze` through the whole pipeline: web, Redis, worker, Postgres."""

from analysis.engine import analyze
from analysis.models import Check
from tests.conftest import SSN_ANSWER, SSN_QUESTION


def test_the_seeds_examples(stack, api_key) -> None:
    with stack.client(api_key[1]) as client:
        ssn = client.post("/api/analyze", json={"prompt": SSN_QUESTION, "llm_response": SSN_ANSWER})
        assert ssn.status_code == 200
        assert ssn.json() == analyze(SSN_QUESTION, SSN_ANSWER), "spelled out in test_compat.py"

        empty = client.post("/api/analyze", json={"prompt": "?", "llm_response": " "}).json()
        assert (empty["risk_score"], empty["explanation"]) == (0, "Empty response")
        assert client.post("/api/analyze", json={}).json()["explanation"] == "Empty response"

        odd = client.post("/api/analyze", json={"llm_response": SSN_ANSWER, "rag_results": 7})
        assert odd.json()["risk_score"] == 35
        assert "rag_results" in odd.json()["warnings"][0]

        fits = client.post(
            "/api/analyze",
            json={
                "llm_response": "The tower is 330 metres tall.",
                "rag_results": ["The tower is 330 metres tall and stands in Paris."],
            },
        ).json()
        assert (fits["risk_score"], fits["claims"][0]["status"]) == (0, "SUPPORTED")
    assert Check.objects.count() == 3, "what was assessed is on record; the empty ones are not"


def test_a_misspelt_field_is_refused(api) -> None:
    response = api.post("/api/analyze", {"response": "It is 20 feet."}, format="json")
    assert response.status_code == 400
    assert response.json()["errors"][0]["field"] == "response"
