"""`manage.py initialize`: a first start without a shell."""

from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError

from accounts.models import ApiKey, Application
from accounts.services import revoke_api_key
from audit.models import TrailEntry
from operations.management.commands.initialize import BY
from tests.commands import run

pytestmark = pytest.mark.usefixtures("db")
KEY = f"wd_{'0f' * 5}_{'a1' * 32}"
NAMED = {
    "INIT_APPLICATION": "Help Desk",
    "INIT_KEY": KEY,
    "INIT_ADMIN_EMAIL": "ops@example.com",
    "INIT_ADMIN_PASSWORD": "a long pass phrase",
}


@pytest.fixture
def named(settings) -> Any:
    for name, value in NAMED.items():
        setattr(settings, name, value)
    return settings


initialize = partial(run, "initialize")


def test_application_key_and_administrator_work(named, client) -> None:
    assert initialize().splitlines() == [
        "created administrator ops@example.com",
        "created application help-desk",
        "created key of help-desk",
    ]
    accepted = client.get("/api/v1/checks", headers={"Authorization": f"Bearer {KEY}"})
    assert accepted.status_code == 200
    login = {"username": "ops@example.com", "password": NAMED["INIT_ADMIN_PASSWORD"]}
    assert client.post("/login?next=/admin/", login).status_code == 302
    assert client.get("/admin/").status_code == 200
    assert ApiKey.objects.get(prefix="0f" * 5).owner == User.objects.get()
    assert TrailEntry.objects.filter(actor=BY).count() == 3


def test_a_second_start_leaves_everything_as_people_changed_it(named) -> None:
    initialize()
    user = User.objects.get()
    user.set_password("their own pass phrase")
    user.save()
    revoke_api_key(ApiKey.objects.get(prefix="0f" * 5), by="t")
    assert initialize() == "nothing: all that the variables name is there\n"
    assert User.objects.get().check_password("their own pass phrase")
    assert ApiKey.objects.get(prefix="0f" * 5).revoked_at is not None
    assert Application.objects.filter(slug="help-desk").count() == 1


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"INIT_KEY": "wd_short_key"}, "hexadecimal digits"),
        ({"INIT_APPLICATION": ""}, "needs WATCHDOG_INIT_APPLICATION"),
        ({"INIT_APPLICATION": "—"}, "no letter"),
        ({"INIT_ADMIN_PASSWORD": ""}, "or neither"),
        ({"INIT_ADMIN_PASSWORD": "12345"}, "too short"),
        ({"INIT_ADMIN_EMAIL": "nobody"}, "valid email"),
    ],
)
def test_what_is_wrong_is_refused_and_nothing_is_created(named, changed, problem) -> None:
    for name, value in changed.items():
        setattr(named, name, value)
    with pytest.raises(CommandError, match=problem):
        initialize()
    assert not User.objects.exists()
    assert not Application.objects.exists()


def test_a_key_that_begins_like_another_is_refused(named) -> None:
    initialize()
    named.INIT_KEY = KEY[:-2] + "00"
    with pytest.raises(CommandError, match="begins like another"):
        initialize()


def test_without_variables_nothing_is_created() -> None:
    assert initialize().startswith("nothing")
