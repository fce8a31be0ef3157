"""Decisions: claims, codes, the minute to undo, the second opinion and its adjudication."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from accounts.models import Application, Role
from analysis.models import (
    ClaimVerdict,
    ReasonCode,
    Review,
    ReviewDecision,
    ReviewDraft,
    ReviewStage,
)
from audit.models import Event, TrailEntry
from desk.reviews.selectors import desk
from desk.reviews.services import queue
from desk.reviews.services.conflicts import NotYours
from desk.reviews.services.reviews import (
    TooLate,
    UnfitDecision,
    Words,
    decide_review,
    undo_decision,
)
from tests.integration.people import person, put, unguarded

CONFIRMED, OVERTURNED, ESCALATED = (
    ReviewDecision.CONFIRMED,
    ReviewDecision.OVERTURNED,
    ReviewDecision.ESCALATED,
)


@pytest.fixture
def code(db) -> ReasonCode:
    return ReasonCode.objects.create(code="stale-source", label="Old", decision=OVERTURNED)


@pytest.fixture
def blocked(application) -> Review:
    """Make a blocked check on a desk where overturned blocks are reviewed twice."""
    Application.objects.filter(pk=application.pk).update(second_review_of_overturned_blocks=True)
    return Review.objects.get(pk=put(application, 1)[0])


def decide(review: Review, decision: ReviewDecision, by: User) -> Review | None:
    review.refresh_from_db()
    return decide_review(review=review, decision=decision, by=by, note="Because.")


class TestWhatIsSaid:
    def test_everything_said_is_kept(self, checked, anna, code) -> None:
        check = checked()
        review = check.reviews.get()
        claim = check.annotated_answer.claims.first()
        assert claim.status == "Low Confidence"
        words = Words(
            note="See page 3.", reason_codes=["stale-source"], corrected_text="It closed in 2019.",
            claims={claim.claim_id: "Supported"},
        )  # fmt: skip
        decide_review(review=review, decision=OVERTURNED, by=anna, words=words, version=1)
        review.refresh_from_db()
        assert (review.decision, review.decided_by, review.version) == ("overturned", anna, 2)
        assert (review.reason_codes, review.corrected_text) == (
            ["stale-source"],
            words.corrected_text,
        )
        verdict = ClaimVerdict.objects.get()
        assert (verdict.claim, verdict.status, verdict.agrees) == (claim, "Supported", False)
        entry_data = TrailEntry.objects.get(event=Event.REVIEW_DECIDED).data
        assert (entry_data["reason_codes"], entry_data["stage"]) == (["stale-source"], "first")
        assert "page 3" not in str(entry_data)

    def test_agreeing_keeps_the_status(self, checked, anna) -> None:
        review = checked().reviews.get()
        claim = review.check_record.annotated_answer.claims.first()
        words = Words(claims={claim.claim_id: "agree"})
        decide_review(review=review, decision=CONFIRMED, by=anna, words=words)
        verdict = ClaimVerdict.objects.get()
        assert (verdict.status, verdict.agrees) == (claim.status, True)

    @pytest.mark.parametrize(
        ("decision", "words", "field"),
        [
            (OVERTURNED, Words(), "reason_codes"),
            (ESCALATED, Words(note="  "), "reason_codes"),
            (CONFIRMED, Words(reason_codes=["stale-source"]), "reason_codes"),
            (OVERTURNED, Words(reason_codes=["unheard-of"]), "reason_codes"),
            (CONFIRMED, Words(note="x" * 5001), "note"),
            (CONFIRMED, Words(corrected_text="x" * 200_001), "corrected_text"),
            (CONFIRMED, Words(claims={"no-such": "agree"}), "claims"),
            (ReviewDecision.REPLAYED, Words(), "decision"),
        ],
    )
    def test_what_nobody_can_mean_is_refused_and_changes_nothing(
        self, application, anna, code, decision, words, field
    ) -> None:
        review = Review.objects.get(pk=put(application, 1)[0])
        with pytest.raises(UnfitDecision) as error:
            decide_review(review=review, decision=decision, by=anna, words=words)
        assert error.value.field == field
        review.refresh_from_db()
        assert (review.decision, review.version) == (None, 1)

    def test_a_retired_code_is_no_reason(self, application, anna, code) -> None:
        ReasonCode.objects.update(is_active=False)
        review = Review.objects.get(pk=put(application, 1)[0])
        with pytest.raises(UnfitDecision):
            decide_review(
                review=review, decision=OVERTURNED, by=anna,
                words=Words(reason_codes=["stale-source"]),
            )  # fmt: skip


class TestUndo:
    def test_within_a_minute_it_is_open_again_and_the_words_are_the_draft(
        self, blocked, anna
    ) -> None:
        assert decide(blocked, OVERTURNED, anna) is not None
        undo_decision(review=blocked, by=anna)
        assert (blocked.decision, blocked.note, blocked.claimed_by) == (None, "", anna)
        assert Review.objects.count() == 1
        assert ReviewDraft.objects.get().fields["note"] == "Because."
        assert TrailEntry.objects.get(event=Event.REVIEW_UNDONE).data["decision"] == "overturned"
        decide(blocked, CONFIRMED, anna)
        assert not ReviewDraft.objects.exists()

    def test_offered_is_the_decision_made_last_whatever_its_number(self, application, anna) -> None:
        older, newer = Review.objects.filter(pk__in=put(application, 2)).order_by("id")
        decide(newer, OVERTURNED, anna)
        decide(older, CONFIRMED, anna)
        assert desk.undoable(anna) == older

    def test_not_after_it_and_not_by_another(self, blocked, anna, ben) -> None:
        decide(blocked, CONFIRMED, anna)
        with pytest.raises(TooLate):
            undo_decision(review=blocked, by=ben)
        with unguarded():
            Review.objects.update(decided_at=Now() - timedelta(minutes=10))
        with pytest.raises(TooLate):
            undo_decision(review=blocked, by=anna)
        blocked.refresh_from_db()
        assert blocked.decision == "confirmed"

    def test_not_once_somebody_went_on_from_it(self, blocked, anna, ben) -> None:
        decide(blocked, OVERTURNED, anna)
        assert queue.claim_next(by=ben) is not None
        with pytest.raises(TooLate):
            undo_decision(review=blocked, by=anna)

    @pytest.mark.parametrize(
        "change",
        [
            {"decision": "confirmed"},
            {"note": "Other."},
            {"corrected_text": "x"},
            {"stage": "second"},
        ],
    )
    def test_the_database_lets_nobody_rewrite_a_decision(self, blocked, anna, change) -> None:
        decide(blocked, OVERTURNED, anna)
        with pytest.raises(IntegrityError, match="evidence"), transaction.atomic():
            Review.objects.filter(pk=blocked.pk).update(**change)
        with pytest.raises(IntegrityError, match="evidence"), transaction.atomic():
            Review.objects.filter(pk=blocked.pk).delete()

    def test_nor_reopen_it_after_the_minute_nor_touch_a_judged_claim(self, checked, anna) -> None:
        review = checked().reviews.get()
        claim = review.check_record.annotated_answer.claims.first()
        words = Words(claims={claim.claim_id: "agree"})
        decide_review(review=review, decision=CONFIRMED, by=anna, words=words)
        with pytest.raises(IntegrityError, match="evidence"), transaction.atomic():
            ClaimVerdict.objects.update(agrees=False)
        with unguarded():
            # Well over a minute: the guard counts from the beginning of the transaction.
            Review.objects.update(decided_at=Now() - timedelta(minutes=10))
        undecided = {"decision": None, "decided_by": None, "decided_at": None, "note": ""}
        with pytest.raises(IntegrityError, match="evidence"), transaction.atomic():
            Review.objects.update(**undecided)


class TestSecondReview:
    def test_by_rule_blind_and_never_by_the_first(self, blocked, anna, ben, lead) -> None:
        second = decide(blocked, OVERTURNED, anna)
        assert second.stage == ReviewStage.SECOND
        assert second.due_at is not None
        assert queue.claim_next(by=anna) is None
        with pytest.raises(NotYours):
            decide(second, OVERTURNED, anna)
        for blind in (ben, lead):
            assert list(desk.visible_reviews(blind)) == [second]
            assert desk.reviews_of(blocked.check_record, blind) == [second]
        auditor = person("auditor", Role.AUDITOR, blocked.application)
        assert set(desk.visible_reviews(auditor)) == {blocked, second}
        assert set(desk.visible_reviews(anna)) == {blocked, second}
        assert decide(second, OVERTURNED, ben) is None
        assert set(desk.visible_reviews(lead)) == {blocked, second}
        assert Review.objects.filter(decision=None).count() == 0

    def test_two_opinions_are_settled_by_a_lead_who_gave_neither(
        self, blocked, anna, ben, lead
    ) -> None:
        second = decide(blocked, OVERTURNED, anna)
        third = decide(second, CONFIRMED, ben)
        assert third.stage == ReviewStage.ADJUDICATION
        carla = person("carla", Role.REVIEWER, blocked.application)
        for other in (anna, ben, carla):
            assert queue.claim_next(by=other) is None
            with pytest.raises(NotYours):
                decide(third, CONFIRMED, other)
        assert {r.pk for r in desk.reviews_of(blocked.check_record, lead)} == {
            blocked.pk, second.pk, third.pk,
        }  # fmt: skip
        with pytest.raises(UnfitDecision, match="Confirmed, Overturned"):
            decide(third, ESCALATED, lead)
        assert queue.claim_next(by=lead) == third
        assert decide(third, CONFIRMED, lead) is None

    def test_a_lead_does_not_settle_what_they_decided(self, blocked, lead, ben) -> None:
        second = decide(blocked, OVERTURNED, lead)
        third = decide(second, CONFIRMED, ben)
        with pytest.raises(NotYours):
            decide(third, CONFIRMED, lead)

    def test_an_escalation_goes_to_a_lead(self, blocked, anna, ben, lead) -> None:
        further = decide(blocked, ESCALATED, anna)
        assert further.stage == ReviewStage.ADJUDICATION
        assert queue.claim_next(by=ben) is None
        assert queue.claim_next(by=lead) == further

    def test_the_rule_asks_only_for_overturned_blocks(self, blocked, anna) -> None:
        assert decide(blocked, CONFIRMED, anna) is None
        warned = Review.objects.get(pk=put(blocked.application, 1, reason="warn")[0])
        assert decide(warned, OVERTURNED, anna) is None

    def test_by_share(self, application, anna) -> None:
        Application.objects.filter(pk=application.pk).update(second_review_share=1.0)
        first = Review.objects.get(pk=put(application, 1, reason="warn")[0])
        second = decide(first, CONFIRMED, anna)
        assert second.stage == ReviewStage.SECOND
