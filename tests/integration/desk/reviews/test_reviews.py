"""A review is decided once, by somebody, and the trail says so."""

import hashlib
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.urls import reverse

from analysis.models import Review, ReviewDecision
from audit.models import Event, TrailEntry
from desk.reviews.services.conflicts import ReviewConflict
from desk.reviews.services.reviews import decide_review


def test_a_decision_is_kept_with_who_when_and_note(desk, checked, superuser) -> None:
    review = checked().reviews.get()
    url = reverse("admin:analysis_review_decide", args=[review.pk])
    page = desk.post(url, {"decision": "confirmed", "note": " Right. "}, follow=True)
    review.refresh_from_db()
    assert (review.decision, review.decided_by, review.note) == ("confirmed", superuser, "Right.")
    assert review.decided_at is not None
    assert "The review is confirmed." in page.content.decode()
    entry = TrailEntry.objects.get(event=Event.REVIEW_DECIDED)
    assert (entry.subject_id, entry.actor) == (str(review.pk), "root")
    assert entry.data == {
        "check_id": str(review.check_record_id),
        "decision": "confirmed",
        "stage": "first",
        "reason_codes": [],
        "claims": {},
        "note_sha256": hashlib.sha256(b"Right.").hexdigest(),
        "corrected_sha256": hashlib.sha256(b"").hexdigest(),
        "via": "desk",
    }


def test_who_comes_second_is_told_and_changes_nothing(desk, checked, superuser) -> None:
    review = checked().reviews.get()
    decide_review(review=review, decision=ReviewDecision.ESCALATED, by=superuser, note="Odd.")
    url = reverse("admin:analysis_review_decide", args=[review.pk])
    page = desk.post(url, {"decision": "overturned", "note": "x"}, follow=True)
    assert "Nothing was changed: root has already decided it: escalated" in page.content.decode()
    review.refresh_from_db()
    assert review.decision == ReviewDecision.ESCALATED
    assert TrailEntry.objects.filter(event=Event.REVIEW_DECIDED).count() == 1


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"decision": "replayed"},
        {"decision": "x"},
        {"decision": "confirmed", "note": "x" * 5001},
    ],
)
def test_what_no_button_sends_is_refused(desk, checked, form) -> None:
    review = checked().reviews.get()
    url = reverse("admin:analysis_review_decide", args=[review.pk])
    assert desk.post(url, form).status_code == 400
    review.refresh_from_db()
    assert review.decision is None


def test_an_overturn_without_a_reason_is_asked_for_one(desk, checked) -> None:
    review = checked().reviews.get()
    url = reverse("admin:analysis_review_decide", args=[review.pk])
    page = desk.post(url, {"decision": "overturned"}, follow=True).content.decode()
    assert "Choose a reason or write a note" in page
    review.refresh_from_db()
    assert review.decision is None


def test_the_desk_opens_with_what_is_open_oldest_first(desk, checked, superuser) -> None:
    done, first, second = (checked().reviews.get() for _ in range(3))
    decide_review(review=done, decision=ReviewDecision.CONFIRMED, by=superuser)
    url = reverse("admin:analysis_review_changelist")
    assert list(desk.get(url).context["cl"].result_list) == [first, second]
    assert list(desk.get(url, {"state": "decided"}).context["cl"].result_list) == [done]
    assert list(desk.get(url, {"reason": "block"}).context["cl"].result_list) == []
    assert list(desk.get(url, {"reason": "warn"}).context["cl"].result_list) == [first, second]


def test_a_live_check_cannot_be_replayed(desk, checked) -> None:
    check = checked()
    page = desk.post(reverse("admin:analysis_check_replay", args=[check.pk]), follow=True)
    assert "only a failed check can be run again" in page.content.decode()
    check.refresh_from_db()
    assert check.state == "done"


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_one_decides(checked, superuser) -> None:
    review = checked().reviews.get()

    def decide(n: int) -> bool:
        try:
            decide_review(
                review=review, decision=ReviewDecision.CONFIRMED, by=superuser, note=f"{n}"
            )
        except ReviewConflict:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(decide, range(24))) == 1
    assert TrailEntry.objects.filter(event=Event.REVIEW_DECIDED).count() == 1
    assert Review.objects.get().decided_by == superuser
