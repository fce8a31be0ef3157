"""`/memory/` and the admin: changes by a manager, and by a lead."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertNumQueries

from accounts.models import Role
from accounts.services import grant_role
from audit.models import Event, TrailEntry
from memory.models import Manager, MemoryEntry
from memory.services import remember
from memory.services.managers import create_manager

LIMIT = "The scaffold wind limit is 25 km/h."
ROLE = "I'm the site safety manager."


@pytest.fixture
def kim(application) -> Manager:
    """Make a manager with a log-in."""
    user = User.objects.create_user("kim")
    return create_manager(application=application, name="Kim", user=user, by="test")


@pytest.fixture
def browser(kim, as_user) -> Client:
    return as_user(kim.user)


@pytest.fixture
def person(application, as_user, member) -> Callable[[Role], Client]:
    """Return a function that makes browsers of staff with a role."""
    return lambda role: as_user(member(str(role), role, application))


def at(name: str, manager: Manager, *rest: object) -> str:
    return reverse(name, args=[manager.pk, *rest])


def test_what_is_remembered_is_seen_corrected_and_deleted(browser, kim) -> None:
    assert browser.get("/memory/")["Location"] == at("memory_of", kim)
    form = {"statement": f"{LIMIT} The gate code is 4711."}
    page = browser.post(at("memory_say", kim), form, follow=True).content.decode()
    assert "remembered." in page
    assert "4711" not in page
    assert "It holds a password, key or code, which is never stored." in page
    entry = MemoryEntry.objects.get()
    correction = {"text": "The scaffold wind limit is 30 km/h."}
    page = browser.post(
        at("memory_correct", kim, entry.pk), correction, follow=True
    ).content.decode()
    assert "in place of the earlier value" in page
    assert "Earlier values (1)" in page
    newest = MemoryEntry.objects.get(superseded_at=None)
    file = browser.get(at("memory_download", kim, "company"))
    assert "30 km/h" in file.content.decode()
    assert "COMPANY_MEMORY.md" in file["Content-Disposition"]
    trail_entry = TrailEntry.objects.get(event=Event.MEMORY_EXPORTED)
    assert (trail_entry.actor, trail_entry.application_id) == ("kim", kim.application_id)
    assert trail_entry.data == {"target": "company", "entries": 1}
    browser.post(at("memory_take_back", kim, newest.pk))
    browser.post(at("memory_delete", kim, entry.pk))
    assert not MemoryEntry.objects.exists()


def test_what_others_said_is_escaped_and_only_read(browser, kim, ann) -> None:
    remember(ann, ROLE)
    foreign_fact = remember(ann, "The <script>alert(1)</script> crane limit is 38 km/h.").main
    page = browser.get(at("memory_of", kim)).content.decode()
    assert "&lt;script&gt;" in page
    assert "<script>" not in page
    assert ROLE not in page
    assert "Stated by somebody else" in page
    for name in ("memory_delete", "memory_correct", "memory_take_back"):
        assert (
            browser.post(at(name, kim, foreign_fact.entry_id), {"text": LIMIT}).status_code == 404
        )


def test_nobody_sees_another_managers_page(browser, kim, ann) -> None:
    for path in (at("memory_of", ann), at("memory_download", ann, "user")):
        assert browser.get(path).status_code == 404
        assert Client().get(path)["Location"].startswith("/login?next=")
    assert browser.post(at("memory_say", ann), {"statement": LIMIT}).status_code == 404
    assert browser.get(at("memory_say", kim)).status_code == 405
    assert not MemoryEntry.objects.exists()


@pytest.mark.parametrize("rows", [1, 9])
def test_the_page_costs_five_queries(browser, kim, rows) -> None:
    for n in range(rows):
        remember(kim, f"The crane limit of block {n} is {20 + n} km/h.")
    with assertNumQueries(5):  # session, user, second factor, managers, entries
        assert browser.get(at("memory_of", kim)).content.count(b"crane limit of block") >= rows


def test_leads_make_managers_and_delete_company_facts(ann, person) -> None:
    lead, reviewer = person(Role.LEAD), person(Role.REVIEWER)
    own, company = remember(ann, ROLE), remember(ann, LIMIT)
    page = lead.get(reverse("admin:memory_memoryentry_changelist")).content.decode()
    assert LIMIT in page
    assert "safety manager" not in page, "what Ann said of herself is hers"
    add = {"application": str(ann.application_id), "name": "Ben", "user": ""}
    assert reviewer.post(reverse("admin:memory_manager_add"), add).status_code == 403
    assert lead.post(reverse("admin:memory_manager_add"), add).status_code == 302
    assert Manager.objects.filter(name="Ben").exists()
    for who, entry, status in (
        (reviewer, company, 403), (lead, own, 302), (lead, company, 302),
    ):  # fmt: skip
        path = reverse("admin:memory_memoryentry_delete", args=[entry.main.entry_id])
        assert who.post(path, {"post": "yes"}).status_code == status
    assert list(MemoryEntry.objects.values_list("text", flat=True)) == [ROLE]


def test_a_lead_links_only_accounts_of_the_application(ann, person, superuser) -> None:
    lead, stranger = person(Role.LEAD), User.objects.create_user("stranger")
    member = User.objects.get(username=str(Role.LEAD))
    grant_role(user=superuser, application=ann.application, role=Role.LEAD, by="test")
    for user, status in ((superuser, 200), (stranger, 200), (member, 302)):
        add = {"application": str(ann.application_id), "name": user.username, "user": str(user.pk)}
        assert lead.post(reverse("admin:memory_manager_add"), add).status_code == status
        assert Manager.objects.filter(user=user).exists() is (status == 302)


def test_the_account_of_a_manager_is_chosen_from_a_list_of_names(ann, person) -> None:
    lead = person(Role.LEAD)
    for page in ("admin:memory_manager_add", "admin:memory_manager_change"):
        address = reverse(page, args=[ann.pk] if page.endswith("change") else [])
        form = lead.get(address).content.decode()
        assert '<select name="user"' in form
        assert f">{Role.LEAD}</option>" in form
        assert "related-lookup" not in form, (
            "Django's magnifier opens a list that leads may not see"
        )


@pytest.mark.parametrize("rows", [1, 9])
def test_the_admin_lists_cost_the_same_for_many(ann, person, rows) -> None:
    for n in range(rows):
        remember(ann, f"The crane limit of block {n} is {20 + n} km/h.")
    lead = person(Role.LEAD)
    # The session, its user, the second factor, two of permissions, the roles, the count, the rows,
    # the applications.
    with assertNumQueries(9):
        lead.get(reverse("admin:memory_memoryentry_changelist"))
