"""Sessions ended here by the provider: which ones, at once, and only for a valid token."""

import base64
import json

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from accounts.session_store import LogoutToken, Session
from audit.models import Event, TrailEntry
from operations.tasks import apply_retention
from tests.fake_oidc import CLIENT, LOGOUT_EVENT, new_key
from tests.integration.accounts.provider_sign_in import is_logged_in, sign_in

ADDRESS = "/account/back-channel-logout"
PASSWORD = "correct horse battery staple"
pytestmark = pytest.mark.django_db


def send(token: str) -> HttpResponse:
    """Send a token as the provider does: no cookie, no CSRF token."""
    return Client(enforce_csrf_checks=True).post(
        ADDRESS, f"logout_token={token}", content_type="application/x-www-form-urlencoded"
    )


def test_a_session_ends_at_once_and_no_other_does(client, provider) -> None:
    sign_in(client, provider)
    first_sid = provider.sids[-1]
    other = Client()
    sign_in(other, provider)
    answer = send(provider.logout_token(sid=first_sid))
    assert (answer.status_code, answer.content) == (200, b"")
    assert "no-store" in answer["Cache-Control"]
    assert not is_logged_in(client)
    assert client.get("/admin/").status_code == 302
    assert other.get("/admin/").status_code == 200


def test_the_trail_tells_whose_sessions_ended(client, provider) -> None:
    sign_in(client, provider)
    send(provider.logout_token())
    entry = TrailEntry.objects.get(event=Event.USER_CHANGED, data__change="signed out")
    assert (entry.actor, entry.data["sessions"]) == ("oidc", 1)
    assert entry.subject_id == str(User.objects.get(username="anna").pk)


def test_without_a_session_all_of_the_person_end(client, provider) -> None:
    other, bert = Client(), Client()
    sign_in(client, provider)
    sign_in(other, provider)
    provider.people["bert"] = {"groups": ["qa"]}
    provider.now = "bert"
    sign_in(bert, provider)
    provider.now = "anna"
    assert send(provider.logout_token(sid=None)).status_code == 200
    assert [is_logged_in(c) for c in (client, other, bert)] == [False, False, True]


def test_a_session_alone_names_it(client, provider) -> None:
    sign_in(client, provider)
    assert send(provider.logout_token(sub=None)).status_code == 200
    assert not is_logged_in(client)


def test_a_session_of_somebody_else_stays(client, provider) -> None:
    sign_in(client, provider)
    assert send(provider.logout_token(sub="another")).status_code == 200
    assert is_logged_in(client)


def test_where_id_tokens_name_no_session_the_person_is_enough(client, provider) -> None:
    provider.claims = {"sid": None}
    sign_in(client, provider)
    assert send(provider.logout_token(sid="unheard of")).status_code == 200
    assert not is_logged_in(client)


def test_the_session_is_known_after_its_key_has_changed(client, provider) -> None:
    sign_in(client, provider)
    session = client.session
    session.cycle_key()
    session.save()
    client.cookies["sessionid"] = session.session_key
    assert is_logged_in(client)
    send(provider.logout_token())
    assert not Session.objects.exclude(subject="").exists()


def test_sessions_of_passwords_stay(client, provider) -> None:
    User.objects.create_user("kim", password=PASSWORD)
    client.post("/login", {"username": "kim", "password": PASSWORD})
    sign_in(Client(), provider)
    send(provider.logout_token())
    assert is_logged_in(client)


def test_nobody_to_sign_out_is_no_failure(provider) -> None:
    assert send(provider.logout_token()).status_code == 200


def test_a_token_counts_once(client, provider) -> None:
    sign_in(client, provider)
    token = provider.logout_token(sid=None)
    assert send(token).status_code == 200
    sign_in(client, provider)
    assert send(token).status_code == 400
    assert is_logged_in(client)


def test_tokens_that_have_expired_are_not_kept(provider) -> None:
    send(provider.logout_token(jti="first"))
    LogoutToken.objects.update(expires_at="2020-01-01T00:00Z")
    send(provider.logout_token(jti="second"))
    assert list(LogoutToken.objects.values_list("jti", flat=True)) == ["second"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"iss": "https://another.example"},
        {"iss": None},
        {"aud": "another-client"},
        {"aud": None},
        {"iat": None},
        {"iat": 4_000_000_000},
        {"exp": None},
        {"exp": 1_700_000_000},
        {"exp": 1e18},
        {"exp": "soon"},
        {"jti": None},
        {"jti": ""},
        {"jti": "x" * 256},
        {"jti": "\x00"},
        {"events": None},
        {"events": {}},
        {"events": [LOGOUT_EVENT]},
        {"events": {LOGOUT_EVENT: True}},
        {"nonce": "n"},
        {"nonce": ""},
        {"sub": None, "sid": None},
        {"sub": 7},
        {"sub": None, "sid": ["x"]},
    ],
    ids=str,
)
def test_a_token_that_is_not_right_ends_nothing(client, provider, wrong) -> None:
    sign_in(client, provider)
    refused = send(provider.logout_token(**wrong))
    assert (refused.status_code, refused.json()) == (400, {"error": "invalid_request"})
    assert is_logged_in(client)
    assert not LogoutToken.objects.exists()


def test_an_id_token_ends_nothing(client, provider) -> None:
    sign_in(client, provider)
    assert send(client.session["oidc_id_token"]).status_code == 400
    assert is_logged_in(client)


def test_a_forged_signature_ends_nothing(client, provider) -> None:
    sign_in(client, provider)
    for name in ("first", "unheard of"):
        provider.forger = new_key(name)
        assert send(provider.logout_token()).status_code == 400
    assert is_logged_in(client)


def test_an_unsigned_token_ends_nothing(client, provider) -> None:
    sign_in(client, provider)
    _, body, _ = provider.logout_token().split(".")
    head = base64.urlsafe_b64encode(json.dumps({"alg": "none"}).encode()).decode()
    assert send(f"{head.rstrip('=')}.{body}.").status_code == 400
    assert is_logged_in(client)


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "..", "W10.W10.W10", "é", "%00", "x" * 9_000])
def test_what_is_no_token_is_refused(provider, token) -> None:
    assert send(token).status_code == 400


def test_a_new_key_of_the_provider_is_asked_for(client, provider) -> None:
    sign_in(client, provider)
    provider.keys = [new_key("second")]
    assert send(provider.logout_token(aud=[CLIENT, "another-client"])).status_code == 200
    assert not is_logged_in(client)


def test_while_the_provider_is_silent_the_token_can_be_sent_again(
    client, provider, settings
) -> None:
    sign_in(client, provider)
    token = provider.logout_token()
    settings.OIDC_ISSUER = "http://127.0.0.1:1"
    assert send(token).status_code == 400
    settings.OIDC_ISSUER = provider.url
    assert send(token).status_code == 200
    assert not is_logged_in(client)


def test_there_is_no_such_address_without_a_provider(db) -> None:
    assert send("x").status_code == 404


def test_it_is_no_page(client, provider) -> None:
    assert client.get(ADDRESS).status_code == 405


def test_sessions_that_have_expired_are_not_kept(client, provider) -> None:
    sign_in(client, provider)
    Session.objects.update(expire_date="2020-01-01T00:00Z")
    sign_in(Client(), provider)
    apply_retention()
    assert Session.objects.count() == 1
