"""People are invited by whoever leads their application, and nobody else gets their link."""

import re
from unittest.mock import Mock

import pytest
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.models import User
from django.db import DatabaseError
from django.test import Client

from accounts.models import Application, Membership, Role
from accounts.services import create_application
from audit.models import Event, TrailEntry
from tests.integration.people import person

PASSWORD = "correct horse battery staple"
PEOPLE = "/admin/accounts/membership/"
pytestmark = pytest.mark.usefixtures("empty_redis")
LINK = re.compile(r"/account/invitation/[^\s<]+")


@pytest.fixture
def application(db) -> Application:
    return create_application(name="Help desk", slug="help-desk", by="test")


@pytest.fixture
def lead(application) -> Client:
    return member("lea", application, Role.LEAD)


def member(name: str, application: Application, role: Role) -> Client:
    client = Client()
    client.force_login(person(name, role, application))
    return client


def invite(client: Client, application: Application, email: str, role: str = "reviewer") -> str:
    form = {"email": email, "role": role, "application": application.pk}
    return client.post(PEOPLE, form, follow=True).content.decode()


def test_who_is_invited_chooses_a_password_and_reaches_the_desk(lead, application) -> None:
    page = invite(lead, application, "Anna@example.org")
    link = LINK.search(page)
    assert link, page
    anna = Client()
    form_page = anna.get(link[0], follow=True)
    passwords = {"new_password1": PASSWORD, "new_password2": PASSWORD}
    anna.post(form_page.redirect_chain[-1][0], passwords)
    login = {"username": "anna@example.org", "password": PASSWORD}
    assert anna.post("/login", login, follow=True).status_code == 200
    assert anna.get("/admin/analysis/review/workbench/").status_code == 200
    assert "too old" in Client().get(link[0], follow=True).content.decode()  # it works once
    made = TrailEntry.objects.filter(event=Event.USER_CREATED).values_list("actor", flat=True)
    assert list(made) == ["lea"]
    assert not LINK.search(invite(lead, application, "anna@example.org", "auditor"))
    assert Membership.objects.get(user__username="anna@example.org").role == Role.AUDITOR


def test_an_invited_persons_password_is_stored_with_its_entry_or_not_at_all(
    lead, application, monkeypatch
) -> None:
    link = LINK.search(invite(lead, application, "anna@example.org"))
    assert link
    anna = Client()
    form_page = anna.get(link[0], follow=True)
    monkeypatch.setattr(SetPasswordForm, "save", Mock(side_effect=DatabaseError))
    passwords = {"new_password1": PASSWORD, "new_password2": PASSWORD}
    with pytest.raises(DatabaseError):
        anna.post(form_page.redirect_chain[-1][0], passwords)
    assert not TrailEntry.objects.filter(event=Event.PASSWORD_CHANGED).exists()


def test_a_link_is_never_for_somebody_of_another_application(lead, application) -> None:
    other = create_application(name="Claims", slug="claims", by="test")
    stranger = member("sue", other, Role.LEAD)
    assert LINK.search(invite(lead, application, "ben@example.org"))
    assert not LINK.search(invite(stranger, other, "ben@example.org"))
    assert "valid choice" in invite(stranger, application, "eve@example.org")
    assert not User.objects.filter(username="eve@example.org").exists()


def test_only_leads_see_people_and_withdraw_the_roles_of_others(lead, application) -> None:
    reviewer = member("rob", application, Role.REVIEWER)
    assert reviewer.get(PEOPLE).status_code == 403
    assert PEOPLE not in reviewer.get("/settings/").content.decode()
    own, other = (Membership.objects.get(user__username=name) for name in ("lea", "rob"))
    sue = member("sue", create_application(name="Claims", slug="claims", by="test"), Role.LEAD)
    selection = {"action": "withdraw", "_selected_action": [own.pk, other.pk]}
    for client in (reviewer, sue):
        client.post(PEOPLE, selection)
        assert Membership.objects.filter(pk=other.pk).exists()
    assert lead.post(PEOPLE, selection).status_code == 302
    assert Membership.objects.filter(pk=own.pk).exists()
    assert not Membership.objects.filter(pk=other.pk).exists()
    assert TrailEntry.objects.filter(event=Event.ROLE_WITHDRAWN, actor="lea").count() == 1


def test_the_list_costs_the_same_for_two_people_and_for_nine(
    lead, application, django_assert_max_num_queries
) -> None:
    for number in range(8):
        member(f"r{number}", application, Role.REVIEWER)
    with django_assert_max_num_queries(12):
        assert b"r7" in lead.get(PEOPLE).content


def test_an_account_without_the_desk_is_refused_there_and_sent_to_no_second_log_in(db) -> None:
    kim = Client()
    kim.force_login(User.objects.create_user("kim", password=PASSWORD))
    assert kim.get("/admin/", follow=True).status_code == 403
    answer = Client().get("/admin/", follow=True)
    assert answer.redirect_chain[-1][0] == "/login?next=%2Fadmin%2F"
