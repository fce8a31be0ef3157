"""Collections and documents in the admin."""

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django.asserts import assertNumQueries

from accounts.models import Application
from audit.models import TrailEntry
from documents.admin import size_in_words
from documents.models import Collection, Document
from documents.services.indexing import index_document
from documents.services.uploads import upload

LIST = "/admin/documents/document/"


def send(desk: Client, collection: Collection, data: bytes) -> Any:
    file = SimpleUploadedFile("x.txt", data)
    return desk.post(f"{LIST}upload/{collection.pk}/", {"file": file})


def test_a_collection_is_made_and_deleted_through_the_services(desk, application) -> None:
    form = {"application": application.pk, "name": "hand book", "class_number": "10"}
    refused = desk.post("/admin/documents/collection/add/", form)
    assert 'wd-chip--form" open' in refused.content.decode(), "the form stays open over the list"
    form |= {"name": "handbook", "subject": "x"}
    answer = desk.post("/admin/documents/collection/add/", form)
    collection = Collection.objects.get()
    assert answer.headers["Location"] == f"{LIST}?collection={collection.pk}"
    assert (collection.name, collection.class_number) == ("handbook", 10)
    place = f"/admin/documents/collection/{collection.pk}"
    desk.post(f"{place}/change/", {"title": "The handbook", "class_number": "9", "subject": ""})
    collection.refresh_from_db()
    assert (collection.title, collection.class_number, collection.subject) == (
        "The handbook",
        9,
        "",
    )
    assert TrailEntry.objects.filter(event="collection.changed").count() == 1
    desk.post(f"{place}/delete/", {"post": "yes"})
    assert not Collection.objects.exists()


def test_a_file_is_uploaded_and_its_failure_told_in_words(desk, collection) -> None:
    answer = send(desk, collection, b"\x00\x01\x02" * 50)
    assert answer.content == b"Uploaded; it is being indexed."
    again = send(desk, collection, b"\x00\x01\x02" * 50)
    assert again.content == b"This file is already in the collection."
    assert "waiting for a worker" in desk.get(LIST).content.decode()
    document = Document.objects.get()
    index_document(document.pk)
    page = desk.get(LIST).content.decode()
    document.refresh_from_db()
    assert document.state == "failed"
    assert f"failed: {document.error}" in page
    detail_page = desk.get(f"{LIST}{document.pk}/change/")
    assert document.error in detail_page.content.decode()
    confirmation = desk.get(f"{LIST}{document.pk}/delete/").content.decode()
    assert "<dt>Documents</dt><dd>1</dd>" in confirmation
    desk.post(f"{LIST}{document.pk}/delete/", {"post": "yes"})
    assert not Document.objects.exists()


def test_a_file_too_large_is_refused(desk, collection, settings) -> None:
    settings.MAX_DOCUMENT_BYTES = 10
    answer = send(desk, collection, b"x" * 11)
    assert answer.content == b'<span class="wd-late">11 bytes; the limit is 10.</span>'
    assert not Document.objects.exists()


def test_the_limit_of_a_file_is_told_in_the_millions_that_it_counts_in(
    desk, collection, settings
) -> None:
    settings.MAX_DOCUMENT_BYTES = 50_000_000
    page = desk.get(LIST, {"collection": str(collection.pk)}).content.decode()
    assert "at most 50 MB each" in page
    assert 'data-large="It is larger than 50 MB."' in page


@pytest.mark.parametrize(
    ("size", "words"),
    [(1, "1 byte"), (999, "999 bytes"), (1_500, "1.5 kB"), (47_700_000, "47.7 MB")],
)
def test_a_size_is_told_in_powers_of_1000(size, words) -> None:
    assert size_in_words(size) == words


def test_a_file_beyond_the_quota_is_refused(desk, collection) -> None:
    Application.objects.update(file_megabytes=1)
    answer = send(desk, collection, b"x" * 1_000_001)
    assert "The quota file_megabytes of this application is 1" in answer.content.decode()
    assert not Document.objects.exists()


def test_the_page_of_a_collection_asks_how_far_its_files_are(desk, collection) -> None:
    document = upload(collection=collection, name="a.txt", data=b"The wind is strong.", by="t")
    ids = {"id": str(document.document.pk)}
    unread = desk.get(f"{LIST}progress/", ids)
    assert (unread.status_code, "waiting for a worker" in unread.content.decode()) == (200, True)
    index_document(document.document.pk)
    finished = desk.get(f"{LIST}progress/", ids)
    assert (finished.status_code, "indexed" in finished.content.decode()) == (286, True)
    assert desk.get(f"{LIST}progress/", {"id": "x"}).status_code == 400
    collections = desk.get("/admin/documents/collection/").content.decode()
    assert re.search(r"<td[^>]*field-files[^>]*>1</td>", collections)
    assert desk.get(f"{LIST}?collection=x").status_code == 200


@pytest.mark.parametrize("rows", [1, 15])
def test_the_list_costs_a_fixed_number_of_queries(desk, collection, rows) -> None:
    for n in range(rows):
        upload(collection=collection, name=f"{n}.txt", data=b"The wind is strong.", by="t")
    # session; user; second factor; applications and collections of the filters; count; page
    with assertNumQueries(7):
        desk.get(LIST)
