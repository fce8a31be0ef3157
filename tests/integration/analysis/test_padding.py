"""Padding through the product's own pipeline: submitted over HTTP, checked as a worker does."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from analysis.services.checking import run_check
from tests.padding import CASES, Case, padded

pytestmark = pytest.mark.usefixtures("empty_redis")
MISLED = "bridges, each named once"
"""Among a hundred other bridges the small judge takes the 40 kroner of another bridge for support;
on the bare source it finds the claim contradicted."""


def verdicts(api: APIClient, case: Case, text: str) -> dict[str, tuple[str, str | None, str]]:
    body = {"answer": " ".join(case.claims), "sources": [{"id": "s", "text": text}]}
    submitted = api.post("/api/v1/checks", body, format="json", HTTP_PREFER="respond-async").json()
    assert run_check(submitted["id"])
    document: dict[str, Any] = api.get(f"/api/v1/checks/{submitted['id']}").json()
    assert document["signal_states"]["grounding"]["status"] == "ok"
    return {c["text"]: (c["status"], c["reason"], document["action"]) for c in document["claims"]}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_verdicts_and_action_stay(
    api: APIClient, case: Case, request: pytest.FixtureRequest
) -> None:
    if case.name == MISLED:
        request.applymarker(pytest.mark.xfail(strict=True, reason="the small judge is wrong here"))
    bare = verdicts(api, case, case.source)
    assert len(bare) == len(case.claims)
    assert verdicts(api, case, padded(case.source, case.more)) == bare
