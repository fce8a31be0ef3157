"""Every address of the admin × everybody without permission for it, and the pages of errors."""

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import NoReverseMatch, URLPattern, URLResolver, reverse

from accounts.models import Holiday, Role, Team
from accounts.services import grant_role
from audit.models import TrailEntry
from tests.integration.people import person, subscribed
from watchdog_site.urls import urlpatterns

OURS = ("accounts", "analysis", "audit", "documents", "memory", "notifications")
MORE = {"analysis_check_record": ("json",)}
"""Arguments that some addresses take in addition to the key of a row."""
WRITES = ("INSERT", "UPDATE", "DELETE")


def addresses() -> list[str]:
    """Return addresses that need no row, and one for each row of the model of an address."""
    beside = [
        urlpattern
        for urlpattern in urlpatterns
        if str(urlpattern.pattern).startswith("admin/") and getattr(urlpattern, "name", None)
    ]
    paths = [reverse(item.name) for item in beside if not item.pattern.converters]
    for name in _names(admin.site.get_urls()):
        label, _, rest = name.partition("_")
        if label not in OURS:
            continue
        paths += [reverse(f"admin:{name}", args=key) for key in _keys(name, label, rest)]
    return sorted(set(paths))


def _names(patterns: list[URLPattern | URLResolver]) -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _names(pattern.url_patterns)
        elif pattern.name:
            yield pattern.name


def _keys(name: str, label: str, rest: str) -> Iterator[list[object]]:
    """Yield the arguments with which the address can be made."""
    try:
        reverse(f"admin:{name}")
        yield []
    except NoReverseMatch:
        model = apps.get_model(label, rest.partition("_")[0])
        row = model._default_manager.order_by("pk").first()
        if row is not None:
            yield [row.pk, *MORE.get(name, ())]


@pytest.fixture
def rows(application, checked, superuser) -> list[str]:
    """Make something of everything; return all addresses."""
    checked()
    Holiday.objects.create(application=application, day="2026-12-25")
    Team.objects.create(application=application, name="Claims").members.add(superuser)
    grant_role(user=superuser, application=application, role=Role.LEAD, by="test")
    subscribed(application, "a@example.com")
    paths = addresses()
    assert len(paths) > 60
    for item in ("/admin/analysis/review/workbench/", "/admin/accounts/team/", "/admin/audit/"):
        assert any(address.startswith(item) for address in paths)
    return paths


@pytest.mark.parametrize("who", ["nobody", "not staff", "staff without a role"])
def test_who_has_no_role_gets_no_page_and_changes_nothing(who, rows, as_user, application) -> None:
    client = Client()
    if who != "nobody":
        user = User.objects.create_user("someone", is_staff=who != "not staff")
        if who == "not staff":
            grant_role(user=user, application=application, role=Role.LEAD, by="test")
        client = as_user(user)
    entries = TrailEntry.objects.count()
    for address in rows:
        for send in (client.get, client.post):
            answer = send(address)
            assert answer.status_code in (302, 403, 404, 405), (who, send.__name__, address)
            if answer.status_code == 302:
                to = answer["Location"]
                assert "/login/" in to or to in ("/", "/admin/"), (who, send.__name__, address, to)
    assert TrailEntry.objects.count() == entries


def test_an_auditor_changes_nothing_anywhere(rows, as_user, application) -> None:
    auditor = person("auditor", Role.AUDITOR, application)
    client = as_user(auditor)
    for address in rows:
        with CaptureQueriesContext(connection) as queries:
            answer = client.post(address, {"post": "yes"})
        assert answer.status_code < 500, address
        writes = [
            query["sql"][:80]
            for query in queries
            if query["sql"].startswith(WRITES) and "accounts_session" not in query["sql"]
        ]
        assert writes == [], address


def test_no_form_for_a_new_row_shows_what_only_the_database_knows(as_user, superuser) -> None:
    client = as_user(superuser)
    names = {name for name in _names(admin.site.get_urls()) if name.endswith("_add")}
    pages = {name: client.get(reverse(f"admin:{name}")) for name in names}
    shown = {name: page for name, page in pages.items() if page.status_code == 200}
    assert {"analysis_legalhold_add", "accounts_application_add"} <= set(shown)
    for name, page in shown.items():
        assert "object at 0x" not in page.content.decode(), name


pytestmark = pytest.mark.django_db
HOME = '<a class="wd-button wd-button--main" href="/">'


@pytest.fixture
def auditor(application) -> User:
    return person("otto", Role.AUDITOR, application)


def test_nothing_at_an_address(auditor) -> None:
    client = Client()
    response = client.get("/nowhere/", headers={"accept-language": "de"})
    html = response.content.decode()
    assert (response.status_code, "Seite nicht gefunden" in html) == (404, True)
    client.force_login(auditor)
    html = client.get("/nowhere/").content.decode()
    assert "Page not found" in html
    assert HOME in html
    assert 'aria-label="Main"' in html  # the navigation stays


def test_what_the_role_does_not_allow(auditor) -> None:
    client = Client()
    client.force_login(auditor)
    response = client.get("/playground/")
    html = response.content.decode()
    assert (response.status_code, "No access" in html, HOME in html) == (403, True, True)


def test_a_form_without_its_token(auditor) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(auditor)
    response = client.post("/playground/", {})
    html = response.content.decode()
    assert (response.status_code, "Please try again" in html) == (403, True)


def test_an_error_of_the_server(auditor, monkeypatch) -> None:
    def broken(*_arguments: object, **_options: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("desk.dashboard.selectors.home.problems", broken)
    client = Client(raise_request_exception=False)
    client.force_login(auditor)
    response = client.get("/")
    html = response.content.decode()
    assert (response.status_code, "Something went wrong" in html) == (500, True)
    assert "broken" not in html
