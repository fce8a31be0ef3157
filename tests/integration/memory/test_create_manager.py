"""`manage.py create_manager`: a manager with a log-in, from the command line."""

import json
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import Application
from memory.models import Manager
from memory.services.managers import create_manager


def create(*words: str, **options: str) -> dict[str, str]:
    out = StringIO()
    call_command("create_manager", *words, stdout=out, **options)
    details: dict[str, str] = json.loads(out.getvalue())
    return details


def test_who_is_made_logs_in_and_asks(application: Application) -> None:
    details = create("Kim", application=application.slug, user="kim")
    client = Client()
    right = {"username": "kim", "password": details["password"]}
    page = client.post("/login", right, follow=True).content.decode()
    assert "Ask a question" in page
    assert not User.objects.get(username="kim").is_staff


def test_a_manager_whom_a_client_made_gets_a_log_in(application: Application) -> None:
    manager = create_manager(application=application, name="Ann", by="a client")
    User.objects.create_user("ann")
    details = create("Ann", application=application.slug, user="ann")
    assert (details["id"], "password" in details) == (str(manager.pk), False)
    assert Manager.objects.get().user == User.objects.get(username="ann")


@pytest.mark.parametrize("options", [{}, {"user": "kim"}, {"user": "lee"}])
def test_nothing_is_made_twice(application: Application, options: dict[str, str]) -> None:
    create("Kim", application=application.slug, user="kim")
    with pytest.raises(CommandError, match="has a log-in already"):
        create("Kim", application=application.slug, **options)
    assert not User.objects.filter(username="lee").exists()


@pytest.mark.parametrize(
    ("slug", "user", "message"),
    [
        ("none", "kim", "There is no application"),
        ("", "a b/c", "no valid name"),
        ("", "ann", "another"),
    ],
)
def test_what_is_wrong_is_told(
    application: Application, slug: str, user: str, message: str
) -> None:
    create("Ann", application=application.slug, user="ann")
    with pytest.raises(CommandError, match=message):
        create("Kim", application=slug or application.slug, user=user)
    assert Manager.objects.count() == User.objects.count() == 1
