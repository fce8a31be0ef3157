"""`create_application` and `create_api_key`."""

import json

import pytest
from django.core.management import CommandError
from rest_framework.test import APIClient

from accounts.models import ApiKey, Application
from accounts.services import create_application
from tests.commands import run
from tools.launcher import seed

pytestmark = pytest.mark.django_db


def test_from_nothing_to_a_key_that_opens(empty_redis: None) -> None:
    payload = json.loads(run("create_application", "My Company"))
    assert payload["slug"] == "my-company"
    token = json.loads(run("create_api_key", "my-company", "--json"))["key"]
    response = APIClient().get("/api/v1/checks", HTTP_AUTHORIZATION=f"Bearer {token}")
    assert response.status_code == 200


def test_a_taken_slug_is_told(application: Application) -> None:
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
def test_wrong_arguments_say_what_to_do(
    application: Application, arguments: tuple[str, ...], message: str
) -> None:
    with pytest.raises(CommandError, match=message):
        run(*arguments)


def test_scopes_and_lifetime(application: Application) -> None:
    run("create_api_key", "demo", "--scope", "checks:read", "--expires-in-days", "2")
    key = ApiKey.objects.get()
    assert key.scopes == ["checks:read"]
    assert key.expires_at is not None


def test_the_first_key_of_a_run_belongs_to_its_admin() -> None:
    create_application(name="Demo", slug=seed.SLUG, by="test")
    made = seed.first_login()
    key = ApiKey.objects.get(name="first key")
    assert made["key"].startswith(f"wd_{key.prefix}_")
    assert key.owner is not None
    assert key.owner.username == seed.ADMIN
    assert key.owner.check_password(made["password"])
