"""Log-in: lock-outs by name and by address, sessions that end, and names kept out of the trail."""

from datetime import timedelta
from unittest.mock import Mock

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.db import DatabaseError
from django.test import Client
from django.utils import timezone

from accounts.login_attempts import client_address
from accounts.pages import views
from accounts.sessions import LAST_ACTIVE
from audit.models import Event, TrailEntry

PASSWORD = "correct horse battery staple"
pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> User:
    return User.objects.create_user("anna", password=PASSWORD, is_staff=True)


def attempt(client: Client, name: str, password: str, address: str = "192.0.2.1") -> int:
    form = {"username": name, "password": password}
    return client.post("/login", form, REMOTE_ADDR=address).status_code


def test_a_name_is_locked_after_failures_from_anywhere(client, anna, settings) -> None:
    settings.AXES_FAILURE_LIMIT = 3
    for number in range(3):
        wrong = {"username": "anna", "password": "wrong"}
        client.post("/login", wrong, REMOTE_ADDR=f"192.0.2.{number}")
    assert attempt(client, "anna", PASSWORD, "198.51.100.9") == 429
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(hours=1))
    assert attempt(client, "anna", PASSWORD, "198.51.100.9") == 302


def test_an_address_is_locked_whatever_names_it_tries(client, anna, settings) -> None:
    settings.AXES_FAILURE_LIMIT = 3
    for number in range(3):
        attempt(client, f"guess{number}", "wrong", "2001:db8::1")
    assert attempt(client, "anna", PASSWORD, "2001:db8::2") == 429  # the same /64
    assert attempt(client, "anna", PASSWORD, "198.51.100.9") == 302


def test_a_lock_out_is_one_entry_of_the_trail(client, anna, settings) -> None:
    settings.AXES_FAILURE_LIMIT = 3
    for _ in range(8):
        attempt(client, "anna", "wrong")
    events = TrailEntry.objects.filter(subject_type="user").order_by("id")
    assert [entry.event for entry in events] == [
        Event.LOGIN_FAILED,
        Event.LOGIN_FAILED,
        Event.LOGIN_LOCKED,
    ]
    assert {entry.actor for entry in events} == {"anna"}


def test_an_unknown_name_is_stored_as_a_digest_only(client, anna) -> None:
    assert attempt(client, "my-secret-password", "x") == 200
    assert attempt(client, "\x00", "x") == 200
    attempt(client, "anna", "wrong")
    entries = TrailEntry.objects.filter(event=Event.LOGIN_FAILED).order_by("id")
    assert [entry.actor.partition(":")[0] for entry in entries] == ["unknown", "anna"]
    rows = [*entries.values(), *AccessAttempt.objects.values()]
    assert rows
    assert "my-secret" not in str(rows)


def test_an_idle_session_ends(client, anna, settings) -> None:
    client.force_login(anna)
    assert client.get("/account/password").status_code == 200
    session = client.session
    session[LAST_ACTIVE] -= settings.SESSION_IDLE_SECONDS + 1
    session.save()
    answer = client.get("/account/password", follow=True)
    assert answer.redirect_chain[-1][0] == "/login?next=/account/password"


def test_what_a_page_asks_by_itself_keeps_no_session_alive(client, anna) -> None:
    client.force_login(anna)
    session = client.session
    before = session[LAST_ACTIVE] = session[LAST_ACTIVE] - 600
    session.save()
    client.get("/account/password", headers={"X-Background": "1"})
    client.get("/account/password", headers={"Accept": "text/event-stream"})
    assert client.session[LAST_ACTIVE] == before
    client.get("/account/password")
    assert client.session[LAST_ACTIVE] > before


def test_a_session_ends_for_good_at_its_absolute_limit(client, anna, settings) -> None:
    client.force_login(anna)
    started = client.session.get_expiry_date()
    session = client.session
    session["touched"] = True
    session.save()
    assert client.session.get_expiry_date() == started
    limit = timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE)
    assert abs(started - limit) < timedelta(minutes=1)


def test_a_manager_changes_the_password(client) -> None:
    manager = User.objects.create_user("mia", password=PASSWORD)
    client.force_login(manager)
    new = "another long phrase 7"
    form = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    assert client.post("/account/password", form).status_code == 302
    manager.refresh_from_db()
    assert manager.check_password(new)
    assert TrailEntry.objects.filter(event=Event.PASSWORD_CHANGED, actor="mia").count() == 1


def test_a_password_is_changed_with_its_entry_or_not_at_all(client, monkeypatch) -> None:
    manager = User.objects.create_user("mia", password=PASSWORD)
    client.force_login(manager)
    monkeypatch.setattr(views, "append", Mock(side_effect=DatabaseError))
    new = "another long phrase 7"
    form = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    with pytest.raises(DatabaseError):
        client.post("/account/password", form)
    manager.refresh_from_db()
    assert manager.check_password(PASSWORD)


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "203.0.113.7", "192.0.2.1"),
        (1, "203.0.113.7", "203.0.113.7"),
        (1, "spoofed, 203.0.113.7", "203.0.113.7"),
        (2, "203.0.113.7, 198.51.100.1", "203.0.113.7"),
        (2, "203.0.113.7", "192.0.2.1"),
        (1, "no address", "0.0.0.0"),
        (1, "2001:db8:1:2:3::4", "2001:db8:1:2::"),
    ],
)
def test_only_trusted_proxies_say_who_calls(rf, settings, proxies, forwarded, address) -> None:
    settings.TRUSTED_PROXIES = proxies
    request = rf.get("/", REMOTE_ADDR="192.0.2.1", headers={"X-Forwarded-For": forwarded})
    assert client_address(request) == address
