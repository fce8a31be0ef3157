"""`POST /api/v1/checks/{id}/link`: who may make a link, for how long, and that it is on record."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import override_settings

from accounts.models import Scope
from analysis.models import Check
from analysis.services.checking import run_check
from audit.models import Event, TrailEntry
from desk.verdict_page.links import read_link

pytestmark = pytest.mark.usefixtures("empty_redis")


def path_of(check: Check) -> str:
    return f"/api/v1/checks/{check.pk}/link"


def test_a_key_that_may_read_checks_makes_a_link_and_the_trail_says_so(
    application, client_with, make_check
) -> None:
    check = make_check()
    reader = client_with(application, Scope.CHECKS_READ)
    answer = reader.post(path_of(check), {"expires_in": 60}, format="json")
    assert answer.status_code == 201
    assert answer["Cache-Control"] == "no-store"
    url, expires_at = answer.json()["url"], datetime.fromisoformat(answer.json()["expires_at"])
    assert timedelta(seconds=50) < expires_at - datetime.now(UTC) <= timedelta(seconds=60)
    link = read_link(url.rpartition("/")[2])
    assert (link.check_id, link.application_id) == (check.pk, application.pk)
    assert link.expires_at == expires_at
    entry = TrailEntry.objects.get(event=Event.CHECK_LINK_MADE)
    assert (entry.subject_id, entry.application_id) == (str(check.pk), application.pk)
    assert entry.actor.startswith("api_key:")
    assert url.rpartition("/")[2] not in str(entry.data)


@pytest.mark.parametrize("seconds", [0, -5, 2_592_001, "soon", None])
def test_it_lives_no_longer_than_the_settings_allow(seconds, api, make_check) -> None:
    response = api.post(path_of(make_check()), {"expires_in": seconds}, format="json")
    assert response.status_code == 400
    assert response.json()["errors"][0]["field"] == "expires_in"


def test_an_erased_check_has_no_link(api, make_check) -> None:
    check = make_check()
    assert run_check(check.pk)
    assert api.delete(f"/api/v1/checks/{check.pk}").status_code == 204
    assert api.post(path_of(check)).status_code == 410


def test_without_a_body_it_lives_for_a_day(api, make_check) -> None:
    answer = api.post(path_of(make_check()))
    lifetime = datetime.fromisoformat(answer.json()["expires_at"]) - datetime.now(UTC)
    assert timedelta(hours=23, minutes=59) < lifetime <= timedelta(days=1)


def test_it_names_the_host_that_users_reach(api, make_check) -> None:
    check = make_check()
    assert api.post(path_of(check)).json()["url"].startswith("http://testserver/view/")
    with override_settings(PUBLIC_URL="https://answers.example"):
        url = api.post(path_of(check)).json()["url"]
    assert url.startswith("https://answers.example/view/")
