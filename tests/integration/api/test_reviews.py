"""`/api/v1/reviews`: list, claim, decide, release; versions by ETag; one application only."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now
from pytest_django.asserts import assertNumQueries
from rest_framework.test import APIClient

from accounts.models import Application, Role
from analysis.models import Review
from audit.models import Event, TrailEntry
from tests.integration.api.test_openapi import COMMITTED, assert_fits
from tests.integration.people import person, put

LIST = "/api/v1/reviews"


@pytest.fixture
def anna(application) -> str:
    return person("anna", Role.REVIEWER, application).get_username()


@pytest.fixture
def ben(application) -> str:
    return person("ben", Role.REVIEWER, application).get_username()


def send(api: APIClient, path: str, etag: str | None = None, **body: object) -> object:
    headers = {"HTTP_IF_MATCH": etag} if etag else {}
    return api.post(f"{LIST}/{path}", body, format="json", **headers)


def test_the_whole_way_of_an_item(api, application, anna, ben) -> None:
    import yaml

    document = yaml.load(COMMITTED.read_text(), yaml.CSafeLoader)
    (pk,) = put(application, 1)
    assert_fits(document, "ReviewPage", api.get(LIST).json())
    response = send(api, "next", reviewer=anna)
    assert (response.status_code, response["ETag"]) == (200, '"2"')
    assert (response.json()["id"], response.json()["claimed_by"]) == (pk, "anna")
    assert send(api, "next", reviewer=ben).status_code == 204
    released = send(api, f"{pk}/release", response["ETag"], reviewer=anna)
    assert (released["ETag"], released.json()["claimed_by"]) == ('"3"', None)
    claimed = send(api, f"{pk}/claim", released["ETag"], reviewer=ben)
    decided = send(
        api, f"{pk}/decide", claimed["ETag"], reviewer=ben, decision="overturned", note="Fine."
    )
    assert decided.status_code == 200, decided.content
    assert_fits(document, "ReviewOutput", decided.json())
    assert (decided.json()["state"], decided.json()["decided_by"]) == ("decided", "ben")
    entry = TrailEntry.objects.get(event=Event.REVIEW_DECIDED)
    assert entry.actor == "ben"
    assert entry.data["via"].startswith("api_key:")
    assert [r["id"] for r in api.get(LIST, {"state": "decided"}).json()["results"]] == [pk]
    assert api.get(LIST).json()["results"] == []


def test_claims_are_judged(api, decidable, anna) -> None:
    claim = decidable.check_record.annotated_answer.claims.first()
    verdicts = {claim.claim_id: "Supported"}
    response = send(
        api, f"{decidable.pk}/decide", '"1"', reviewer=anna, decision="confirmed", claims=verdicts
    )
    judgement = {"claim_id": claim.claim_id, "status": "Supported", "agrees": False}
    assert response.json()["claims"] == [judgement]
    assert api.get(f"{LIST}/{decidable.pk}").json()["claims"] == [judgement]


def test_a_decision_is_taken_back_within_the_minute(
    api, application, anna, ben, monkeypatch
) -> None:
    (pk,) = put(application, 1)
    assert send(api, f"{pk}/undo", reviewer=anna).status_code == 403
    body = {"reviewer": anna, "decision": "overturned", "note": "Fine."}
    response = send(api, f"{pk}/decide", '"1"', **body)
    assert send(api, f"{pk}/undo", reviewer=ben).status_code == 403
    assert send(api, f"{pk}/undo", '"1"', reviewer=anna).status_code == 412
    undone = send(api, f"{pk}/undo", response["ETag"], reviewer=anna)
    assert (undone.status_code, undone["ETag"]) == (200, '"3"')
    assert (undone.json()["state"], undone.json()["claimed_by"]) == ("open", "anna")
    assert TrailEntry.objects.get(event=Event.REVIEW_UNDONE).data["via"].startswith("api_key:")
    send(api, f"{pk}/decide", '"3"', **body)
    monkeypatch.setattr("desk.reviews.selectors.desk.UNDO", timedelta(0))
    late = send(api, f"{pk}/undo", reviewer=anna)
    assert late.status_code == 409
    assert "for a minute" in late.json()["detail"]


def test_nobody_else_learns_of_a_decision_behind_a_blind_review_by_undoing(
    api, application, anna, ben
) -> None:
    Application.objects.filter(pk=application.pk).update(second_review_share=1.0)
    (pk,) = put(application, 1)
    send(api, f"{pk}/decide", '"1"', reviewer=anna, decision="confirmed")
    assert send(api, f"{pk}/undo", reviewer=ben).status_code == 404
    assert send(api, f"{pk}/undo", reviewer=anna).status_code == 200
    assert Review.objects.get().decision is None


@pytest.fixture
def decidable(checked) -> Review:

    check = checked()
    return check.reviews.get()


def test_who_writes_later_is_told_and_overwrites_nothing(api, application, anna, ben) -> None:
    (pk,) = put(application, 1)
    read = api.get(f"{LIST}/{pk}")["ETag"]
    first = send(api, f"{pk}/decide", read, reviewer=anna, decision="confirmed", note="Yes.")
    assert first.status_code == 200
    for etag, status in ((read, 412), ("*", 409)):
        late = send(api, f"{pk}/decide", etag, reviewer=ben, decision="overturned", note="No.")
        assert late.status_code == status
        assert "anna has already decided it: confirmed" in late.json()["detail"]
        assert late["Content-Type"] == "application/problem+json"
    review = Review.objects.get()
    assert (review.decision, review.note) == ("confirmed", "Yes.")


def test_what_another_holds_is_a_conflict(api, application, anna, ben) -> None:
    (pk,) = put(application, 1)
    etag = send(api, "next", reviewer=anna)["ETag"]
    for path, more in (("claim", {}), ("release", {}), ("decide", {"decision": "confirmed"})):
        response = send(api, f"{pk}/{path}", etag, reviewer=ben, **more)
        assert response.status_code == 409, path
        assert "anna is reviewing it" in response.json()["detail"]


@pytest.mark.parametrize(
    ("etag", "body", "status"),
    [
        (None, {"decision": "confirmed"}, 428),
        ("nonsense", {"decision": "confirmed"}, 400),
        ('"1"', {}, 400),
        ('"1"', {"decision": "replayed"}, 400),
        ('"1"', {"decision": "overturned"}, 400),
        ('"1"', {"decision": "confirmed", "reason_codes": ["unheard-of"]}, 400),
        ('"1"', {"decision": "confirmed", "claims": {"c1": "Maybe"}}, 400),
        ('"1"', {"decision": "confirmed", "claims": {"no-such": "agree"}}, 400),
        ('"1"', {"decision": "confirmed", "reviewer": "nobody"}, 400),
        ('"1"', {"decision": "confirmed", "reviewer": "aud"}, 400),
        ('"1"', {"decision": "confirmed", "reviewer": "foreign"}, 400),
        ('"1"', {"decision": "confirmed", "reviewer": "root"}, 400),
        ('"1"', {"decision": "confirmed", "color": "red"}, 400),
    ],
)
def test_what_is_no_decision_changes_nothing(
    api, application, other_application, superuser, anna, etag, body, status
) -> None:
    person("aud", Role.AUDITOR, application)
    person("foreign", Role.LEAD, other_application)
    (pk,) = put(application, 1)
    answer = send(api, f"{pk}/decide", etag, **{"reviewer": anna, **body})
    assert answer.status_code == status, answer.content
    review = Review.objects.get()
    assert (review.decision, review.version) == (None, 1)


def test_filters(api, application, anna) -> None:
    (blocked,), (warned,) = put(application, 1), put(application, 1, reason="warn", risk=20)
    Review.objects.filter(pk=warned).update(due_at=Now() - timedelta(hours=1))
    for query, expected in (
        ({}, [blocked, warned]), ({"reason": "warn"}, [warned]), ({"overdue": "true"}, [warned]),
        ({"stage": "second"}, []), ({"assigned_to": "anna"}, []), ({"state": "decided"}, []),
    ):  # fmt: skip
        page = api.get(LIST, query)
        assert [r["id"] for r in page.json()["results"]] == expected, query
    assert [r["overdue"] for r in api.get(LIST).json()["results"]] == [False, True]
    assert api.get(LIST, {"reason": "because"}).status_code == 400


def test_pages_follow_each_other_in_the_order_of_the_desk(api, application) -> None:
    expected = put(application, 3, risk=90) + put(application, 4, risk=10)
    ids, address = [], f"{LIST}?page_size=2"
    while address:
        page = api.get(address).json()
        ids += [r["id"] for r in page["results"]]
        address = page["next"]
    assert ids == expected


def test_the_list_costs_the_same_for_one_and_for_forty(api, application) -> None:
    put(application, 1)
    api.get(LIST)  # notes that the key was used
    with assertNumQueries(2):  # key, rows
        assert len(api.get(LIST).json()["results"]) == 1
    put(application, 39)
    with assertNumQueries(2):
        assert len(api.get(LIST).json()["results"]) == 40


def test_another_applications_reviews_are_not_there(
    application, other_application, client_with, anna
) -> None:
    (pk,) = put(application, 1)
    stranger = client_with(other_application)
    person("foreign", Role.LEAD, other_application)
    assert stranger.get(LIST).json()["results"] == []
    assert stranger.get(f"{LIST}/{pk}").status_code == 404
    assert send(stranger, "next", reviewer="foreign").status_code == 204
    for path, more in (("claim", {}), ("release", {}), ("decide", {"decision": "confirmed"})):
        assert send(stranger, f"{pk}/{path}", '"1"', reviewer="foreign", **more).status_code == 404
        assert send(stranger, f"{pk}/{path}", '"1"', reviewer=anna, **more).status_code == 400


def test_a_second_review_is_blind_in_the_api_too(api, application, anna, ben) -> None:
    Application.objects.filter(pk=application.pk).update(second_review_share=1.0)
    (pk,) = put(application, 1)
    first = send(api, f"{pk}/decide", '"1"', reviewer=anna, decision="confirmed", note="Secret.")
    assert first.status_code == 200
    assert api.get(f"{LIST}/{pk}").status_code == 404
    assert api.get(LIST, {"state": "decided"}).json()["results"] == []
    second = api.get(LIST).json()["results"][0]
    assert second["stage"] == "second"
    assert send(api, "next", reviewer=anna).status_code == 204
    not_hers = send(api, f"{second['id']}/decide", '"1"', reviewer=anna, decision="confirmed")
    assert not_hers.status_code == 403
    assert send(api, "next", reviewer=ben).json()["id"] == second["id"]
    response = send(api, f"{second['id']}/decide", "*", reviewer=ben, decision="confirmed")
    assert response.status_code == 200
    assert len(api.get(LIST, {"state": "decided"}).json()["results"]) == 2
