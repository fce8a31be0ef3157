"""`/api/v1/policies`: versions, the one in force, and trying one on history."""

from typing import Any

import jsonschema
import pytest
import yaml
from pytest_django.asserts import assertNumQueries
from rest_framework.test import APIClient

from accounts.models import Application
from analysis.engine.policy import CONSERVATIVE, EXPLORATORY
from analysis.models import Policy, Review
from analysis.services.checking import run_check
from analysis.services.jobs import run_job
from analysis.services.policies import active_policy, create_policy
from audit.models import TrailEntry

pytestmark = pytest.mark.usefixtures("empty_redis")
URL = "/api/v1/policies"
SOURCES = ["The old mill stands in Lyon. It was built in 1840 of grey stone."]


def create(api: APIClient, status: int = 201, **body: Any) -> dict[str, Any]:
    answer = api.post(URL, body, format="json")
    assert answer.status_code == status, answer.content
    return answer.json()


def test_a_version_is_made_listed_and_put_in_force(api, application) -> None:
    first = create(api, rules={"warn_at": 20}, note="Sooner", activate=True)
    second = create(api, rules={"block_at": 60}, based_on="active")
    assert (first["version"], first["is_active"], first["rules"]["warn_at"]) == (1, True, 20)
    assert (second["version"], second["is_active"], second["rules"]["warn_at"]) == (2, False, 20)
    assert api.post(f"{URL}/{second['id']}/activate").json()["is_active"]
    assert active_policy(application.pk).pk == second["id"]
    versions = api.get(URL).json()["results"]
    assert [(item["version"], item["is_active"]) for item in versions] == [(2, True), (1, False)]
    assert api.get(f"{URL}/{first['id']}").json()["note"] == "Sooner"
    trail_entries = TrailEntry.objects.filter(application_id=application.pk, subject_type="policy")
    assert sorted(trail_entries.values_list("event", "data__version")) == [
        ("policy.activated", 1), ("policy.activated", 2),
        ("policy.created", 1), ("policy.created", 2),
    ]  # fmt: skip
    assert all(entry.actor.startswith("api_key:") for entry in trail_entries)


def test_a_key_does_not_activate_its_own_version_where_a_second_approver_is_wanted(
    api, application
) -> None:
    create(api, rules={}, activate=True)
    Application.objects.filter(pk=application.pk).update(second_approver=True)
    create(api, 409, rules={"warn_at": 20}, activate=True)
    own = create(api, rules={"warn_at": 20})
    assert own["version"] == 2  # the refused one was not made
    answer = api.post(f"{URL}/{own['id']}/activate")
    assert (answer.status_code, answer.json()["type"].rpartition(":")[2]) == (
        409,
        "second_approver_needed",
    )
    assert active_policy(application.pk).version == 1


def test_a_preset_can_be_the_base(api) -> None:
    policy = create(api, rules={"safety": {"citations": "WARN"}}, based_on="conservative")
    expected = CONSERVATIVE.to_json()
    expected["safety"] |= {"citations": "WARN"}
    assert policy["rules"] == expected


def test_the_preset_that_observes_blocks_on_paper_alone(api) -> None:
    create(api, rules={}, based_on="observe", activate=True)
    answer = "The old mill stands in Oslo."
    body = {"answer": answer, "query": "Where does it stand?", "sources": SOURCES}
    submitted = api.post("/api/v1/checks", body, format="json", HTTP_PREFER="respond-async")
    run_check(submitted.json()["id"])
    check = api.get(f"/api/v1/checks/{submitted.json()['id']}").json()
    assert (check["action"], check["final_response"]) == ("BLOCK", answer)
    assert check["mitigation_actions"] == ["observed"]
    assert Review.objects.get(check_record_id=check["id"]).stage == "first"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"rules": {"warn_at": 90}}, "rules.warn_at"),
        ({"rules": {"safety": {"thresholds": {"min_grounding_score": 2}}}},
         "rules.safety.thresholds.min_grounding_score"),
        ({"rules": {"unheard": 1}}, "rules.unheard"),
        ({"rules": {"verdicts": {"contradictory": "SHOUT"}}}, "rules.verdicts.contradictory"),
        ({"rules": []}, "rules"),
        ({}, "rules"),
        ({"rules": {}, "based_on": "wild"}, "based_on"),
        ({"rules": {}, "note": "x" * 501}, "note"),
        ({"rules": {}, "unknown": 1}, "unknown"),
    ],
)  # fmt: skip
def test_what_is_not_valid_is_refused_at_its_field(api, body, field) -> None:
    answer = api.post(URL, body, format="json")
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    assert field in [error["field"] for error in answer.json()["errors"]]
    assert not Policy.objects.exists()


def test_a_replay_tells_what_would_change(api, application, checked) -> None:
    rules = EXPLORATORY.to_json()
    create_policy(application_id=application.pk, rules=rules, by="test", activate=True)
    check = checked(answer="The old mill stands in Oslo.", sources=SOURCES)
    strict = create(api, rules={}, based_on="conservative")
    answer = api.post(f"{URL}/{strict['id']}/replay", {"sample": 10}, format="json")
    assert answer.status_code == 200
    body = answer.json()
    assert (body["checks_in_period"], body["replayed"], body["changed"]) == (1, 1, 1)
    change = body["changes"][0]
    assert (change["check_id"], change["after"]["action"]) == (str(check.pk), "BLOCK")
    check.refresh_from_db()
    assert check.action == "WARN"  # what is stored stays
    with open("docs/openapi.yaml") as file:
        document = yaml.load(file, yaml.CSafeLoader)
    for component, value in (("ReplayOutput", body), ("PolicyPage", api.get(URL).json())):
        schema = {"$ref": f"#/components/schemas/{component}", "components": document["components"]}
        jsonschema.validate(value, schema, cls=jsonschema.Draft202012Validator)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"sample": 0}, "sample"), ({"sample": 1_000_001}, "sample"), ({"since": "soon"}, "since"),
        ({"since": "2026-01-02T00:00:00Z", "until": "2026-01-01T00:00:00Z"}, "until"),
        ({"samples": 5}, "samples"),
    ],
)  # fmt: skip
def test_a_replay_is_bounded(api, body, field) -> None:
    policy = create(api, rules={})
    answer = api.post(f"{URL}/{policy['id']}/replay", body, format="json")
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == [field]


def test_a_long_replay_is_a_job(api) -> None:
    policy = create(api, rules={})
    answer = api.post(f"{URL}/{policy['id']}/replay", {"sample": 10_001}, format="json")
    assert (answer.status_code, answer.json()["state"]) == (202, "queued")
    where = answer["Location"]
    run_job(answer.json()["id"])
    body = api.get(where).json()
    assert (body["state"], body["result"]["replayed"], body["error"]) == ("done", 0, None)
    for sample in range(10_002, 10_007):
        api.post(f"{URL}/{policy['id']}/replay", {"sample": sample}, format="json")
    response = api.post(f"{URL}/{policy['id']}/replay", {"sample": 10_007}, format="json")
    assert response.status_code == 409


@pytest.mark.parametrize("versions", [1, 30])
def test_a_page_costs_two_queries(api, application, versions) -> None:
    for _ in range(versions):
        create_policy(application_id=application.pk, rules={}, by="test")
    api.get(URL)  # the key is touched once a minute
    with assertNumQueries(2):  # key, versions
        assert len(api.get(URL).json()["results"]) == versions
