"""Ambiguous input of a client is refused, and the refusal names it."""

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.urls import reverse
from rest_framework.test import APIClient

from analysis.models import Check
from assistant.models import BriefingSchedule
from documents.services.collections import create_collection
from memory.services.managers import create_manager

CHECKS = "/api/v1/checks"
ASYNC = {"HTTP_PREFER": "respond-async"}


def refused(response, field: str, status: int = 400) -> str:
    body = response.json()
    assert response.status_code == status, body
    assert field in [error["field"] for error in body["errors"]]
    return body["detail"]


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/api/v1/documents?collection=%00", "collection"),
        ("/api/v1/checks?source_model=a%00", "source_model"),
        ("/api/v1/checks?metadata.%00=1", "metadata.\0"),
        ("/api/v1/checks?metadata[a]=%00", "metadata[a]"),
        ("/api/v1/checks?sate=done", "sate"),
        ("/api/v1/collections?page=2", "page"),
        ("/api/v1/managers?x=", "x"),
        ("/api/v1/checks?cursor=nonsense", "cursor"),
        ("/api/v1/documents?cursor=cD1ub25zZW5zZQ%3D%3D%00", "cursor"),
        ("/api/v1/assistant/conversations?manager=a&page_size=many", "page_size"),
        ("/api/v1/checks?page_size=0", "page_size"),
    ],
)
def test_query_parameters(api, path, field) -> None:
    refused(api.get(path), field)


def test_declared_query_parameters_are_taken(api) -> None:
    paths = ("checks?state=done&page_size=5", "documents?page_size=9", "policies", "reviews")
    for path in paths:
        assert api.get(f"/api/v1/{path}").status_code == 200


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/v1/checks", {"answer": "A.", "surces": []}),
        ("/api/v1/batches", {"items": [{"answer": "A."}], "surces": []}),
        ("/api/v1/collections", {"name": "a", "surces": 1}),
        ("/api/v1/managers", {"name": "Ann", "surces": 1}),
        ("/api/v1/search", {"query": "a", "collections": ["a"], "surces": 1}),
        ("/api/v1/assistant/messages", {"message": "A?", "manager": "Ann", "surces": 1}),
    ],
)
def test_unknown_members(api, path, body) -> None:
    refused(api.post(path, body, format="json"), "surces")


def test_half_a_character_in_a_name_is_no_part_of_the_refusal(api) -> None:
    response = api.post("/api/v1/checks", '{"\\ud800": 1}', content_type="application/json")
    refused(response, "?")


def nested(depth: int) -> dict:
    value: dict = {}
    for _ in range(depth):
        value = {"a": value}
    return value


@pytest.mark.parametrize("depth", [70, 900, 5_000])
def test_deep_metadata(api, depth) -> None:
    lists = "[" * depth + "]" * depth
    body = '{"answer": "A.", "metadata": {"a": ' + lists + "}}"
    response = api.post(CHECKS, body, content_type="application/json", **ASYNC)
    assert response.status_code == 400
    assert "64 levels" in response.json()["detail"]


def test_metadata_of_some_depth_is_kept(api) -> None:
    body = {"answer": "A.", "metadata": nested(60)}
    assert api.post(CHECKS, body, format="json", **ASYNC).status_code == 202


@pytest.mark.parametrize(
    "body", ['{"answer": "A.", "answer": "B."}', '{"answer": "A.", "metadata": {"a": 1, "a": 2}}']
)
def test_a_member_that_stands_twice(api, body) -> None:
    response = api.post(CHECKS, body, content_type="application/json", **ASYNC)
    assert response.status_code == 400
    assert "twice" in response.json()["detail"]


@pytest.mark.parametrize(
    ("prefer", "applied"),
    [
        ("wait=0", "wait=0"),
        ('WAIT = "0"', "wait=0"),
        ("respond-async", "respond-async"),
        ("handling=lenient; a=b, wait=0; c", "wait=0"),
        ('foo="a, respond-async", wait=0', "wait=0"),
        ("wait=0, wait=9", "wait=0"),
        ('wait="²", respond-async', "respond-async"),
        ("respond-async, wait=30", "respond-async"),
        ("wait=abc, respond-async", "respond-async"),
    ],
)
def test_prefer_is_read_as_rfc_7240_has_it(api, prefer, applied) -> None:
    response = api.post(CHECKS, {"answer": "A."}, format="json", HTTP_PREFER=prefer)
    assert (response.status_code, response["Preference-Applied"]) == (202, applied)


def test_a_preference_that_is_not_understood_was_not_applied(api, settings) -> None:
    settings.DEFAULT_WAIT_SECONDS = 0
    response = api.post(CHECKS, {"answer": "A."}, format="json", HTTP_PREFER="wait=abc")
    assert "Preference-Applied" not in response


def test_an_unknown_collection_is_named(api, application) -> None:
    response = api.get("/api/v1/documents?collection=none")
    assert response.status_code == 404
    assert "'none'" in response.json()["detail"]
    create_collection(application=application, name="some", by="test")
    assert api.get("/api/v1/documents?collection=some").status_code == 200


def test_a_check_that_names_an_unknown_collection(api, application) -> None:
    create_collection(application=application, name="some", by="test")
    body = {"answer": "A.", "collections": ["some", "none"]}
    response = api.post(CHECKS, body, format="json", **ASYNC)
    assert response.status_code == 422
    assert response.json()["type"] == "urn:watchdog:problem:unknown_collection"
    assert "'none'" in response.json()["detail"]
    assert not Check.objects.exists()
    items = [body, {"answer": "B.", "collections": ["some"]}]
    batch = api.post("/api/v1/batches", {"items": items}, format="json").json()
    assert batch["items"][0]["errors"][0]["field"] == "collections[1]"
    assert batch["items"][1]["check"]["state"] == "queued"


@pytest.mark.parametrize(
    ("query", "indexes"),
    [
        ("metadata.ticket=4711", [0]),
        ("metadata[ticket]=4711", [0]),
        ("metadata.ticket=4711&metadata.team=a", [0]),
        ("metadata.ticket=4711&metadata.team=b", []),
        ("metadata.team=a", [0, 1]),
        ("metadata.open=true", [1]),
        ("metadata.a.b=1", [2]),
        ("metadata.ticket=", []),
    ],
)
def test_checks_by_their_metadata(api, query, indexes) -> None:
    metadata = [{"ticket": 4711, "team": "a"}, {"team": "a", "open": True}, {"a.b": "1"}]
    ids = [
        api.post(CHECKS, {"answer": "A.", "metadata": item}, format="json", **ASYNC).json()["id"]
        for item in metadata
    ]
    results = api.get(f"{CHECKS}?{query}").json()["results"]
    assert sorted(ids.index(item["id"]) for item in results) == indexes


@pytest.mark.parametrize("query", ["metadata=1", "metadata.=1", "metadata[]=1", "matadata.a=1"])
def test_what_is_no_filter_of_metadata(api, query) -> None:
    refused(api.get(f"{CHECKS}?{query}"), query.partition("=")[0])


def test_a_list_shows_the_beginning_of_the_question(api) -> None:
    body = {"answer": "A.", "query": "Why? " * 100}
    api.post(CHECKS, body, format="json", **ASYNC)
    (row,) = api.get(CHECKS).json()["results"]
    assert row["question"] == ("Why? " * 100)[:200]


def test_pages_of_named_origins_may_call(settings) -> None:
    settings.CORS_ALLOWED_ORIGINS = ["https://app.example.com"]
    headers = {
        "HTTP_ACCESS_CONTROL_REQUEST_METHOD": "POST",
        "HTTP_ACCESS_CONTROL_REQUEST_HEADERS": "authorization, idempotency-key, prefer",
    }
    client = APIClient()
    preflight = client.options(CHECKS, HTTP_ORIGIN="https://app.example.com", **headers)
    assert preflight["Access-Control-Allow-Origin"] == "https://app.example.com"
    assert "idempotency-key" in preflight["Access-Control-Allow-Headers"]
    assert "Access-Control-Allow-Credentials" not in preflight
    for path, origin in ((CHECKS, "https://evil.example"), ("/login", "https://app.example.com")):
        assert "Access-Control-Allow-Origin" not in client.options(
            path, HTTP_ORIGIN=origin, **headers
        )


def test_the_id_of_a_manager_is_no_new_name(api) -> None:
    manager = api.post("/api/v1/managers", {"name": "Ann"}, format="json").json()
    body = {"message": "What is the limit?", "manager": manager["id"]}
    response = api.post("/api/v1/assistant/messages", body, format="json", **ASYNC)
    assert response.status_code == 202
    unknown = body | {"manager": "018f6b1e-0000-7000-8000-000000000000"}
    assert api.post("/api/v1/assistant/messages", unknown, format="json").status_code == 404
    assert [m["name"] for m in api.get("/api/v1/managers").json()["results"]] == ["Ann"]


def test_every_list_has_its_rows_in_results(api) -> None:
    lists = ("checks", "collections", "documents", "managers", "reviews", "policies")
    for name in lists:
        assert isinstance(api.get(f"/api/v1/{name}").json()["results"], list), name


def test_briefings_go_to_ones_own_address_or_an_allowed_domain(
    client, application, settings
) -> None:
    user = User.objects.create_user("mia", email="Mia@site.example")
    manager = create_manager(application=application, name="Mia", by="test")
    manager.user = user
    manager.save()
    client.force_login(user)
    page = reverse("assistant_schedule", args=[manager.pk])
    form = {"at": "06:30", "weekdays": ["0"], "zone": "UTC"}
    client.post(page, form | {"email": "victim@elsewhere.example"})
    assert not BriefingSchedule.objects.exists()
    client.post(page, form | {"email": "mia@site.example"})
    assert BriefingSchedule.objects.get().email == "mia@site.example"
    settings.BRIEFING_DOMAINS = ["office.example"]
    client.post(page, form | {"email": "team@office.example"})
    assert BriefingSchedule.objects.get().email == "team@office.example"
    assert not mail.outbox
