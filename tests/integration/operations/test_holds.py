"""A legal hold on an application keeps its documents and memories too, by whatever way they go."""

import pytest
from django.db import IntegrityError, transaction

from accounts.models import Application, Scope
from accounts.services import create_api_key
from analysis.models import LegalHold
from analysis.services.erasure import lift_hold, place_hold
from documents.models import Document
from documents.services.collections import create_collection
from documents.services.uploads import upload
from memory.models import Manager, MemoryEntry
from memory.services import remember
from memory.services.managers import create_manager, delete_from, delete_manager

pytestmark = pytest.mark.usefixtures("empty_redis")


@pytest.fixture
def document(application) -> Document:
    books = create_collection(application=application, name="books", by="test")
    return upload(collection=books, name="a.txt", data=b"A file.", by="api").document


@pytest.fixture
def manager(application) -> Manager:
    manager = create_manager(application=application, name="Kim", by="test")
    remember(manager, "I never work on Fridays.", source="test", by="kim")
    return manager


def test_the_api_refuses_to_delete_a_document(application, document, client) -> None:
    _, token = create_api_key(
        application=application, name="k", by="test", scopes=[Scope.DOCUMENTS_WRITE]
    )

    def delete() -> tuple[int, str]:
        answer = client.delete(
            f"/api/v1/documents/{document.pk}", headers={"Authorization": f"Bearer {token}"}
        )
        return answer.status_code, answer.json()["type"] if answer.content else ""

    hold = place_hold(application=application, reason="lawsuit", by="legal")
    assert delete() == (409, "urn:watchdog:problem:legal_hold")
    assert Document.objects.exists()
    lift_hold(hold, by="legal")
    assert delete() == (204, "")
    assert not Document.objects.exists()


def test_the_admin_says_why_a_document_stays(application, document, desk) -> None:
    place_hold(application=application, reason="lawsuit", by="legal")
    desk.raise_request_exception = False
    answer = desk.post(f"/admin/documents/document/{document.pk}/delete/", {"post": "yes"})
    assert answer.status_code == 409
    assert "on legal hold" in answer.content.decode()
    assert Document.objects.exists()


def test_memories_stay_with_their_manager(application, manager) -> None:
    hold = place_hold(application=application, reason="lawsuit", by="legal")
    entry = MemoryEntry.objects.earliest("pk")
    for delete in (
        lambda: delete_from(MemoryEntry.objects.all(), entry.pk, by="kim"),
        lambda: delete_manager(manager=manager, by="kim"),
    ):
        with pytest.raises(IntegrityError, match="on legal hold"), transaction.atomic():
            delete()
    assert MemoryEntry.objects.exists()
    lift_hold(hold, by="legal")
    delete_manager(manager=manager, by="kim")
    assert not MemoryEntry.objects.exists()


def test_a_hold_on_one_check_or_on_another_application_keeps_none_of_them(
    application, document, make_check
) -> None:
    other = Application.objects.create(name="Other", slug="other")
    place_hold(application=application, check=make_check(), reason="x", by="legal")
    place_hold(application=other, reason="x", by="legal")
    document.delete()
    assert not Document.objects.exists()


def test_a_check_is_held_by_its_id_and_let_go_in_the_admin(
    application, other_application, make_check, desk
) -> None:
    check, page = make_check(), "/admin/analysis/legalhold/"
    form = {"application": application.pk, "reason": "lawsuit", "check_record": check.pk}
    for wrong in ("nonsense", "01a22118-a5cf-78ad-8ef6-44e63d82713f"):
        assert desk.post(f"{page}add/", {**form, "check_record": wrong}).status_code == 200
    foreign = desk.post(f"{page}add/", {**form, "application": other_application.pk})
    assert "belongs to another application" in foreign.content.decode()
    assert not LegalHold.objects.exists()
    assert desk.post(f"{page}add/", form).status_code == 302
    hold = LegalHold.objects.get()
    assert (hold.check_record, hold.placed_by, hold.lifted_at) == (check, "root", None)
    assert "lawsuit" in desk.get(page).content.decode()
    assert "related-lookup" not in desk.get(f"{page}add/").content.decode()
    desk.post(page, {"action": "lift", "_selected_action": [hold.pk]})
    assert LegalHold.objects.get().lifted_by == "root"
