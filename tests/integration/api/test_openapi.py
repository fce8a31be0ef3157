"""The committed OpenAPI document: it is served, valid, and kept by real responses."""

import json
import os
import socket
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from django.core.files.uploadedfile import SimpleUploadedFile
from openapi_spec_validator import validate
from rest_framework.test import APIClient

from analysis.engine.pipeline import RISK_API_STATUS
from analysis.models import Check
from analysis.services.checking import run_check
from analysis.services.trends import count_waiting
from documents.models import Document
from documents.services.indexing import index_document
from tests.commands import run
from tests.shapes import names_of
from watchdog_site import openapi_document
from watchdog_site.openapi_document import EXAMPLES, REPLIES

COMMITTED = Path("docs/openapi.yaml")
ASYNC = {"HTTP_PREFER": "respond-async"}


@pytest.fixture(scope="module")
def document() -> dict:
    return yaml.safe_load(COMMITTED.read_text())


def assert_fits(document: dict, component: str, value: object) -> None:
    schema = {"$ref": f"#/components/schemas/{component}", "components": document["components"]}
    jsonschema.validate(value, schema, cls=jsonschema.Draft202012Validator)


@pytest.mark.skipif("WRITE_REPLIES" in os.environ, reason="the replies are being written anew")
def test_it_changes_only_on_purpose() -> None:
    printed = run("spectacular", validate=True, fail_on_warn=True)
    assert printed == COMMITTED.read_text(), "The API changed. If on purpose: make api-docs"


def test_it_is_openapi_3_1(document) -> None:
    assert document["openapi"].startswith("3.1")
    validate(document)


def operations(document: dict) -> list[tuple[str, str, dict]]:
    return [
        (path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method in ("get", "post", "put", "patch", "delete")
    ]


@pytest.fixture(autouse=True)
def resolver(monkeypatch) -> None:
    """Know the host of the examples, which nothing here could look up."""
    look_up = socket.getaddrinfo

    def looked_up(host: Any, *rest: Any, **options: Any) -> Any:
        address = "93.184.216.34" if host == "hooks.example.com" else host
        return look_up(address, *rest, **options)

    monkeypatch.setattr(socket, "getaddrinfo", looked_up)


def test_every_operation_has_a_tag_errors_and_descriptions(document) -> None:
    tag_names = {tag["name"] for tag in document["tags"]}
    for path, method, operation in operations(document):
        name = operation["operationId"]
        assert set(operation["tags"]) <= tag_names, name
        assert all(item["description"] for item in operation["responses"].values()), name
        if path == "/api/v1/schema":
            continue
        expected = {"401", "403", "429", "503"}
        expected |= {"400", "413", "415"} if "requestBody" in operation else set()
        expected |= {"404"} if "{" in path else set()
        assert expected <= set(operation["responses"]), name
        if method != "get" and "application/json" in operation.get("requestBody", {}).get(
            "content", {}
        ):
            assert "example" in operation["requestBody"]["content"]["application/json"], name


def test_every_list_has_one_shape(document) -> None:
    bodies = [
        (operation["operationId"], content["schema"])
        for _, _, operation in operations(document)
        for status, response in operation["responses"].items()
        for content in response.get("content", {}).values()
        if status.startswith("2")
    ]
    assert [name for name, schema in bodies if schema.get("type") == "array"] == []
    assert [name for name, schema in bodies if schema.get("$ref", "").endswith("UsageList")]


def test_the_risk_apis_words_for_a_status_are_explained(document) -> None:
    description = document["paths"]["/api/analyze"]["post"]["description"]
    for text in (description, Path("docs/reference/api.md").read_text()):
        words = [word for pair in RISK_API_STATUS.items() for word in map(str, pair)]
        assert [word for word in words if word not in text] == []


def test_every_example_fits_its_schema(document) -> None:
    for _, _, operation in operations(document):
        for content in operation.get("requestBody", {}).get("content", {}).values():
            if "example" in content:
                schema = {**content["schema"], "components": document["components"]}
                jsonschema.validate(content["example"], schema, cls=jsonschema.Draft202012Validator)
    assert_fits(document, "Problem", document["components"]["schemas"]["Problem"]["example"])


def test_real_errors_fit_it(document, api) -> None:
    for problem in (
        api.post("/api/v1/checks", {"answer": 5}, format="json"),
        api.get("/api/v1/checks/00000000-0000-0000-0000-000000000000"),
        APIClient().get("/api/v1/checks"),
        api.delete("/api/v1/checks"),
    ):
        assert problem.status_code >= 400
        assert_fits(document, "Problem", problem.json())


def test_the_document_is_made_once_whoever_asks(client) -> None:
    openapi_document._document.cache_clear()
    answers = [client.get("/api/v1/schema", {"format": "json"}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert openapi_document._document.cache_info().misses == 1


Replies = dict[str, dict[str, Any]]
REFUNDS = b"Refunds take 14 days. Send the goods back with their receipt, in their box.\n"


@pytest.fixture
def replies(api, empty_redis) -> Replies:
    """Return the server's replies to the documented requests."""

    examples = json.loads(EXAMPLES.read_text())

    def post(path: str, name: str, **headers: Any) -> Any:
        body = examples[name]["request"]
        response = api.post(f"/api/v1/{path}", body, format="json", **headers)
        assert response.status_code < 300, response.json()
        return response.json()

    queued = post("checks", "submit_check", **ASYNC)
    run_check(Check.objects.get().pk)
    checks = f"/api/v1/checks/{queued['id']}"
    done = api.get(checks).json()
    count_waiting()
    usage = api.get("/api/v1/usage").json()
    feedback = post(f"checks/{queued['id']}/feedback", "give_feedback")
    listed = api.get("/api/v1/checks").json()
    batch = post("batches", "submit_batch")
    collection = post("collections", "create_collection")
    file = SimpleUploadedFile("refunds.txt", REFUNDS)
    document = api.post("/api/v1/documents", {"collection": "handbook", "file": file}).json()
    index_document(Document.objects.get().pk)
    post("policies", "create_policy")
    return {
        "submit_check": {"200": done, "202": queued},
        "get_check": {"200": done},
        "list_checks": {"200": listed},
        "give_feedback": {"201": feedback},
        "submit_batch": {"202": batch},
        "get_batch": {"200": api.get(f"/api/v1/batches/{batch['id']}").json()},
        "create_collection": {"201": collection},
        "upload_document": {"202": document},
        "search": {"200": post("search", "search")},
        "create_webhook": {"201": post("webhooks", "create_webhook") | {"secret": "whsec_…"}},
        "list_reviews": {"200": api.get("/api/v1/reviews").json()},
        "get_usage": {"200": usage},
    }


@pytest.mark.django_db(transaction=True)  # as served: each request commits
def test_real_replies_fit_their_schemas_and_have_the_members_of_those_shown(
    document, replies
) -> None:
    described = {operation["operationId"]: operation for _, _, operation in operations(document)}
    if os.environ.get("WRITE_REPLIES"):
        REPLIES.write_text(json.dumps(replies, indent=1, ensure_ascii=False) + "\n")
    shown = json.loads(REPLIES.read_text())
    assert {name: list(by_status) for name, by_status in shown.items()} == {
        name: list(by_status) for name, by_status in replies.items()
    }
    for name, by_status in replies.items():
        for status, body in by_status.items():
            assert names_of(shown[name][status]) == names_of(body), (name, status)
            assert body.get("results") != [], name
            content = described[name]["responses"][status]["content"]["application/json"]
            schema = {**content["schema"], "components": document["components"]}
            jsonschema.validate(body, schema, cls=jsonschema.Draft202012Validator)


def test_the_replies_that_are_shown_fit_their_schemas(document) -> None:
    shown = 0
    for _, _, operation in operations(document):
        for response in operation["responses"].values():
            content = response.get("content", {}).get("application/json", {})
            if "example" in content:
                schema = {**content["schema"], "components": document["components"]}
                jsonschema.validate(content["example"], schema, cls=jsonschema.Draft202012Validator)
                name = content["schema"]["$ref"].rpartition("/")[2]
                properties = document["components"]["schemas"][name]["properties"]
                assert set(content["example"]) <= set(properties), operation["operationId"]
                shown += 1
    assert shown == sum(map(len, json.loads(REPLIES.read_text()).values()))
