"""Held answers: awaited, approved, edited, refused, expired; by one person or by two."""

import json
from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
from django.utils import timezone
from pypdf import PdfReader

from accounts.models import Application, Scope
from analysis.models import (
    AnnotatedAnswer,
    Check,
    HeldAnswer,
    HoldState,
    Review,
    ReviewDecision,
    ReviewReason,
    ReviewStage,
)
from analysis.selectors.results import check_document, decision_in_place
from analysis.selectors.verifying import verify_decision
from analysis.services.erasure import EVERYTHING, erase_checks
from analysis.services.policies import create_policy
from analysis.services.release import expire_held
from analysis.services.trends import count_waiting
from audit.models import Event, TrailEntry
from desk.reviews.services.reviews import (
    TooLate,
    UnfitDecision,
    Words,
    decide_review,
    undo_decision,
)
from notifications.models import EventKind, Notification
from operations.evidence import Period, chapters_of
from tests.integration.people import subscribed

pytestmark = pytest.mark.usefixtures("empty_redis")
ANSWER = "The mill has 10 rooms."
RIGHT = {"answer": ANSWER, "sources": [ANSWER], "metadata": {"ticket": "T-1"}}
WAITING = "A person is reviewing this answer. It will follow."
REFUSAL = "I don't know based on the available sources."
APPROVED, REFUSED = ReviewDecision.APPROVED, ReviewDecision.REFUSED


def hold(application: Application, **terms: Any) -> None:
    """Put a policy in force that holds answers about rooms."""
    rules = {"hold": {"words": ["rooms"], **terms}}
    create_policy(application_id=application.pk, rules=rules, by="root", activate=True)


def review_of(check: Check) -> Review:
    return Review.objects.select_related("application").get(check_record=check, decision=None)


def document(check: Check) -> dict[str, Any]:
    return check_document(check.application_id, check.pk)


def shown(check: Check) -> tuple[str, str]:
    stored = document(check)
    return stored["hold"]["state"], stored["final_response"]


def test_the_client_awaits_review_with_a_due_time(application, checked, client_with) -> None:
    hold(application, hours=6)
    check = checked(**RIGHT)
    client = client_with(application, Scope.CHECKS_READ)
    reply = client.get(f"/api/v1/checks/{check.pk}").json()
    assert (reply["action"], reply["final_response"]) == ("WARN", WAITING)
    assert reply["mitigation_actions"] == ["awaiting_review"]
    assert (reply["hold"]["state"], reply["hold"]["settled_at"]) == ("awaiting", None)
    review = review_of(check)
    assert (review.reason, review.due_at) == (ReviewReason.HELD, HeldAnswer.objects.get().due_at)
    assert [claim["final_char_span"] for claim in reply["claims"]] == [None]
    stored = AnnotatedAnswer.objects.select_related("check_record", "policy").get()
    assert verify_decision(stored).differs == ()
    assert decision_in_place(stored)["final_response"] == WAITING
    assert document(checked(answer="It is red.", sources=["It is red."]))["hold"] is None


@pytest.mark.parametrize(
    ("decision", "corrected", "state", "text"),
    [
        (APPROVED, "", "approved", ANSWER),
        (APPROVED, "The mill has ten rooms.", "edited", "The mill has ten rooms."),
        (REFUSED, "", "refused", REFUSAL),
    ],
)
def test_what_one_person_decides_is_sent_at_once(
    application, checked, anna, decision, corrected, state, text
) -> None:
    hold(application)
    kinds = (EventKind.CHECK_DONE, EventKind.CHECK_RELEASED)
    subscribed(application, "https://a.example/", *kinds)
    check = checked(**RIGHT)
    words = Words(note="seen", corrected_text=corrected)
    review = review_of(check)
    assert decide_review(review=review, decision=decision, by=anna, words=words) is None
    assert shown(check) == (state, text)
    done, released = Notification.objects.order_by("id")
    assert done.data["hold"]["state"] == "awaiting"
    assert released.data["final_response"] == text
    assert released.data["metadata"] == {"ticket": "T-1"}
    assert released.due_at <= timezone.now()
    entry = TrailEntry.objects.get(event=Event.CHECK_RELEASED)
    assert (entry.actor, entry.subject_id, entry.data["state"]) == ("anna", str(check.pk), state)
    with pytest.raises(TooLate):
        undo_decision(review=review, by=anna)


def test_a_held_answer_is_approved_or_refused_and_another_is_not(
    application, checked, anna
) -> None:
    wrong = checked(answer="The mill has 20 rooms.", sources=[ANSWER])
    with pytest.raises(UnfitDecision):
        decide_review(review=review_of(wrong), decision=APPROVED, by=anna)
    hold(application)
    held = review_of(checked(**RIGHT))
    with pytest.raises(UnfitDecision):
        decide_review(review=held, decision=ReviewDecision.CONFIRMED, by=anna)
    with pytest.raises(UnfitDecision, match="reason"):
        decide_review(review=held, decision=REFUSED, by=anna)


def test_two_approve_the_same_text(application, checked, anna, ben, as_user) -> None:
    hold(application, four_eyes=True)
    check = checked(**RIGHT)
    words = Words(corrected_text="Ten rooms.")
    second = decide_review(review=review_of(check), decision=APPROVED, by=anna, words=words)
    assert (second.stage, second.due_at) == (ReviewStage.SECOND, HeldAnswer.objects.get().due_at)
    assert shown(check) == ("awaiting", WAITING)
    page = as_user(ben).get(f"/admin/analysis/review/{second.pk}/workbench/").content.decode()
    assert page.count("Ten rooms.") == 2  # what the first approved, and the text to begin with
    assert decide_review(review=review_of(check), decision=APPROVED, by=ben, words=words) is None
    assert shown(check) == ("edited", "Ten rooms.")


def test_where_two_differ_a_lead_decides(application, checked, anna, ben, lead) -> None:
    hold(application, four_eyes=True)
    check = checked(**RIGHT)
    decide_review(review=review_of(check), decision=APPROVED, by=anna)
    words = Words(corrected_text="Ten.")
    third = decide_review(review=review_of(check), decision=APPROVED, by=ben, words=words)
    assert third.stage == ReviewStage.ADJUDICATION
    assert shown(check)[0] == "awaiting"
    decide_review(review=review_of(check), decision=REFUSED, by=lead, note="neither")
    assert shown(check) == ("refused", REFUSAL)


@pytest.mark.parametrize(("rule", "text"), [("refuse", REFUSAL), ("release", None)])
def test_what_nobody_decides_in_time_the_policy_decides(
    application, checked, anna, rule, text
) -> None:
    hold(application, on_expiry=rule)
    check = checked(**RIGHT)
    assert expire_held() == 0
    HeldAnswer.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    assert expire_held() == 1
    assert expire_held() == 0
    unheld = AnnotatedAnswer.objects.get().decision["final_response"]
    assert shown(check) == ("expired", text or unheld)
    assert TrailEntry.objects.get(event=Event.CHECK_RELEASED).actor == "watchdog"
    decide_review(review=review_of(check), decision=APPROVED, by=anna)
    assert shown(check) == ("approved", ANSWER)
    assert TrailEntry.objects.filter(event=Event.CHECK_RELEASED).count() == 2


def test_the_record_and_the_pack_tell_what_the_user_was_shown(
    application, checked, anna, as_user, lead
) -> None:
    hold(application)
    check = checked(**RIGHT)
    checked(**RIGHT)
    HeldAnswer.objects.filter(pk=check.pk).update(due_at=timezone.now() - timedelta(seconds=1))
    expire_held()
    words = Words(corrected_text="Ten rooms.")
    decide_review(review=review_of(check), decision=APPROVED, by=anna, words=words)
    file = b"".join(as_user(lead).get(f"/admin/analysis/check/{check.pk}/record.pdf"))
    page = " ".join(PdfReader(BytesIO(file)).pages[0].extract_text().split())
    assert f"First, as the answer was held: {WAITING}" in page
    expired = page.index("Expired by watchdog")
    assert expired < page.index(REFUSAL) < page.index("Edited by anna") < page.index("Ten rooms.")
    today = timezone.now().date()
    chapters = {each.name: each for each in chapters_of(Period(application, today, today))}
    assert chapters["held"].tables[0].rows == (("awaiting", 1, 0), ("edited", 1, 0))


def test_an_erased_answer_waits_for_nobody(application, checked, anna) -> None:
    hold(application)
    subscribed(application, "https://a.example/", EventKind.CHECK_RELEASED)
    approved, awaited = checked(**RIGHT), checked(**RIGHT)
    decide_review(review=review_of(approved), decision=APPROVED, by=anna)
    count_waiting(wait=True)
    erase_checks(check_ids=[approved.pk, awaited.pk], parts=EVERYTHING, by="root", reason="asked")
    states = dict(HeldAnswer.objects.values_list("pk", "state"))
    assert states == {approved.pk: HoldState.APPROVED, awaited.pk: HoldState.EXPIRED}
    assert ANSWER not in json.dumps(Notification.objects.get().data)
    HeldAnswer.objects.update(due_at=timezone.now() - timedelta(days=1))
    assert expire_held() == 0


def test_decided_over_the_api(application, checked, anna, client_with) -> None:
    hold(application)
    check = checked(**RIGHT)
    client = client_with(application, Scope.REVIEWS_READ, Scope.REVIEWS_WRITE, Scope.CHECKS_READ)
    review = client.post(
        "/api/v1/reviews/next", {"reviewer": "anna", "reason": "held"}, format="json"
    )
    path = f"/api/v1/reviews/{review.json()['id']}/decide"
    headers = {"If-Match": review.headers["ETag"]}
    body = {"reviewer": "anna", "decision": "confirmed"}
    assert client.post(path, body, format="json", headers=headers).status_code == 400
    body = {"reviewer": "anna", "decision": "approved"}
    assert client.post(path, body, format="json", headers=headers).json()["decision"] == "approved"
    reply = client.get(f"/api/v1/checks/{check.pk}").json()
    assert (reply["hold"]["state"], reply["final_response"]) == ("approved", ANSWER)
