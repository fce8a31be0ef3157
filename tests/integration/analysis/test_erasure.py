"""Erasing checks: what goes, what stays, who is told, and that there is no other way."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.management import CommandError
from django.db import DatabaseError, connection, connections, transaction
from django.urls import reverse

from analysis.models import (
    AnnotatedAnswer,
    Check,
    CheckEmbedding,
    CheckSearch,
    Claim,
    ClaimVerdict,
    Feedback,
    Review,
    ReviewDecision,
)
from analysis.services.erasure import ErasablePart, erase_check, erase_checks, lift_hold, place_hold
from analysis.services.feedback import give_feedback
from analysis.services.records import export_record
from analysis.services.searching import index_checks
from analysis.services.trends import _LOCK
from audit.models import Event, TrailEntry
from audit.seals import seal_trail
from desk.reviews.services.reviews import Words, decide_review
from desk.verdict_page.links import make_link
from tests.commands import run
from tests.database import sql
from tests.integration.analysis.trend_counts import used, used_directly
from tests.integration.people import unlocked
from tests.shapes import problem
from tests.sockets import wait_until

pytestmark = pytest.mark.usefixtures("empty_redis")
NAME = "Ottilie Brandt"
SOURCES = ["The bridge was built in 1840. Its engineer was Ottilie Brandt."]


@pytest.fixture
def check(application, checked, superuser) -> Check:
    """Make a decided, reviewed, commented, indexed and sealed check that names a person."""
    check = checked(
        f"{NAME} built the bridge in 1850.",
        query=f"What did {NAME} build?",
        sources=SOURCES,
        samples=[f"{NAME} built it."],
        metadata={"asked_by": NAME},
    )
    words = Words(
        note=f"{NAME} is right", corrected_text=f"{NAME}, 1840", claims={"c_0001": "Supported"}
    )
    review = Review.objects.get(check_record=check)
    decide_review(review=review, decision=ReviewDecision.OVERTURNED, by=superuser, words=words)
    give_feedback(
        check=check, by="test", helpful=False, comment=f"{NAME} is spelled so", end_user=""
    )
    index_checks()
    seal_trail()
    return Check.objects.get(pk=check.pk)


def everything_stored() -> str:
    """Return every row of every table of the product, as text."""
    tables = [t for t in connection.introspection.table_names() if not t.startswith("django_")]
    return str([sql(f'SELECT to_jsonb(t)::text FROM "{table}" AS t') for table in tables])


def erase(check: Check) -> bool:
    who = {"by": "privacy", "reason": "request 7"}
    return erase_check(application_id=check.application_id, check_id=check.pk, **who)


def test_nothing_that_names_the_person_is_left(check) -> None:
    assert NAME in everything_stored()
    assert erase(check)
    remainder = everything_stored()
    assert NAME not in remainder
    assert "brandt" not in remainder  # nor among the words of the search


def test_what_stays_says_what_became_of_it(check) -> None:
    erase(check)
    kept_fields = ("action", "risk_score", "input_sha256", "created_at")
    erased_check = Check.objects.get(pk=check.pk)
    for name in kept_fields:
        assert getattr(erased_check, name) == getattr(check, name), name
    assert Review.objects.get(check_record=check).decision == ReviewDecision.OVERTURNED
    assert not Feedback.objects.get(check_record=check).helpful
    trail_entry = TrailEntry.objects.get(event=Event.CHECK_ERASED)
    assert (trail_entry.actor, trail_entry.subject_id) == ("privacy", str(check.pk))
    assert trail_entry.data == {"parts": ["input", "result", "reviews"], "reason": "request 7"}
    for model in (AnnotatedAnswer, Claim, ClaimVerdict, CheckEmbedding, CheckSearch):
        assert not model.objects.exists()


def test_trail_and_decisions_verify_and_tell_of_it(check) -> None:
    erase(check)
    seal_trail()
    assert "2 of them refer to content erased since" in run("verify_trail")
    assert run("verify_decisions") == (
        "0 decisions match their policy and signals.\n1 were erased by privacy: request 7.\n"
    )


def test_an_input_that_is_gone_without_an_entry_is_found(check) -> None:
    unlocked(
        "UPDATE analysis_check SET answer = '', query = '', input_erased_at = now(),"
        " result_erased_at = now(), reviews_erased_at = now()"
    )
    with pytest.raises(CommandError, match=r"check.submitted.*is not as it was sealed"):
        run("verify_trail")


def test_a_record_taken_before_still_holds_and_one_taken_after_says_why(check, tmp_path) -> None:
    reviews = Review.objects.all()
    before = tmp_path / "before.json"
    before.write_bytes(export_record(check=check, as_="json", by="t", reviews=reviews))
    erase(check)
    output = run("verify_record", str(before))
    assert "FAIL" not in output
    assert "ok   stored input (Erased on" in output
    assert "by privacy (input, result and reviews): request 7.)" in output
    erased_check = Check.objects.get(pk=check.pk)
    after = tmp_path / "after.json"
    after.write_bytes(export_record(check=erased_check, as_="json", by="t", reviews=reviews))
    record = json.loads(after.read_text())
    assert (record["result"], record["input"]["answer"]) == (None, "")
    assert "request 7" in record["check"]["erased"][0]
    assert "FAIL" not in run("verify_record", str(after))
    pdf = tmp_path / "after.pdf"
    pdf.write_bytes(export_record(check=erased_check, as_="pdf", by="t", reviews=reviews))
    assert "FAIL" not in run("verify_record", str(pdf))


def test_a_record_whose_review_was_changed_is_still_found_after_the_erasure(
    check, tmp_path
) -> None:
    file = tmp_path / "before.json"
    reviews = Review.objects.all()
    file.write_bytes(export_record(check=check, as_="json", by="t", reviews=reviews))
    erase(check)
    unlocked("UPDATE analysis_review SET decision = 'confirmed'")
    with pytest.raises(CommandError, match="stored review"):
        run("verify_record", str(file))


def test_the_result_alone_can_go(check) -> None:
    erase_checks(check_ids=[check.pk], parts=[ErasablePart.RESULT], by="watchdog", reason="90 days")
    erased_check = Check.objects.get(pk=check.pk)
    assert erased_check.answer == check.answer
    assert (erased_check.input_erased_at, erased_check.reviews_erased_at) == (None, None)
    assert Review.objects.get(check_record=check).note == f"{NAME} is right"
    assert not Claim.objects.exists()
    seal_trail()
    assert "1 of them refer to content erased since" in run("verify_trail")


def test_usage_stays_what_it_was(check) -> None:
    before = used(check.application_id)
    assert before == used_directly(check.application_id)
    erase_checks(check_ids=[check.pk], parts=list(ErasablePart), by="watchdog", reason="90 days")
    assert not Claim.objects.exists()
    assert used(check.application_id) == before


def test_a_second_erasure_changes_nothing(check) -> None:
    arguments = {"application_id": check.application_id, "check_id": check.pk, "by": "p"}
    assert erase_check(**arguments, reason="one") is True
    assert erase_check(**arguments, reason="two") is False
    assert TrailEntry.objects.filter(event=Event.CHECK_ERASED).count() == 1


@pytest.mark.parametrize("door", ["on", "off"])
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE analysis_check SET answer = 'other'",
        "UPDATE analysis_check SET answer = '', input_erased_at = now(),"
        " result_erased_at = now(), reviews_erased_at = now()",
        "DELETE FROM analysis_claim",
        "DELETE FROM analysis_claimverdict",
        "UPDATE analysis_annotatedanswer SET decision = '{}'",
        "UPDATE analysis_review SET note = ''",
    ],
)
def test_the_door_alone_opens_nothing(check, statement, door) -> None:
    sql(f"SET LOCAL watchdog.erasure = '{door}'")
    with pytest.raises(DatabaseError, match="is refused"), transaction.atomic():
        sql(statement)


def test_an_entry_does_not_let_anything_be_rewritten(check) -> None:
    erase_checks(check_ids=[check.pk], parts=[ErasablePart.REVIEWS], by="p", reason="r")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL watchdog.erasure = 'on'")
        for statement in (
            "UPDATE analysis_review SET note = 'better'",
            "UPDATE analysis_review SET decision = 'confirmed', note = ''",
            "UPDATE analysis_check SET answer = 'better'",
            "DELETE FROM analysis_claim",
        ):
            with pytest.raises(DatabaseError, match="is refused"), transaction.atomic():
                cursor.execute(statement)


def test_a_hold_stops_services_and_database(application, check, api) -> None:
    hold = place_hold(application=application, check=check, reason="lawsuit 4", by="legal")
    url = reverse("check", args=[check.pk])
    response = api.delete(url)
    assert problem(response) == (409, "legal_hold")
    TrailEntry.objects.create(
        application_id=application.pk, event=Event.CHECK_ERASED, subject_type="check",
        subject_id=str(check.pk), actor="x", data={"parts": ["result"]},
    )  # fmt: skip
    sql("SET LOCAL watchdog.erasure = 'on'")
    with pytest.raises(DatabaseError, match="is refused"), transaction.atomic():
        sql("DELETE FROM analysis_claimverdict")
    assert lift_hold(hold, by="legal")
    assert not lift_hold(hold, by="legal")
    assert api.delete(url).status_code == 204
    events = TrailEntry.objects.filter(subject_type="legalhold").order_by("id")
    assert list(events.values_list("event", flat=True)) == ["hold.placed", "hold.lifted"]


def test_a_hold_on_the_application_holds_its_checks_only(other_application, check, api) -> None:
    hold = place_hold(application=other_application, reason="theirs", by="legal")
    assert api.delete(reverse("check", args=[check.pk])).status_code == 204
    assert hold == place_hold(application=other_application, reason="again", by="legal")


def test_the_api_erases_and_says_gone(check, api) -> None:
    url = reverse("check", args=[check.pk])
    assert api.delete(url, QUERY_STRING="reason=request+7").status_code == 204
    assert api.delete(url).status_code == 204
    for name in ("check", "check_payloads"):
        response = api.get(reverse(name, args=[check.pk]))
        assert problem(response) == (410, "erased")
        assert "request 7" in response.json()["detail"]
    assert api.get(reverse("checks")).json()["results"][0]["id"] == str(check.pk)


def test_a_check_that_is_worked_on_is_not_erased(make_check, api) -> None:
    queued = make_check("Not yet.")
    response = api.delete(reverse("check", args=[queued.pk]))
    assert problem(response) == (409, "check_not_ended")
    assert Check.objects.get(pk=queued.pk).answer == "Not yet."


@pytest.mark.django_db(transaction=True)
def test_who_erases_waits_for_who_counts(checked) -> None:
    check = checked("The bridge has 3 arches.")
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            sql("SELECT pg_advisory_xact_lock(%s)", _LOCK)
            erased = pool.submit(_erase_in_a_thread, check)
            waits = "SELECT 1 FROM pg_locks WHERE NOT granted"
            wait_until(lambda: erased.done() or sql(waits))
        assert erased.result(60)
    assert not Claim.objects.exists()


def _erase_in_a_thread(check: Check) -> bool:
    try:
        return erase_check(
            application_id=check.application_id, check_id=check.pk, by="t", reason="a test"
        )
    finally:
        connections.close_all()


def test_pages_show_what_is_left(check, superuser, client) -> None:
    token, _ = make_link(check=check, seconds=60, by="t")
    review = Review.objects.get(check_record=check)
    erase(check)
    assert client.get(reverse("confidence_view", args=[token])).status_code == 410
    client.force_login(superuser)
    address = reverse("admin:analysis_check_change", args=[check.pk])
    page = client.get(address)
    assert page.status_code == 200
    assert "by privacy (input, result and reviews): request 7." in page.content.decode()
    work = client.get(reverse("admin:analysis_review_work", args=[review.pk]))
    assert (work.status_code, work["Location"]) == (302, address)
    response = client.get(reverse("admin:analysis_check_changelist"))
    assert str(check.pk) in response.content.decode()
