"""`/api/v1/collections`, `/documents` and `/search`."""

from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.models import Application, Scope
from audit.models import TrailEntry
from documents.models import Collection, Document
from documents.services.indexing import index_document

HANDBOOK = "Crane operation stops when the wind reaches 38 km/h. " * 3

pytestmark = pytest.mark.usefixtures("empty_redis")


def send(api: APIClient, data: bytes = HANDBOOK.encode(), name: str = "h.txt"):
    file = SimpleUploadedFile(name, data)
    return api.post("/api/v1/documents", {"collection": "handbook", "file": file})


def test_from_a_file_to_a_passage(api: APIClient) -> None:
    made = api.post("/api/v1/collections", {"name": "handbook", "class_number": 10}, format="json")
    assert (made.status_code, made.json()["class_number"]) == (201, 10)
    sent = send(api)
    assert (sent.status_code, sent.json()["state"]) == (202, "queued")
    index_document(Document.objects.get().pk)
    shown = api.get(sent["Location"]).json()
    assert (shown["state"], shown["collection"]) == ("indexed", "handbook")
    assert send(api).status_code == 200, "the very same file is there already"
    query = {"query": "When does crane operation stop?", "collections": ["handbook"]}
    best = api.post("/api/v1/search", query, format="json").json()["results"][0]
    assert "38 km/h" in best["text"]
    assert best["source"] == "h.txt"
    assert api.delete(sent["Location"]).status_code == 204
    assert api.delete("/api/v1/collections/handbook").status_code == 204
    assert not Collection.objects.exists()
    events = set(TrailEntry.objects.values_list("event", flat=True))
    assert {"document.uploaded", "document.deleted", "collection.deleted"} <= events


def test_what_a_collection_is_about_can_be_said_anew(
    api: APIClient, collection: Collection, client_with: Callable[..., APIClient]
) -> None:
    place = "/api/v1/collections/handbook"
    api.patch(place, {"title": "Handbook", "class_number": 10}, format="json")
    changed = api.patch(place, {"subject": "Mathematics"}, format="json")
    assert changed.status_code == 200
    about = {"title": "Handbook", "class_number": 10, "subject": "Mathematics"}
    assert about.items() <= api.get(place).json().items()
    assert api.patch(place, {"class_number": None}, format="json").json()["class_number"] is None
    wrong = api.patch(place, {"class_number": "ten"}, format="json")
    assert wrong.status_code == 400
    assert wrong.json()["errors"][0]["field"] == "class_number"
    reader = client_with(collection.application, Scope.DOCUMENTS_READ)
    assert reader.patch(place, {"title": "x"}, format="json").status_code == 403


def test_wrong_requests_are_problems(api: APIClient, collection: Collection) -> None:
    for response, status, field in (
        (api.post("/api/v1/collections", {"name": "a b"}, format="json"), 400, "name"),
        (api.post("/api/v1/collections", {"name": "handbook"}, format="json"), 409, None),
        (api.post("/api/v1/documents", {"collection": "handbook"}), 400, "file"),
        (
            api.post(
                "/api/v1/documents",
                {"collection": "none", "file": SimpleUploadedFile("a.txt", b"x")},
            ),
            400,
            "collection",
        ),
        (
            api.post("/api/v1/search", {"query": "x", "collections": ["none"]}, format="json"),
            400,
            "collections",
        ),
        (api.get("/api/v1/collections/none"), 404, None),
    ):
        assert response.status_code == status
        assert response["Content-Type"] == "application/problem+json"
        if field:
            assert field in [error["field"] for error in response.json()["errors"]]


def test_foreign_things_are_not_found(
    api: APIClient,
    collection: Collection,
    other_application: Application,
    client_with: Callable[..., APIClient],
) -> None:
    location = send(api)["Location"]
    stranger = client_with(other_application)
    assert stranger.get(location).status_code == 404
    assert stranger.delete(location).status_code == 404
    assert stranger.get("/api/v1/collections/handbook").status_code == 404
    changed = stranger.patch("/api/v1/collections/handbook", {"title": "mine"}, format="json")
    assert changed.status_code == 404
    assert stranger.get("/api/v1/documents").json()["results"] == []
    assert stranger.get("/api/v1/collections").json() == {"results": []}


def test_scopes(
    application: Application, collection: Collection, client_with: Callable[..., APIClient]
) -> None:
    reader = client_with(application, Scope.DOCUMENTS_READ)
    assert reader.get("/api/v1/documents").status_code == 200
    assert send(reader).status_code == 403
    query = {"query": "x", "collections": ["handbook"]}
    assert reader.post("/api/v1/search", query, format="json").status_code == 200
    assert client_with(application, Scope.CHECKS_READ).get("/api/v1/documents").status_code == 403


@pytest.mark.parametrize("rows", [1, 12])
def test_a_page_of_documents_costs_two_queries(
    api: APIClient, collection: Collection, rows: int
) -> None:
    for n in range(rows):
        send(api, name=f"{n}.txt")
    with CaptureQueriesContext(connection) as queries:
        assert len(api.get("/api/v1/documents").json()["results"]) == rows
    assert len(queries) == 2  # the key with its application; the page with its collection
