"""API keys: at the door, in the admin, by the commands that make them."""

import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import ApiKey, Application, Scope
from accounts.services import create_api_key, create_application, revoke_api_key
from audit.models import Event, TrailEntry
from tests.commands import run
from tools.launcher import seed

pytestmark = pytest.mark.usefixtures("empty_redis", "db")
CHECKS = "/api/v1/checks"


def get(token: str):
    return APIClient().get(CHECKS, HTTP_AUTHORIZATION=f"Bearer {token}")


def test_a_key_opens_and_its_use_is_noted(api_key) -> None:
    key, token = api_key
    assert get(token).status_code == 200
    key.refresh_from_db()
    assert key.last_used_at is not None
    assert APIClient().get(CHECKS, HTTP_X_API_KEY=token).status_code == 200


@pytest.mark.parametrize(
    "change", [lambda t: t + "0", lambda t: t[:-1] + "z", lambda t: "x", lambda t: t[:13] + "\x00"]
)
def test_another_key_does_not(api_key, change) -> None:
    response = get(change(api_key[1]))
    assert response.status_code == 401
    assert response["Content-Type"] == "application/problem+json"


def test_a_revoked_key_is_refused_at_once(api_key) -> None:
    key, token = api_key
    assert get(token).status_code == 200
    assert revoke_api_key(key, by="me")
    assert not revoke_api_key(key, by="me"), "revoking twice changes nothing"
    assert "revoked" in get(token).json()["detail"]
    assert TrailEntry.objects.filter(event=Event.API_KEY_REVOKED, actor="me").count() == 1


def test_an_expired_key_is_refused(application) -> None:
    soon = timezone.now() + timedelta(milliseconds=50)
    _, token = create_api_key(application=application, name="x", by="t", expires_at=soon)
    while timezone.now() <= soon:
        pass
    response = get(token)
    assert response.status_code == 401
    assert "expired" in response.json()["detail"]


def test_the_token_is_nowhere_stored(api_key) -> None:
    key, token = api_key
    secret = token.split("_")[2]
    assert secret not in str(ApiKey.objects.filter(pk=key.pk).values().get())
    assert secret not in str(list(TrailEntry.objects.values()))


def test_a_key_cannot_end_before_it_begins(application) -> None:
    past = timezone.now() - timedelta(days=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        create_api_key(application=application, name="x", by="t", expires_at=past)


class TestRateLimit:
    def test_the_limit_is_told_and_kept(self, api) -> None:
        Application.objects.update(rate_limit_per_minute=3)
        answers = [api.get(CHECKS) for _ in range(5)]
        assert [a.status_code for a in answers] == [200, 200, 200, 429, 429]
        assert [a["RateLimit-Remaining"] for a in answers] == ["2", "1", "0", "0", "0"]
        assert answers[0]["RateLimit-Limit"] == "3"
        assert 0 < int(answers[3]["Retry-After"]) <= 60
        assert answers[3].json()["type"].endswith("throttled")

    def test_a_batch_costs_as_much_as_its_items(self, api) -> None:
        Application.objects.update(rate_limit_per_minute=10)
        items = [{"answer": "The bridge has 3 arches."}] * 6
        send = lambda: api.post("/api/v1/batches", {"items": items}, format="json")  # noqa: E731
        first = send()
        assert (first.status_code, first["RateLimit-Remaining"]) == (202, "4")
        assert send().status_code == 429

    def test_a_batch_above_the_limit_is_told_to_be_smaller(self, api) -> None:
        Application.objects.update(rate_limit_per_minute=5)
        items = [{"answer": "The bridge has 3 arches."}] * 6
        response = api.post("/api/v1/batches", {"items": items}, format="json")
        assert response.status_code == 429
        assert "smaller batches" in response.json()["detail"]

    def test_no_limit_no_headers(self, api) -> None:
        assert "RateLimit-Limit" not in api.get(CHECKS)

    def test_applications_are_counted_apart(
        self, application, other_application, client_with
    ) -> None:
        Application.objects.update(rate_limit_per_minute=1)
        assert client_with(application).get(CHECKS).status_code == 200
        assert client_with(other_application).get(CHECKS).status_code == 200


@pytest.mark.parametrize("named", [False, True])
def test_a_key_has_an_owner(named, application, superuser, client) -> None:
    other = User.objects.create_user("ann")
    client.force_login(superuser)
    data = {"application": application.pk, "name": "server", "scopes": [Scope.CHECKS_READ]}
    response = client.post(
        reverse("admin:accounts_apikey_add"), data | ({"owner": other.pk} if named else {})
    )
    assert response.status_code == 302, response.content.decode()[:2000]
    assert ApiKey.objects.get().owner == (other if named else superuser)


def test_from_nothing_to_a_key_that_opens(empty_redis) -> None:
    payload = json.loads(run("create_application", "My Company"))
    assert payload["slug"] == "my-company"
    token = json.loads(run("create_api_key", "my-company", "--json"))["key"]
    response = APIClient().get("/api/v1/checks", HTTP_AUTHORIZATION=f"Bearer {token}")
    assert response.status_code == 200


def test_a_taken_slug_is_told(application) -> None:
    with pytest.raises(CommandError, match="demo"):
        run("create_application", "Demo")
    assert json.loads(run("create_application", "Demo", "--if-missing"))["id"] == str(
        application.id
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("create_api_key", "nobody"), "create_application"),
        (("create_api_key", "demo", "--expires-in-days", "-1"), "above 0"),
        (("create_application", "!!!"), "--slug"),
    ],
)
def test_wrong_arguments_say_what_to_do(application, arguments, message) -> None:
    with pytest.raises(CommandError, match=message):
        run(*arguments)


def test_scopes_and_lifetime(application) -> None:
    run("create_api_key", "demo", "--scope", "checks:read", "--expires-in-days", "2")
    key = ApiKey.objects.get()
    assert key.scopes == ["checks:read"]
    assert key.expires_at is not None


def test_the_first_key_of_a_run_belongs_to_its_admin() -> None:
    create_application(name="Demo", slug=seed.SLUG, by="test")
    made = seed.first_login()
    key = ApiKey.objects.get(name="first key")
    assert made["key"].startswith(f"wd_{key.prefix}_")
    assert key.owner.username == seed.ADMIN
    assert key.owner.check_password(made["password"])
