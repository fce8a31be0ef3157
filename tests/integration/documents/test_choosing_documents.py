"""Documents with metadata, and searches, checks and questions that choose documents by them."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError

from analysis.models import AnnotatedAnswer
from assistant.services import ask, start_conversation
from documents import retrieval
from documents.models import Collection, Document
from documents.retrieval import Mode, SearchOptions, search
from documents.services.collections import count_terms
from documents.services.indexing import index_document
from documents.services.uploads import upload
from memory.services.managers import create_manager
from tests.commands import run

pytestmark = pytest.mark.usefixtures("empty_redis")
QUESTION = "How long do refunds take?"
VERSIONS = {
    "old.txt": (14, {"version": 1, "branch": "north", "valid_to": "2025-12-31"}),
    "new.txt": (30, {"version": 2, "branch": "north", "valid_from": "2026-01-01"}),
    "south.txt": (45, {"version": 2, "branch": "south"}),
    "plain.txt": (60, {}),
}


@pytest.fixture
def versions(collection) -> Collection:
    """Return the collection with four documents that say when refunds are paid."""
    for name, (days, metadata) in VERSIONS.items():
        text = f"Refunds take {days} days. They are paid to the account of the customer."
        put = upload(
            collection=collection, name=name, data=text.encode(), by="t", metadata=metadata
        )
        assert index_document(put.document.pk)
    count_terms(collection.pk)
    collection.refresh_from_db()
    return collection


CHOICES: list[tuple[dict[str, Any], set[str]]] = [
    ({}, {"old.txt", "new.txt", "south.txt", "plain.txt"}),
    ({"version": 2}, {"new.txt", "south.txt"}),
    ({"version": 2, "branch": "north"}, {"new.txt"}),
    ({"branch": ["north", "south"]}, {"old.txt", "new.txt", "south.txt"}),
    ({"branch": []}, set()),
    ({"valid_on": "2025-12-31"}, {"old.txt", "south.txt", "plain.txt"}),
    ({"valid_on": "2026-01-01"}, {"new.txt", "south.txt", "plain.txt"}),
    ({"branch": "east"}, set()),
]


def test_a_search_finds_chosen_documents_alone(versions) -> None:
    for mode in Mode:
        for choice, names in CHOICES:
            options = SearchOptions(mode=mode, documents=choice, relevance_floor=0.0)
            found = {chunk.source for chunk in search([versions], QUESTION, 8, options)}
            assert found == names, (mode, choice)


def test_in_a_large_collection_too(versions, monkeypatch) -> None:
    monkeypatch.setattr(retrieval, "_EXACT_SCAN_CHUNKS", 0)
    options = SearchOptions(mode=Mode.DENSE, documents={"branch": "south"})
    assert [chunk.source for chunk in search([versions], QUESTION, 8, options)] == ["south.txt"]


def test_over_http(api, collection) -> None:
    def send(name: str, metadata: str) -> Any:
        file = SimpleUploadedFile(name, b"Refunds take 14 days. Sale items are not refunded.")
        return api.post(
            "/api/v1/documents", {"collection": "handbook", "file": file, "metadata": metadata}
        )

    first = send("a.txt", '{"branch": "north"}')
    assert (first.status_code, first.json()["metadata"]) == (202, {"branch": "north"})
    assert send("a.txt", '{"branch": "north"}').status_code == 200, "it is there already"
    second = send("a.txt", '{"branch": "south"}')
    assert second.status_code == 202, "other metadata make another document"
    index_document(first.json()["id"])
    index_document(second.json()["id"])
    assert [item.metadata for item in Document.objects.all()] == [{"branch": "south"}]
    refused = send("b.txt", '{"valid_from": "soon"}').json()["errors"][0]
    assert refused["detail"] == "valid_from: Must be a date such as 2026-03-01."
    query = {"query": QUESTION, "collections": ["handbook"]}
    for documents, count in (({"branch": "south"}, 1), ({"branch": "north"}, 0), (None, 1)):
        body = {**query, "documents": documents}
        assert len(api.post("/api/v1/search", body, format="json").json()["results"]) == count
    wrong = api.post("/api/v1/search", {**query, "documents": {"a": None}}, format="json").json()
    assert wrong["errors"][0]["field"] == "documents"


def test_a_check_reads_chosen_documents_alone(versions, checked, api) -> None:
    def action(**scope: Any) -> str:
        check = checked(
            "Refunds take 30 days.", query=QUESTION, collections=["handbook"], scope=scope
        )
        return str(AnnotatedAnswer.objects.get(pk=check.pk).decision["action"])

    assert action(documents={"branch": "north", "valid_on": "2026-06-01"}) == "ALLOW"
    assert action(documents={"branch": "north", "valid_on": "2025-06-01"}) == "BLOCK"
    assert action(documents={"branch": "east"}) == "BLOCK"
    body = {"answer": "Yes.", "collections": ["handbook"], "scope": {"documents": ["north"]}}
    refused = api.post("/api/v1/checks", body, format="json")
    assert refused.status_code == 400
    assert "Must be an object of names and values." in refused.content.decode()


def test_the_assistant_answers_from_chosen_documents_alone(
    transactional_db, versions, application
) -> None:
    manager = create_manager(application=application, name="Ann", by="t")
    conversation = start_conversation(manager, title=QUESTION)
    turn = ask(manager, conversation, QUESTION, documents={"branch": "south"})
    assert "Refunds take 45 days." in turn.answer
    files = {item["place"]["file"] for item in turn.evidence.contents["items"]}
    assert files == {"south.txt"}


def test_in_the_admin(desk, collection) -> None:
    def add(metadata: str) -> str:
        file = SimpleUploadedFile("a.txt", b"The wind is strong.")
        form = {"file": file, "metadata": metadata}
        address = f"/admin/documents/document/upload/{collection.pk}/"
        return desk.post(address, form).content.decode()

    assert "At most 300 characters" in add(json.dumps({"a": "x" * 301}))
    add('{"branch": "north"}')
    document = Document.objects.get()
    assert document.metadata == {"branch": "north"}
    page = desk.get(f"/admin/documents/document/{document.pk}/change/").content.decode()
    assert "north" in page


def test_on_the_command_line(application, tmp_path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("The wind is strong.")

    def ingest(*options: str) -> None:
        run(
            "ingest", str(file), "--collection", "notes", "--application", application.slug,
            "--processes", "1", *options,
        )  # fmt: skip

    ingest("--metadata", '{"version": "3"}')
    ingest()
    assert Document.objects.get().metadata == {"version": "3"}, "it keeps what it has"
    with pytest.raises(CommandError, match="--metadata: Must be a JSON object"):
        ingest("--metadata", "version=3")
