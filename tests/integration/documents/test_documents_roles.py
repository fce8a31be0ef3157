"""Every page and every change of collections and documents × every role."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django.asserts import assertNumQueries

from accounts.models import Application
from documents.models import Collection, Document
from documents.services.collections import create_collection
from documents.services.uploads import upload
from tests.shapes import Browser

MANAGING = ("superuser", "lead")
SEEING = (*MANAGING, "reviewer", "auditor")
ROLES = (
    *(*SEEING, "foreign lead", "lead there, auditor here"),
    *("staff without a role", "not staff", "inactive lead", "nobody"),
)
OUTSIDE = ("not staff", "inactive lead", "nobody")
COLLECTIONS, DOCUMENTS = "/admin/documents/collection/", "/admin/documents/document/"


@pytest.fixture
def document(collection: Collection) -> Document:
    return upload(collection=collection, name="a.txt", data=b"The wind is strong.", by="t").document


def sees(role: str) -> bool:
    return role in SEEING or role == "lead there, auditor here"


@pytest.mark.parametrize("role", ROLES)
def test_pages_by_role(role: str, browser: Browser, document: Document) -> None:
    client = browser(role)
    for place, row in ((COLLECTIONS, document.collection), (DOCUMENTS, document)):
        many = client.get(place)
        response = client.get(f"{place}{row.pk}/change/", follow=True)
        if sees(role):
            assert row in many.context["cl"].result_list
            assert str(row) in response.content.decode()
        elif role == "foreign lead":
            assert list(many.context["cl"].result_list) == []
            assert "doesn’t exist" in response.content.decode()  # as for an unknown id
        elif role in OUTSIDE:
            assert many.url.startswith("/admin/login/")
        else:
            assert many.status_code == 403


@pytest.mark.parametrize("role", ROLES)
def test_filters_name_only_what_one_may_see(
    role: str, browser: Browser, document: Document, other_application: Application
) -> None:
    create_collection(application=other_application, name="foreign-books", by="t")
    page = browser(role).get(DOCUMENTS).content.decode()
    # Where one application alone is seen there is nothing to choose.
    assert (">Demo<" in page) == (sees(role) and role not in ("lead", "reviewer", "auditor"))
    assert (">handbook<" in page) == sees(role)
    assert (">foreign-books<" in page) == (
        role in ("superuser", "foreign lead", "lead there, auditor here")
    )


@pytest.mark.parametrize("role", ROLES)
def test_a_filter_by_a_foreign_id_shows_nothing(
    role: str, browser: Browser, document: Document, other_application: Application
) -> None:
    foreign = create_collection(application=other_application, name="foreign-books", by="t")
    upload(collection=foreign, name="secret.txt", data=b"secret", by="t")
    client = browser(role)
    for query in (f"collection={foreign.pk}", f"application={other_application.pk}"):
        is_shown = "secret.txt" in client.get(f"{DOCUMENTS}?{query}").content.decode()
        assert is_shown == (role in ("superuser", "foreign lead", "lead there, auditor here"))


@pytest.mark.parametrize("role", ROLES)
def test_uploading_by_role(role: str, browser: Browser, collection: Collection) -> None:
    client = browser(role)
    page = client.get(f"{DOCUMENTS}add/")
    assert (page.status_code == 200 and "handbook" in page.content.decode()) == (role in MANAGING)
    form = {"collection": collection.pk, "upload": SimpleUploadedFile("a.txt", b"The wind.")}
    client.post(f"{DOCUMENTS}add/", form)
    assert Document.objects.exists() == (role in MANAGING)


@pytest.mark.parametrize("role", ROLES)
def test_making_a_collection_by_role(role: str, browser: Browser, application: Application) -> None:
    browser(role).post(f"{COLLECTIONS}add/", {"application": application.pk, "name": "handbook"})
    assert Collection.objects.exists() == (role in MANAGING)


@pytest.mark.parametrize("role", ROLES)
def test_changing_a_collection_by_role(role: str, browser: Browser, collection: Collection) -> None:
    browser(role).post(f"{COLLECTIONS}{collection.pk}/change/", {"subject": "Mathematics"})
    collection.refresh_from_db()
    assert (collection.subject == "Mathematics") == (role in MANAGING)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("way", ["page", "action"])
def test_deleting_by_role(role: str, way: str, browser: Browser, document: Document) -> None:
    client = browser(role)
    for place, row in ((DOCUMENTS, document), (COLLECTIONS, document.collection)):
        if way == "page":
            client.post(f"{place}{row.pk}/delete/", {"post": "yes"})
        else:
            form = {"action": "delete_selected", "_selected_action": str(row.pk), "post": "yes"}
            client.post(place, form)
        assert type(row).objects.filter(pk=row.pk).exists() == (role not in MANAGING)


@pytest.mark.parametrize("rows", [1, 12])
def test_a_members_lists_cost_a_fixed_number_of_queries(
    browser: Browser, collection: Collection, rows: int
) -> None:
    for n in range(rows):
        create_collection(application=collection.application, name=f"c{n}", by="t")
        upload(collection=collection, name=f"{n}.txt", data=b"The wind is strong.", by="t")
    client = browser("auditor")
    # session; user; second factor; own and groups' permissions, for the stock pages of the
    # side bar; memberships; applications of the filter; count; page; for documents also the
    # collections of the filter
    for place, queries in ((COLLECTIONS, 9), (DOCUMENTS, 10)):
        with assertNumQueries(queries):
            client.get(place)
