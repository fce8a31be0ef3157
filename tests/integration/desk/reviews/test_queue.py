"""The queue: what enters, in which order, and that no two people get the same item."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from unittest.mock import Mock

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import Application, Role
from analysis.models import Check, Review, ReviewDecision, ReviewReason, ReviewSkip
from analysis.services import lifecycle
from analysis.services.due import due_at
from analysis.services.policies import create_policy
from audit.models import Event, TrailEntry
from desk.reviews.selectors import desk
from desk.reviews.services import queue
from desk.reviews.services.conflicts import NotYours, ReviewConflict
from desk.reviews.services.reviews import decide_review
from tests.integration.people import person, put


def lapse(review: Review) -> None:
    """Let the item's holder be silent for too long."""
    Review.objects.filter(pk=review.pk).update(lease_until=Now() - timedelta(seconds=1))


class TestWhatEnters:
    def test_a_warned_answer_with_risk_rank_and_due_time(self, checked, application) -> None:
        check = checked()
        review = check.reviews.get()
        assert (check.action, review.reason, review.risk) == ("WARN", "warn", check.risk_score)
        waited = timedelta(minutes=Review.MINUTES_A_POINT * review.risk)
        assert review.created_at - review.rank_at == waited
        assert review.due_at is not None
        expected = due_at(application, ReviewReason.WARN, since=review.created_at)
        assert abs(review.due_at - expected) < timedelta(seconds=30)

    def test_what_the_policy_does_not_have_reviewed_stays_away(self, checked, application) -> None:
        rules = {"review": {"warned": False}}
        create_policy(application_id=application.pk, rules=rules, by="test", activate=True)
        check = checked()
        assert (check.action, check.reviews.count()) == ("WARN", 0)
        Application.objects.filter(pk=application.pk).update(quality_sample_rate=1.0)
        assert checked().reviews.get().reason == ReviewReason.QUALITY_SAMPLE
        override = {"name": "p", "collections": ["p"], "rules": {"review": {"warned": True}}}
        create_policy(
            application_id=application.pk, rules=rules | {"overrides": [override]}, by="test",
            activate=True,
        )  # fmt: skip
        check_of_both = checked(collections=["p", "q"])
        assert check_of_both.reviews.get().reason == check_of_both.action.lower()

    def test_the_hours_are_those_of_the_application(self, checked, application) -> None:
        Application.objects.filter(pk=application.pk).update(
            desk_days="1234567", desk_opens_at="00:00", desk_closes_at="23:59:59",
            desk_time_zone="Asia/Kolkata", due_hours_warn=1,
        )  # fmt: skip
        review = checked().reviews.get()
        assert timedelta(minutes=59) < review.due_at - review.created_at < timedelta(minutes=62)

    def test_an_allowed_answer_enters_only_in_the_quality_sample(
        self, checked, application
    ) -> None:
        fine = {"answer": "SSN College opened in 1996.", "sources": ["SSN College opened in 1996."]}
        assert not checked(**fine).reviews.exists()
        Application.objects.filter(pk=application.pk).update(quality_sample_rate=1.0)
        check = checked(**fine)
        assert (check.action, check.reviews.get().reason) == ("ALLOW", "quality_sample")
        assert (check.sampled, check.sampling_probability) == (True, 1.0)

    def test_a_failed_check_ranks_like_the_highest_risk(self, make_check) -> None:
        check = make_check()
        Check.objects.filter(pk=check.pk).update(attempts=99, due_at=Now() - timedelta(hours=1))
        assert lifecycle.sweep().given_up == 1
        review = check.reviews.get()
        assert (review.reason, review.risk) == ("failed", 100)
        assert review.created_at - review.rank_at > timedelta(hours=9, minutes=59)


class TestOrder:
    def test_risk_first_and_age_lifts_what_waits(self, application, anna) -> None:
        (low,), (high,) = put(application, 1, risk=10), put(application, 1, risk=90)
        assert [r.pk for r in desk.offered(anna)] == [high, low]
        Review.objects.filter(pk=low).update(rank_at=timezone.now() - timedelta(hours=10))
        assert [r.pk for r in desk.offered(anna)] == [low, high]

    def test_what_is_assigned_to_me_comes_first_and_to_others_never(
        self, application, anna, ben
    ) -> None:
        first, second, third = (Review.objects.get(pk=pk) for pk in put(application, 3))
        queue.assign(review=first, by=ben, to=ben)
        queue.assign(review=third, by=ben, to=anna)
        assert queue.claim_next(by=anna) == third
        assert queue.claim_next(by=anna) == second
        assert queue.claim_next(by=anna) is None

    def test_queues_by_application_and_reason(
        self, application, other_application, superuser
    ) -> None:
        (warned,) = put(application, 1, reason="warn")
        (blocked,) = put(other_application, 1, reason="block")
        assert queue.claim_next(by=superuser, reason="failed") is None
        review = queue.claim_next(by=superuser, reason="warn")
        assert review.pk == warned
        review = queue.claim_next(by=superuser, application_id=other_application.pk)
        assert review.pk == blocked


@pytest.mark.django_db(transaction=True)
def test_of_200_claims_from_20_threads_none_is_double(application) -> None:
    put(application, 200)
    people = [person(f"reviewer-{n}", Role.REVIEWER, application) for n in range(20)]

    def claim_ten(user: User) -> list[int]:
        try:
            reviews = [queue.claim_next(by=user) for _ in range(10)]
            return [review.pk for review in reviews if review is not None]
        finally:
            connection.close()

    with ThreadPoolExecutor(20) as pool:
        claimed = [pk for ids in pool.map(claim_ten, people) for pk in ids]
    assert len(claimed) == 200
    assert max(Counter(claimed).values()) == 1
    assert Review.objects.filter(claimed_by__isnull=False, version=2).count() == 200
    assert queue.claim_next(by=people[0]) is None


class TestLease:
    def test_a_claimed_item_is_offered_to_nobody_until_the_lease_ends(
        self, application, anna, ben
    ) -> None:
        put(application, 1)
        review = queue.claim_next(by=anna)
        assert desk.current_review(anna) == review
        assert queue.claim_next(by=ben) is None
        with pytest.raises(ReviewConflict, match="anna is reviewing it"):
            queue.claim_review(review=review, by=ben)
        lapse(review)
        assert desk.current_review(anna) is None
        assert queue.claim_next(by=ben) == review

    def test_a_heartbeat_keeps_it_and_changes_no_version(self, application, anna, ben) -> None:
        put(application, 1)
        review = queue.claim_next(by=anna)
        lapse(review)
        assert queue.keep(review=review, by=anna)
        assert queue.claim_next(by=ben) is None
        assert Review.objects.get().version == review.version
        lapse(review)
        queue.claim_next(by=ben)
        assert queue.keep(review=review, by=anna) is None

    def test_release_gives_it_to_the_next(self, application, anna, ben, lead) -> None:
        put(application, 1)
        review = queue.claim_next(by=anna)
        with pytest.raises(ReviewConflict, match="is reviewing it; it is reserved"):
            queue.release(review=review, by=ben)
        queue.release(review=review, by=anna)
        again = queue.claim_next(by=ben)
        assert again == review
        queue.release(review=again, by=lead)
        assert TrailEntry.objects.get(event=Event.REVIEW_CHANGED).data["change"] == "released"
        assert queue.claim_next(by=anna) == review

    def test_another_persons_item_is_released_with_its_entry_or_not_at_all(
        self, application, anna, lead, monkeypatch
    ) -> None:
        put(application, 1)
        review = queue.claim_next(by=anna)
        monkeypatch.setattr(queue, "note_event", Mock(side_effect=DatabaseError))
        with pytest.raises(DatabaseError):
            queue.release(review=review, by=lead)
        assert desk.current_review(anna) == review


class TestPassingOn:
    def test_a_skipped_item_is_not_offered_to_the_same_person_again(
        self, application, anna, ben
    ) -> None:
        put(application, 1)
        review = queue.claim_next(by=anna)
        with pytest.raises(ValueError, match="reason"):
            queue.skip(review=review, by=anna, reason="  ")
        queue.skip(review=review, by=anna, reason="My own answer")
        assert queue.claim_next(by=anna) is None
        assert queue.claim_next(by=ben) == review
        assert ReviewSkip.objects.get().reason == "My own answer"
        entry = TrailEntry.objects.get(event=Event.REVIEW_CHANGED)
        assert (entry.actor, entry.data["change"]) == ("anna", "skipped")
        assert "My own" not in str(entry.data)

    def test_a_snoozed_item_comes_back(self, application, anna) -> None:
        put(application, 1)
        review = queue.claim_next(by=anna)
        queue.snooze(review=review, by=anna, hours=24)
        assert queue.claim_next(by=anna) is None
        Review.objects.update(snoozed_until=Now() - timedelta(seconds=1))
        assert queue.claim_next(by=anna) == review

    def test_it_is_assigned_only_to_who_may_decide_it(
        self, application, other_application, anna, ben
    ) -> None:
        (pk,) = put(application, 1)
        review = Review.objects.get(pk=pk)
        strangers = (
            person("stranger", Role.LEAD, other_application),
            person("auditor", Role.AUDITOR, application),
        )
        for stranger in strangers:
            with pytest.raises(NotYours):
                queue.assign(review=review, by=anna, to=stranger)
        queue.assign(review=review, by=anna, to=ben)
        with pytest.raises(NotYours, match="assigned to ben"):
            queue.claim_review(review=review, by=anna)
        queue.assign(review=review, by=anna, to=None)
        assert queue.claim_review(review=review, by=anna).claimed_by == anna


class TestConflicts:
    def test_who_read_an_older_version_is_told_and_changes_nothing(
        self, application, anna, ben
    ) -> None:
        (pk,) = put(application, 1)
        review = Review.objects.get(pk=pk)
        queue.assign(review=review, by=ben, to=ben)
        with pytest.raises(ReviewConflict, match=r"version 2 instead of 1.*assigned to ben"):
            decide_review(review=review, decision=ReviewDecision.CONFIRMED, by=anna, version=1)
        decide_review(review=review, decision=ReviewDecision.CONFIRMED, by=ben, version=2)
        for move in (
            lambda: queue.claim_review(review=review, by=anna),
            lambda: queue.skip(review=review, by=anna, reason="x"),
            lambda: queue.snooze(review=review, by=anna, hours=1),
            lambda: queue.assign(review=review, by=anna, to=anna),
            lambda: queue.release(review=review, by=anna),
        ):
            with pytest.raises(ReviewConflict, match="ben has already decided it: confirmed"):
                move()


class TestTheDatabaseHoldsTheRules:
    @pytest.mark.parametrize(
        "wrong",
        [
            {"claimed_by": None, "lease_until": Now()},
            {"stage": "third"},
            {"risk": 101},
            {"note": "words without a decision"},
            {"corrected_text": "words without a decision"},
            {"reason_codes": ["off-topic"]},
            {"reason": "because"},
        ],
    )
    def test_of_an_open_review(self, application, wrong) -> None:
        put(application, 1)
        with pytest.raises(IntegrityError), transaction.atomic():
            Review.objects.update(**wrong)

    def test_a_lease_has_its_holder(self, application, anna) -> None:
        put(application, 1)
        with pytest.raises(IntegrityError), transaction.atomic():
            Review.objects.update(claimed_by=anna)

    @pytest.mark.parametrize(
        "wrong",
        [
            {"desk_days": ""}, {"desk_days": "21"}, {"desk_closes_at": "08:00"},
            {"due_hours_block": 0}, {"second_review_share": 1.1},
        ],
    )  # fmt: skip
    def test_of_the_settings(self, application, wrong) -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            Application.objects.update(**wrong)
