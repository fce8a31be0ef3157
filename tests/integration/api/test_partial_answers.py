"""A partial answer in the result: typed, in the final response, where the policy says so."""

from collections.abc import Callable
from typing import Any

import pytest

from analysis.services.policies import create_policy

pytestmark = pytest.mark.usefixtures("empty_redis")
MILL = "The old mill stands in Lyon."
ANSWER = f"{MILL} It was built in 1950. Elephants eat bananas happily."
SOURCES = ["The old mill stands in Lyon. It was built in 1840 of grey stone."]


@pytest.fixture
def document(api, application, checked) -> Callable[[bool], dict[str, Any]]:
    def make(partial: bool) -> dict[str, Any]:
        rules = {"partial_answers": partial, "verdicts": {"contradictory": "BLOCK"}}
        create_policy(application_id=application.pk, rules=rules, by="t", activate=True)
        check = checked(ANSWER, sources=SOURCES)
        return api.get(f"/api/v1/checks/{check.pk}").json()

    return make


def test_a_blocked_answer_shows_its_supported_part(document) -> None:
    body = document(True)
    part = body["partial_answer"]
    assert body["action"] == "BLOCK"
    assert body["mitigation_actions"][0] == "partial_answer"
    assert [item["text"] for item in part["sentences"]] == [MILL]
    assert part["sentences"][0]["citations"] == [1]
    assert 0 < part["sentences"][0]["confidence"] <= 1
    assert sum(item["statements"] for item in part["left_out"]) == 2
    correction = f"The sources say: “{SOURCES[0]}” [2]"
    assert body["final_response"] == f"{MILL} [1]\n\n{correction}\n\n{part['note']}"
    assert body["mitigation_actions"][-1] == "added_corrections"


def test_each_claim_tells_its_outcome_in_words(document) -> None:
    wordings = [claim["wording"] for claim in document(False)["claims"]]
    assert wordings[:2] == ["a source supports it", "a source contradicts it"]
    assert wordings[2] in ("nothing was found about it", "no source supports it")
