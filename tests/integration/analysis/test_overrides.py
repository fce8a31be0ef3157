"""A check of a collection is decided by the override for it; replay and verify say the same."""

from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from accounts.models import Application
from analysis.engine import PolicyRules
from analysis.models import Check
from analysis.services.checking import run_check
from analysis.services.policies import create_policy
from desk.policies.selectors.replaying import ReplaySelection, replay, select

pytestmark = pytest.mark.usefixtures("empty_redis")
SOURCES = ["The old mill stands in Lyon. It was built in 1840 of grey stone."]
OVERRIDE = {"name": "mills", "collections": ["mills"], "rules": {"weights": {"rag_unverified": 90}}}
# The collection does not exist, so that the search for it is stated as unavailable: WARN at least.
CASE = {"answer": "The old mill stands in Lyon. Bananas grow.", "sources": SOURCES}


def test_the_decision_names_the_override_and_is_made_again_by_it(
    application: Application, make_check: Callable[..., Check], api: APIClient
) -> None:
    rules = PolicyRules.from_json({"overrides": [OVERRIDE]})
    create_policy(application_id=application.pk, rules=rules.to_json(), by="test", activate=True)
    overridden, plain = make_check(**CASE, collections=["mills"]), make_check(**CASE)
    for check in (overridden, plain):
        assert run_check(check.pk)
    body = api.get(f"/api/v1/checks/{overridden.pk}").json()
    assert (body["policy_override"], body["risk_score"], body["action"]) == (
        "mills",
        90,
        "BLOCK",
    )
    body = api.get(f"/api/v1/checks/{plain.pk}").json()
    assert (body["policy_override"], body["action"]) == (None, "WARN")
    out = StringIO()
    call_command("verify_decisions", stdout=out)
    assert out.getvalue().startswith("2 decisions match")
    ids = select(application.pk, ReplaySelection()).ids
    assert replay(ids, rules, processes=1).changes == 0
    without = replay(ids, PolicyRules(), processes=1)
    assert [change.check_id for change in without.changed] == [str(overridden.pk)]


def test_it_is_made_and_refused_over_the_api(api: APIClient) -> None:
    response = api.post("/api/v1/policies", {"rules": {"overrides": [OVERRIDE]}}, format="json")
    assert response.json()["rules"]["overrides"] == [OVERRIDE]
    wrong = {**OVERRIDE, "rules": {"warn_at": 99}}
    refused = api.post("/api/v1/policies", {"rules": {"overrides": [wrong]}}, format="json")
    assert refused.json()["errors"][0]["field"] == "rules.overrides[0].rules.warn_at"
