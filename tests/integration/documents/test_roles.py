"""Every page and every change of collections and documents × every role."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django.asserts import assertNumQueries

from documents.models import Collection, Document
from documents.services.collections import create_collection
from documents.services.uploads import upload
from tests.integration.people import ROLES

BOTH = "lead there, auditor here"
MANAGING = ("superuser", "lead")
COLLECTIONS, DOCUMENTS = "/admin/documents/collection/", "/admin/documents/document/"
each_role = pytest.mark.parametrize("role", [*ROLES, BOTH])


@pytest.fixture
def document(collection) -> Document:
    return upload(collection=collection, name="a.txt", data=b"The wind is strong.", by="t").document


@each_role
def test_pages_by_role(role, browser, document, other_application) -> None:
    foreign = create_collection(application=other_application, name="foreign-books", by="t")
    upload(collection=foreign, name="secret.txt", data=b"secret", by="t")
    client, sees, sees_foreign = (
        browser(role),
        role != "foreign lead",
        role not in ("lead", "reviewer", "auditor"),
    )
    for place, row in ((COLLECTIONS, document.collection), (DOCUMENTS, document)):
        many = client.get(place)
        response = client.get(f"{place}{row.pk}/change/", follow=True)
        assert (row in many.context["cl"].result_list) == sees
        # Another application's row is answered as an unknown id is.
        assert ("doesn’t exist" in response.content.decode()) != sees
    page = client.get(DOCUMENTS).content.decode()
    # Where one application alone is seen there is nothing to choose.
    assert (">Demo<" in page) == (sees and sees_foreign)
    assert (">handbook<" in page) == sees
    assert (">foreign-books<" in page) == sees_foreign
    for query in (f"collection={foreign.pk}", f"application={other_application.pk}"):
        is_shown = "secret.txt" in client.get(f"{DOCUMENTS}?{query}").content.decode()
        assert is_shown == sees_foreign


@each_role
def test_changes_by_role(role, browser, collection, application) -> None:
    client, manages = browser(role), role in MANAGING
    page = client.get(f"{DOCUMENTS}?collection={collection.pk}")
    assert ('id="drop"' in page.content.decode()) == manages
    form = {"file": SimpleUploadedFile("a.txt", b"The wind.")}
    client.post(f"{DOCUMENTS}upload/{collection.pk}/", form)
    assert Document.objects.exists() == manages
    client.post(f"{COLLECTIONS}add/", {"application": application.pk, "name": "another"})
    assert Collection.objects.filter(name="another").exists() == manages
    client.post(f"{COLLECTIONS}{collection.pk}/change/", {"subject": "Mathematics"})
    collection.refresh_from_db()
    assert (collection.subject == "Mathematics") == manages


@each_role
@pytest.mark.parametrize("way", ["page", "action"])
def test_deleting_by_role(role, way, browser, document) -> None:
    client = browser(role)
    for place, row in ((DOCUMENTS, document), (COLLECTIONS, document.collection)):
        if way == "page":
            client.post(f"{place}{row.pk}/delete/", {"post": "yes"})
        else:
            form = {"action": "delete_selected", "_selected_action": str(row.pk), "post": "yes"}
            client.post(place, form)
        assert type(row).objects.filter(pk=row.pk).exists() == (role not in MANAGING)


@pytest.mark.parametrize("rows", [1, 12])
def test_a_members_lists_cost_a_fixed_number_of_queries(browser, collection, rows) -> None:
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
