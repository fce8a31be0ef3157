"""Sign-in at a real provider on a real socket: the protocol, roles, and all that goes wrong."""

from urllib.parse import parse_qsl, urlsplit

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import translation

from accounts.models import Membership, ProviderIdentity
from accounts.oidc import provider as protocol
from audit.models import Event, TrailEntry
from memory.models import Manager
from tests.fake_oidc import CLIENT, Provider, new_key
from tests.integration.accounts.provider_sign_in import BEGIN, is_logged_in, sign_in

PASSWORD = "correct horse battery staple"
pytestmark = pytest.mark.django_db


def roles(user: User) -> dict[str, str]:
    return {m.application.slug: m.role for m in Membership.objects.filter(user=user)}


def test_a_person_is_made_with_the_roles_of_their_groups(client, provider) -> None:
    answer = sign_in(client, provider, next="/admin/analysis/check/")
    assert (answer.status_code, answer["Location"]) == (302, "/admin/analysis/check/")
    user = User.objects.get(username="anna")
    assert (user.email, user.first_name) == ("anna@example.com", "Anna")
    assert user.is_staff
    assert not user.is_superuser
    assert not user.has_usable_password()
    assert roles(user) == {"demo": "reviewer"}
    assert client.get("/admin/analysis/check/").status_code == 200
    trail_entries = TrailEntry.objects.filter(
        event__in=[*["user.created", "role.granted", "user.logged_in"]]
    )
    assert [(e.event, e.actor) for e in trail_entries.order_by("id")] == [
        ("user.created", "oidc"), ("role.granted", "oidc"), ("user.logged_in", "anna"),
    ]  # fmt: skip


def test_the_way_there_carries_state_nonce_and_challenge(client, provider) -> None:
    away = client.get(BEGIN)["Location"]
    parameters = dict(parse_qsl(urlsplit(away).query))
    assert parameters["code_challenge_method"] == "S256"
    assert parameters["redirect_uri"] == "http://testserver/account/sign-in/callback"
    assert parameters["scope"] == "openid profile email"
    again = dict(parse_qsl(urlsplit(client.get(BEGIN)["Location"]).query))
    assert all(parameters[name] != again[name] for name in ("state", "nonce", "code_challenge"))


def test_roles_follow_the_groups_at_each_sign_in(client, provider, superuser) -> None:
    sign_in(client, provider)
    user = User.objects.get(username="anna")
    provider.people["anna"]["groups"] = ["leads", "sites"]
    sign_in(Client(), provider)
    assert roles(user) == {"demo": "lead"}
    assert Manager.objects.get(user=user).name == "anna"
    provider.people["anna"]["groups"] = ["admins"]
    sign_in(Client(), provider)
    user.refresh_from_db()
    assert user.is_superuser
    assert roles(user) == {}
    assert not Manager.objects.filter(user=user).exists()
    provider.people["anna"]["groups"] = ["qa"]
    sign_in(Client(), provider)
    user.refresh_from_db()
    assert not user.is_superuser
    assert TrailEntry.objects.filter(event=Event.ROLE_WITHDRAWN, actor="oidc").count() == 1


def test_an_account_closes_when_no_group_is_left_and_opens_with_one(client, provider) -> None:
    sign_in(client, provider)
    provider.people["anna"]["groups"] = ["canteen"]
    refused = sign_in(Client(), provider)
    assert refused.status_code == 403
    assert "you have no role here" in refused.content.decode()
    user = User.objects.get(username="anna")
    assert not user.is_active
    assert roles(user) == {}
    assert client.get("/admin/").status_code == 302  # the earlier session is over too
    changed = TrailEntry.objects.get(event=Event.USER_CHANGED, data__active=False)
    assert changed.data["staff"] is False
    provider.people["anna"]["groups"] = ["qa"]
    assert sign_in(Client(), provider).status_code == 302
    assert roles(user) == {"demo": "reviewer"}


def test_whom_an_operator_closed_out_stays_out(client, provider) -> None:
    sign_in(client, provider)
    User.objects.update(is_active=False)
    assert sign_in(Client(), provider).status_code == 403
    assert not User.objects.get(username="anna").is_active


@pytest.mark.parametrize("groups", [None, [], ["canteen"], "QA", {"qa": True}])
def test_nobody_is_made_without_a_group(client, provider, groups) -> None:
    provider.people["anna"]["groups"] = groups
    assert sign_in(client, provider).status_code == 403
    assert not User.objects.filter(username="anna").exists()
    assert not is_logged_in(client)
    failed = TrailEntry.objects.get(event=Event.LOGIN_FAILED)
    assert failed.actor.startswith("unknown:")


def test_a_name_leads_to_no_account_that_is_there(client, provider) -> None:
    User.objects.create_superuser("Admin", password=PASSWORD)
    provider.people["mallory"] = {"preferred_username": "admin", "groups": ["qa"]}
    provider.now = "mallory"
    assert sign_in(client, provider).status_code == 403
    assert not is_logged_in(client)
    assert not ProviderIdentity.objects.exists()


def test_an_account_is_linked_by_subject(client, provider) -> None:
    old = User.objects.create_user("anna.old", password=PASSWORD)
    call_command("link_identity", "anna.old", "--subject", "subject-of-anna")
    with pytest.raises(CommandError, match="already linked"):
        call_command("link_identity", "anna.old", "--subject", "another")
    sign_in(client, provider)
    assert client.session["_auth_user_id"] == str(old.pk)
    assert roles(old) == {"demo": "reviewer"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"nonce": "another"},
        {"nonce": None},
        {"aud": "another-client"},
        {"aud": ["another-client"], "azp": CLIENT},
        {"aud": [CLIENT, "another-client"]},
        {"azp": "another-client"},
        {"aud": None},
        {"iss": "https://another.example"},
        {"iss": None},
        {"exp": 1_700_000_000},
        {"exp": None},
        {"iat": 4_000_000_000},
        {"sub": None},
        {"at_hash": "AAAA"},
    ],
    ids=str,
)
def test_a_token_that_is_not_right_opens_nothing(client, provider, wrong) -> None:
    provider.claims = wrong
    refused = sign_in(client, provider)
    assert refused.status_code == 403
    assert "could not be verified" in refused.content.decode()
    assert not is_logged_in(client)
    assert not User.objects.filter(username="anna").exists()


def test_a_forged_signature_opens_nothing(client, provider) -> None:
    provider.forger = new_key("first")
    assert sign_in(client, provider).status_code == 403
    assert not is_logged_in(client)
    provider.forger = new_key("unheard of")
    assert sign_in(client, provider).status_code == 403
    provider.forger = None
    assert sign_in(client, provider).status_code == 302


def test_a_new_key_is_asked_for_once_it_signs(client, provider) -> None:
    sign_in(client, provider)
    before = provider.requests.count("/jwks")
    provider.keys.append(new_key("second"))
    assert sign_in(Client(), provider).status_code == 302
    assert provider.requests.count("/jwks") == before + 1
    provider.keys = [new_key("third")]
    assert sign_in(Client(), provider).status_code == 302


def test_no_token_is_signed_with_what_everybody_knows(client, provider, monkeypatch) -> None:
    sign = Provider.sign

    def unsigned(self: Provider, claims: dict[str, object]) -> str:
        _, body, _ = sign(self, claims).split(".")
        return f"eyJhbGciOiJub25lIn0.{body}."  # {"alg":"none"}

    monkeypatch.setattr(Provider, "sign", unsigned)
    assert sign_in(client, provider).status_code == 403
    assert not is_logged_in(client)


def test_an_answer_counts_once_and_only_for_who_asked(client, provider) -> None:
    away = client.get(BEGIN)["Location"]
    back = provider.visit(away).removeprefix("http://testserver")
    assert Client().get(back).status_code == 403  # somebody else's browser
    assert client.get(back).status_code == 302
    client.logout()
    assert client.get(back).status_code == 403
    assert Client().get("/account/sign-in/callback").status_code == 403
    cancelled = Client().get("/account/sign-in/callback?error=access_denied")
    assert "cancelled" in cancelled.content.decode()


def test_the_session_is_a_new_one(client, provider) -> None:
    away = client.get(BEGIN)["Location"]
    before = client.session.session_key
    client.get(provider.visit(away).removeprefix("http://testserver"))
    assert client.session.session_key != before
    assert "_state_" not in str(client.session.items())


@pytest.mark.parametrize("aim", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_the_way_back_leads_to_this_server(client, provider, aim) -> None:
    assert sign_in(client, provider, next=aim)["Location"] == "/"


def test_groups_may_stand_at_the_userinfo_endpoint(client, provider) -> None:
    provider.in_userinfo = ("groups",)
    assert sign_in(client, provider).status_code == 302
    assert "/userinfo" in provider.requests
    assert roles(User.objects.get(username="anna")) == {"demo": "reviewer"}


def test_a_level_can_be_demanded(client, provider, settings) -> None:
    settings.OIDC_ACR_VALUES = ["mfa"]
    assert "acr_values=mfa" in client.get(BEGIN)["Location"]
    assert sign_in(client, provider).status_code == 403
    provider.claims = {"acr": "mfa"}
    settings.SECOND_FACTOR_REQUIRED = True
    assert sign_in(client, provider).status_code == 302
    assert client.get("/admin/analysis/check/").status_code == 200  # no second one is asked for


def test_a_provider_that_is_down_is_said_and_names_and_passwords_go_on(
    client, provider, settings
) -> None:
    User.objects.create_user("kim", password=PASSWORD)
    settings.OIDC_ISSUER = "http://127.0.0.1:1"
    down = client.get(BEGIN)
    assert down.status_code == 503
    page = down.content.decode()
    assert "does not answer" in page
    assert 'href="/login"' in page
    form = {"username": "kim", "password": PASSWORD}
    assert client.post("/login", form).status_code == 302


def test_a_provider_that_falls_silent_between_is_said(client, provider) -> None:
    away = client.get(BEGIN)["Location"]
    back = provider.visit(away).removeprefix("http://testserver")
    protocol._new_provider.cache_clear()
    provider.document = {"issuer": "https://another.example"}
    assert client.get(back).status_code == 503
    assert client.get(BEGIN).status_code == 503


def test_local_accounts_can_be_switched_off_but_for_one(client, provider, settings) -> None:
    User.objects.create_superuser("glass", password=PASSWORD)
    User.objects.create_superuser("other", password=PASSWORD)
    before = Client()
    assert before.post("/login", {"username": "other", "password": PASSWORD}).status_code == 302
    settings.LOCAL_LOGIN = False
    assert before.get("/admin/").status_code == 302  # sessions that stand end too
    page = client.get("/login").content.decode()
    assert 'href="/account/sign-in"' in page
    assert "password" not in page
    assert 'name="password"' not in client.get("/login").content.decode()
    form = {"username": "other", "password": PASSWORD}
    assert client.post("/login", form).status_code == 200
    assert client.post("/login", {"username": "glass", "password": PASSWORD}).status_code == 200
    settings.BREAK_GLASS_USER = "glass"
    assert 'name="password"' in client.get("/login").content.decode()
    assert client.post("/login", form).status_code == 200
    assert client.post("/login", {"username": "glass", "password": PASSWORD}).status_code == 302
    assert client.get("/admin/").status_code == 200
    User.objects.filter(username="glass").update(is_superuser=False)
    assert client.get("/admin/").status_code == 302


def test_refused_sign_ins_lock_nobody_out(client, provider, settings) -> None:
    settings.AXES_FAILURE_LIMIT = 2
    provider.people["anna"]["groups"] = []
    for _ in range(4):
        assert sign_in(client, provider).status_code == 403
    provider.people["anna"]["groups"] = ["qa"]
    assert sign_in(client, provider).status_code == 302
    assert not AccessAttempt.objects.exists()


def test_one_signs_out_at_the_provider_too(client, provider) -> None:
    sign_in(client, provider)
    token = client.session["oidc_id_token"]
    page = client.post("/logout")
    assert not is_logged_in(client)
    onward = page.context["onward"]
    parameters = dict(parse_qsl(urlsplit(onward).query))
    assert onward.startswith(f"{provider.url}/logout?")
    assert parameters["id_token_hint"] == token
    assert parameters["post_logout_redirect_uri"] == "http://testserver/login"
    assert client.get("/logout").status_code == 405


def test_without_a_way_out_at_the_provider_one_is_signed_out_here(client, provider) -> None:
    provider.document = {"end_session_endpoint": ""}
    sign_in(client, provider)
    assert client.post("/logout")["Location"] == "/login"


def test_there_is_no_such_page_without_a_provider(client, db) -> None:
    assert client.get(BEGIN).status_code == 404
    assert client.get(f"{BEGIN}/callback").status_code == 404
    assert "organisation" not in client.get("/login").content.decode()


def test_the_button_has_the_name_of_the_settings_and_is_translated(
    client, provider, settings
) -> None:
    settings.OIDC_LABEL = "Example <Corp>"
    with translation.override("en"):  # the page's language would stay
        answer = client.get("/login?next=/memory/", headers={"Accept-Language": "de"})
    page = answer.content.decode()
    assert "Mit Example &lt;Corp&gt; anmelden" in page
    assert "/account/sign-in?next=%2Fmemory%2F" in page
