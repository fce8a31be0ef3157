"""Feedback of end users: one word each, kept apart by application, shown as counts."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from pytest_django.asserts import assertNumQueries
from rest_framework.test import APIClient

from accounts.models import Application
from analysis.models import Check, Feedback
from analysis.services.erasure import erase_check
from audit.models import Event, TrailEntry
from tests.shapes import problem

pytestmark = pytest.mark.usefixtures("empty_redis")
HOSTILE = '<script>alert("x")</script>'


@pytest.fixture
def check(checked) -> Check:
    return checked("The mill is old.", sources=["The mill is old."])


def path_of(check: Check) -> str:
    return f"/api/v1/checks/{check.pk}/feedback"


def counts(api: APIClient, check: Check) -> dict[str, Any]:
    return api.get(f"/api/v1/checks/{check.pk}").json()["feedback"]


def trail(check: Check) -> list[dict[str, Any]]:
    trail_entries = TrailEntry.objects.filter(
        event=Event.CHECK_FEEDBACK_GIVEN, subject_id=str(check.pk)
    )
    return list(trail_entries.order_by("id").values_list("data", flat=True))


def test_it_is_kept_counted_and_on_record(api, check) -> None:
    assert counts(api, check) == {"helpful": 0, "not_helpful": 0, "helpful_share": None}
    word = {"helpful": True, "comment": "Just right.", "end_user": "anna"}
    response = api.post(path_of(check), word, format="json")
    assert response.status_code == 201
    assert response.json()["comment"] == "Just right."
    for user in ("ben", "cleo"):
        word = {"helpful": False, "end_user": user}
        assert api.post(path_of(check), word, format="json").status_code == 201
    assert counts(api, check) == {"helpful": 1, "not_helpful": 2, "helpful_share": 0.3333}
    assert [entry["helpful"] for entry in trail(check)] == [True, False, False]
    assert "Just right." not in str(trail(check))
    assert "anna" not in str(trail(check)) + str(list(Feedback.objects.values()))


def test_the_last_word_of_a_user_counts_and_a_repeated_one_changes_nothing(api, check) -> None:
    statuses = [
        api.post(
            path_of(check), {"helpful": helpful, "end_user": "anna"}, format="json"
        ).status_code
        for helpful in (True, True, False, False)
    ]
    assert statuses == [201, 200, 200, 200]
    assert counts(api, check) == {"helpful": 0, "not_helpful": 1, "helpful_share": 0.0}
    assert [entry["helpful"] for entry in trail(check)] == [True, False]


def test_without_a_user_there_is_one_word_for_each_key(
    api, application, client_with, check
) -> None:
    other_key = client_with(application)
    for client in (api, api, other_key):
        assert client.post(path_of(check), {"helpful": True}, format="json").status_code < 300
    assert counts(api, check)["helpful"] == 2


def test_what_has_no_verdict_takes_no_word(api, make_check) -> None:
    response = api.post(path_of(make_check()), {"helpful": True}, format="json")
    assert response.status_code == 409
    assert "no verdict" in response.json()["detail"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "helpful"),
        ({"helpful": "perhaps"}, "helpful"),
        ({"helpful": True, "comment": "x" * 2001}, "comment"),
        ({"helpful": True, "comment": "a\x00b"}, "comment"),
        ({"helpful": True, "end_user": "x" * 201}, "end_user"),
        ({"helpful": True, "stars": 5}, "stars"),
    ],
)
def test_a_bad_word_is_refused_by_its_field(api, check, body, field) -> None:
    response = api.post(path_of(check), body, format="json")
    assert response.status_code == 400
    assert response.json()["errors"][0]["field"] == field
    assert not Feedback.objects.exists()


def test_a_comment_of_full_length_is_kept(api, check) -> None:
    word = {"helpful": True, "comment": "ß" * 2000}
    assert api.post(path_of(check), word, format="json").status_code == 201


def test_it_counts_against_the_rate_limit(api, application, check) -> None:
    Application.objects.filter(pk=application.pk).update(rate_limit_per_minute=1)
    statuses = [
        api.post(path_of(check), {"helpful": True}, format="json").status_code for _ in range(2)
    ]
    assert statuses == [201, 429]


@pytest.mark.parametrize("wrong", [{"giver": "anna"}, {"given_by": ""}])
def test_the_database_holds_the_rules(check, wrong) -> None:
    row = {"check_record": check, "application_id": check.application_id, "helpful": True}
    good = {"giver": "a" * 64, "given_by": "test"}
    Feedback.objects.create(**row, **good)
    with pytest.raises(IntegrityError), transaction.atomic():
        Feedback.objects.create(**row, **good)  # one word each
    with pytest.raises(IntegrityError), transaction.atomic():
        Feedback.objects.create(**row, **(good | {"giver": "b" * 64} | wrong))


def test_the_number_of_queries_does_not_grow(api, check) -> None:
    api.get(f"/api/v1/checks/{check.pk}")
    for user in range(5):
        api.post(path_of(check), {"helpful": True, "end_user": str(user)}, format="json")
    with assertNumQueries(2):  # the key; the check with its counts
        assert counts(api, check)["helpful"] == 5


def test_the_desk_sees_counts_and_comments_as_text(api, check, desk) -> None:
    url = reverse("admin:analysis_check_change", args=[check.pk])
    assert "No feedback yet." in desk.get(url).content.decode()
    word = {"helpful": False, "comment": HOSTILE}
    api.post(path_of(check), word, format="json")
    page = desk.get(url).content.decode()
    assert "Not helpful" in page
    assert HOSTILE not in page
    assert "&lt;script&gt;" in page


def test_an_erased_check_takes_no_word_any_more(api, check) -> None:
    erase_check(application_id=check.application_id, check_id=check.pk, by="test", reason="asked")
    response = api.post(path_of(check), {"helpful": False, "comment": "I am Ann."}, format="json")
    assert problem(response) == (410, "erased")
    assert not Feedback.objects.exists()
