"""The replies that the OpenAPI document shows are real ones.

After a change of the API: `WRITE_REPLIES=1 .venv/bin/python -m pytest THIS_FILE`, `make api-docs`.
"""

import json
import os
from typing import Any

import jsonschema
import pytest
import yaml
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from analysis.models import Check
from analysis.services.checking import run_check
from analysis.services.trends import count_waiting
from documents.models import Document
from documents.services.indexing import index_document
from tests.integration.api.test_openapi import ASYNC, COMMITTED, operations
from tests.shapes import names_of
from watchdog_site.openapi_document import EXAMPLES, REPLIES

Replies = dict[str, dict[str, Any]]
REFUNDS = b"Refunds take 14 days. Send the goods back with their receipt, in their box.\n"


def request_of(name: str) -> Any:
    return json.loads(EXAMPLES.read_text())[name]["request"]


@pytest.fixture
def replies(api: APIClient, empty_redis: None) -> Replies:
    """Return the server's replies to the documented requests."""

    def post(path: str, name: str, **headers: Any) -> Any:
        response = api.post(f"/api/v1/{path}", request_of(name), format="json", **headers)
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
def test_the_replies_that_are_shown_have_the_members_of_real_ones(replies: Replies) -> None:
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


def test_the_replies_that_are_shown_fit_their_schemas() -> None:
    document = yaml.safe_load(COMMITTED.read_text())
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
