"""The page that a person gets where a page cannot be shown: our own, with a way on."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from accounts.models import Application, Role
from tests.integration.people import person

pytestmark = pytest.mark.django_db
HOME = '<a class="wd-button wd-button--main" href="/">'


@pytest.fixture
def auditor(application: Application) -> User:
    return person("otto", Role.AUDITOR, application)


def test_nothing_at_an_address(auditor: User) -> None:
    client = Client()
    response = client.get("/nowhere/", headers={"accept-language": "de"})
    html = response.content.decode()
    assert (response.status_code, "Seite nicht gefunden" in html) == (404, True)
    client.force_login(auditor)
    html = client.get("/nowhere/").content.decode()
    assert "Page not found" in html
    assert HOME in html
    assert 'aria-label="Main"' in html  # the navigation stays


def test_what_the_role_does_not_allow(auditor: User) -> None:
    client = Client()
    client.force_login(auditor)
    response = client.get("/playground/")
    html = response.content.decode()
    assert (response.status_code, "No access" in html, HOME in html) == (403, True, True)


def test_a_form_without_its_token(auditor: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(auditor)
    response = client.post("/playground/", {})
    html = response.content.decode()
    assert (response.status_code, "Please try again" in html) == (403, True)


def test_an_error_of_the_server(auditor: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: object, **_options: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("desk.dashboard.selectors.home.problems", broken)
    client = Client(raise_request_exception=False)
    client.force_login(auditor)
    response = client.get("/")
    html = response.content.decode()
    assert (response.status_code, "Something went wrong" in html) == (500, True)
    assert "broken" not in html
