"""Collections and documents in the admin."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django.asserts import assertNumQueries

from accounts.models import Application
from audit.models import TrailEntry
from documents.models import Collection, Document
from documents.services.indexing import index_document
from documents.services.uploads import upload

ADD = "/admin/documents/document/add/"
LIST = "/admin/documents/document/"


def test_a_collection_is_made_and_deleted_through_the_services(
    desk: Client, application: Application
) -> None:
    form = {"application": application.pk, "name": "handbook", "class_number": "10", "subject": "x"}
    desk.post("/admin/documents/collection/add/", form)
    collection = Collection.objects.get()
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


def test_a_file_is_uploaded_and_its_failure_told_in_words(
    desk: Client, collection: Collection
) -> None:
    form = {
        "collection": collection.pk,
        "upload": SimpleUploadedFile("x.txt", b"\x00\x01\x02" * 50),
    }
    assert desk.post(ADD, form).status_code == 302
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
    assert "Documents: 1" in confirmation
    desk.post(f"{LIST}{document.pk}/delete/", {"post": "yes"})
    assert not Document.objects.exists()


def test_a_file_too_large_is_refused(
    desk: Client, collection: Collection, settings: pytest.FixtureRequest
) -> None:
    settings.MAX_DOCUMENT_BYTES = 10
    form = {"collection": collection.pk, "upload": SimpleUploadedFile("x.txt", b"x" * 11)}
    assert "the limit is 10" in desk.post(ADD, form).content.decode()
    assert not Document.objects.exists()


@pytest.mark.parametrize("rows", [1, 15])
def test_the_list_costs_a_fixed_number_of_queries(
    desk: Client, collection: Collection, rows: int
) -> None:
    for n in range(rows):
        upload(collection=collection, name=f"{n}.txt", data=b"The wind is strong.", by="t")
    # session; user; second factor; applications and collections of the filters; count; page
    with assertNumQueries(7):
        desk.get(LIST)
