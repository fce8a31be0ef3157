"""`/api/v1/collections`, `/documents` and `/search`."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from pytest_django.asserts import assertNumQueries
from rest_framework.test import APIClient

from audit.models import TrailEntry
from documents.models import Collection, Document, UploadKey
from documents.services.indexing import index_document
from documents.services.uploads import upload
from documents.tasks import forget_upload_keys

HANDBOOK = "Crane operation stops when the wind reaches 38 km/h. " * 3

pytestmark = pytest.mark.usefixtures("empty_redis")


def send(api: APIClient, data: bytes = HANDBOOK.encode(), name: str = "h.txt"):
    file = SimpleUploadedFile(name, data)
    return api.post("/api/v1/documents", {"collection": "handbook", "file": file})


def test_from_a_file_to_a_passage(api) -> None:
    response = api.post(
        "/api/v1/collections", {"name": "handbook", "class_number": 10}, format="json"
    )
    assert (response.status_code, response.json()["class_number"]) == (201, 10)
    upload_response = send(api)
    assert (upload_response.status_code, upload_response.json()["state"]) == (202, "queued")
    index_document(Document.objects.get().pk)
    body = api.get(upload_response["Location"]).json()
    assert (body["state"], body["collection"]) == ("indexed", "handbook")
    assert send(api).status_code == 200, "the very same file is there already"
    query = {"query": "When does crane operation stop?", "collections": ["handbook"]}
    best = api.post("/api/v1/search", query, format="json").json()["results"][0]
    assert "38 km/h" in best["text"]
    assert best["source"] == "h.txt"
    assert api.delete(upload_response["Location"]).status_code == 204
    assert api.delete("/api/v1/collections/handbook").status_code == 204
    assert not Collection.objects.exists()
    events = set(TrailEntry.objects.values_list("event", flat=True))
    assert {"document.uploaded", "document.deleted", "collection.deleted"} <= events


def test_many_files_are_uploaded_at_once_and_deleted_only_on_confirmation(api, collection) -> None:
    def post(*files: SimpleUploadedFile):
        body = {"collection": "handbook", "file": list(files), "metadata": '{"branch": "Linz"}'}
        return api.post("/api/v1/documents/bulk", body)

    names = ["b.txt", "a.txt"]
    response = post(*(SimpleUploadedFile(name, HANDBOOK.encode()) for name in names))
    assert response.status_code == 202, response.json()
    documents = response.json()["results"]
    assert [document["name"] for document in documents] == names
    assert all(document["metadata"] == {"branch": "Linz"} for document in documents)
    again = post(*(SimpleUploadedFile(name, HANDBOOK.encode()) for name in names))
    assert [document["id"] for document in again.json()["results"]] == [
        document["id"] for document in documents
    ]
    assert post().status_code == 400
    many = [SimpleUploadedFile(f"{at}.txt", b"Text.") for at in range(51)]
    assert post(*many).status_code == 400
    assert Document.objects.count() == 2
    refused = api.delete("/api/v1/collections/handbook")
    assert refused.status_code == 409
    assert refused.json()["type"].endswith("collection_not_empty")
    assert "2 documents" in refused.json()["detail"]
    assert api.delete("/api/v1/collections/handbook?confirm=other").status_code == 409
    assert api.delete("/api/v1/collections/handbook?confirm=handbook").status_code == 204
    assert not Document.objects.exists()


class TestRepeatedUploads:
    def keyed(self, api: APIClient, key: str, data: bytes = b"Old text.", name: str = "h.txt"):
        body = {"collection": "handbook", "file": SimpleUploadedFile(name, data)}
        return api.post("/api/v1/documents", body, headers={"Idempotency-Key": key})

    def test_a_repeated_upload_makes_nothing_again(self, api, collection) -> None:
        first, again = self.keyed(api, "k"), self.keyed(api, "k")
        assert (first.status_code, again.status_code) == (202, 200)
        assert first.json()["id"] == again.json()["id"]
        assert again["Idempotent-Replayed"] == "true"
        assert "Idempotent-Replayed" not in first.headers
        assert Document.objects.count() == 1

    def test_nor_where_the_document_has_failed(self, api, collection) -> None:
        first = self.keyed(api, "k", b"  ")
        index_document(Document.objects.get().pk)
        again = self.keyed(api, "k", b"  ")
        assert (again.json()["id"], again.json()["state"]) == (first.json()["id"], "failed")
        assert self.keyed(api, "new", b"  ").json()["id"] != first.json()["id"]

    @pytest.mark.parametrize("other", [{"data": b"Other."}, {"name": "i.txt"}])
    def test_a_key_for_another_upload_is_refused(self, api, collection, other) -> None:
        self.keyed(api, "k")
        reused = self.keyed(api, "k", **other)
        assert reused.status_code == 409
        assert reused.json()["type"].endswith("idempotency_key_reused")
        assert Document.objects.count() == 1

    def test_a_late_repetition_does_not_bring_back_what_was_replaced(self, api, collection) -> None:
        for key, data in (("old", b"Old text."), ("new", b"New text.")):
            upload_response = self.keyed(api, key, data)
            index_document(upload_response.json()["id"])
        late = self.keyed(api, "old")
        assert late.status_code == 409
        assert late.json()["type"].endswith("document_gone")
        assert Document.objects.get().text == "New text."

    @pytest.mark.parametrize("key", ["k", None])
    def test_of_two_at_once_the_second_waits_and_makes_nothing(
        self, transactional_db, api, collection, key
    ) -> None:
        with ThreadPoolExecutor(6) as pool:
            document_ids = list(pool.map(partial(_upload_once, collection, key), range(6)))
        assert len(set(document_ids)) == 1
        assert Document.objects.count() == 1

    def test_keys_are_forgotten_after_their_time(self, api, collection, settings) -> None:
        self.keyed(api, "k")
        forget_upload_keys()
        assert UploadKey.objects.count() == 1
        settings.IDEMPOTENCY_KEEP_HOURS = 0
        forget_upload_keys()
        assert not UploadKey.objects.exists()

    @pytest.mark.parametrize("key", ["", "k" * 256, "a\tb"])
    def test_a_malformed_key_is_refused(self, api, collection, key) -> None:
        assert self.keyed(api, key).status_code == 400


def _upload_once(collection: Collection, key: str | None, _: int) -> str:
    try:
        result = upload(collection=collection, name="h.txt", data=b"text", by="test", key=key)
        return str(result.document.pk)
    finally:
        connection.close()


def test_what_a_collection_is_about_can_be_said_anew(api, collection) -> None:
    place = "/api/v1/collections/handbook"
    api.patch(place, {"title": "Handbook", "class_number": 10}, format="json")
    response = api.patch(place, {"subject": "Mathematics"}, format="json")
    assert response.status_code == 200
    about = {"title": "Handbook", "class_number": 10, "subject": "Mathematics"}
    assert about.items() <= api.get(place).json().items()
    assert api.patch(place, {"class_number": None}, format="json").json()["class_number"] is None
    wrong = api.patch(place, {"class_number": "ten"}, format="json")
    assert wrong.status_code == 400
    assert wrong.json()["errors"][0]["field"] == "class_number"


def test_wrong_requests_are_problems(api, collection) -> None:
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


@pytest.mark.parametrize("rows", [1, 12])
def test_a_page_of_documents_costs_two_queries(api, collection, rows) -> None:
    for n in range(rows):
        send(api, name=f"{n}.txt")
    with assertNumQueries(2):  # the key with its application; the page with its collection
        assert len(api.get("/api/v1/documents").json()["results"]) == rows
