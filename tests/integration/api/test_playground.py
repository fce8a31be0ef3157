"""The playground: its submissions, its page, and its users."""

import json
import shlex
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Application, Role
from analysis.models import Check, Review, TrendPending
from analysis.services.checking import run_check
from analysis.services.probing import remove_probe_checks
from api.pages.playground import EXAMPLES, curl
from audit.models import TrailEntry
from documents.models import Collection
from tests.integration.people import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def reviewer(as_user, anna) -> Client:
    return as_user(anna)


def filled(application: Application, **changes: str) -> dict[str, str]:
    fields = {"application": str(application.pk), "query": "When?", "answer": "In 1996."}
    return fields | {"sources": "Founded in 1996.\n---\nClosed in 2019."} | changes


def test_a_submitted_answer_is_checked_like_an_applications(reviewer, application) -> None:
    response = reviewer.post("/playground/", filled(application))
    check = Check.everything.get()
    assert response["Location"] == f"/playground/{check.pk}/#result"
    assert check.sources == ["Founded in 1996.", "Closed in 2019."]
    assert check.submitted_by == "anna"
    assert "Checking…" in reviewer.get(response["Location"]).content.decode()

    assert run_check(check.pk)
    html = reviewer.get(response["Location"]).content.decode()
    assert "What the user would see" in html
    assert "/api/v1/checks" in html
    assert "Founded in 1996.\n---\nClosed in 2019." in html  # what was checked can be varied


def test_a_try_is_counted_nowhere_unless_that_is_ticked(as_user, lead, application) -> None:
    client = as_user(lead)
    for counted in ({}, {"counted": "on"}):
        client.post("/playground/", filled(application, answer="In 2005.", **counted))
    for check in Check.everything.all():
        assert run_check(check.pk)
    (stored,) = Check.objects.all()
    assert [review.check_record for review in Review.objects.all()] == [stored]
    assert [pending.check_id for pending in TrendPending.objects.all()] == [stored.pk]
    entries = TrailEntry.objects.filter(subject_type="check")
    assert {entry.subject_id for entry in entries} == {str(stored.pk)}
    pages = {
        check: client.get(f"/playground/{check.pk}/").content.decode()
        for check in Check.everything.all()
    }
    assert all("checked" not in html.split('name="counted"')[1][:60] for html in pages.values())
    link = "Open this check"
    assert [link in html for check, html in pages.items() if check == stored] == [True]
    assert [link in html for check, html in pages.items() if check != stored] == [False]


def test_a_run_of_probes_leaves_tries_and_the_clearing_takes_them(reviewer, application) -> None:
    reviewer.post("/playground/", filled(application))
    assert remove_probe_checks(application_ids=[application.pk]) == 0
    assert remove_probe_checks(left_behind=True) == 0
    hour = timezone.now() - timedelta(hours=1, seconds=1)
    Check.everything.update(created_at=hour)
    assert remove_probe_checks(left_behind=True) == 1
    assert not Check.everything.exists()


def test_without_sources_none_are_sent(reviewer, application) -> None:
    reviewer.post("/playground/", filled(application, sources="  "))
    assert Check.everything.get().sources is None


def test_bad_input_is_refused_with_its_reason(reviewer, application) -> None:
    html = reviewer.post("/playground/", filled(application, answer=" ")).content.decode()
    assert "This field is required." in html
    assert not Check.everything.exists()


def test_a_collection_of_another_application_is_refused(
    reviewer, application, other_application
) -> None:
    foreign = Collection.objects.create(application=other_application, name="secret")
    html = reviewer.post("/playground/", filled(application, collection=str(foreign.pk)))
    assert not Check.everything.exists()
    assert "secret" not in html.content.decode()


def test_auditors_do_not_submit(as_user, application) -> None:
    client = as_user(person("ada", Role.AUDITOR, application))
    assert client.get("/playground/").status_code == 403
    assert client.post("/playground/", filled(application)).status_code == 403


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_each_example_fills_the_form(as_user, lead, number) -> None:
    html = as_user(lead).get(f"/playground/?example={number}")
    assert EXAMPLES[number].query in html.content.decode()


def test_an_unknown_example_leaves_the_form_empty(as_user, lead) -> None:
    client = as_user(lead)
    for number in ("3", "-1", "x", "1" * 99):
        assert client.get("/playground/", {"example": number}).status_code == 200


def test_the_command_survives_quotes() -> None:
    body = {"answer": "It's “closed” $HOME `id`"}
    words = shlex.split(curl("http://h/api/v1/checks", body).replace("\\\n", ""))
    assert json.loads(words[-1]) == body
