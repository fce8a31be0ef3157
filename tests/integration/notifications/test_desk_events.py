"""Causes of notifications: overdue reviews, what a lead must settle, unusual rejection rates."""

from datetime import UTC, datetime, time, timedelta

import pytest
from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import Application, Role
from analysis.models import Review, ReviewDecision, TrendCell
from analysis.trends.metrics import LANGUAGES, LENGTH, PLACES, Dimension, Grain
from audit.models import Event, TrailEntry
from desk.dashboard.services.alerts import notify_drift, notify_unusual_rejections
from desk.dashboard.tasks import watch_drift, watch_rejections
from desk.reviews.services import alerts
from desk.reviews.services.reviews import decide_review, undo_decision
from desk.reviews.tasks import watch_desk
from notifications.delivery import NotificationText, mail_text
from notifications.models import EventKind, Notification, NotificationState, Subscription
from notifications.services import notify, quiet_for, save_subscription
from notifications.tasks import deliver
from tests.integration.people import person, put, subscribed, unguarded

NOON = datetime(2026, 11, 20, 12, 10, tzinfo=UTC)


@pytest.fixture(autouse=True)
def subscription(application) -> Subscription:
    return subscribed(application, "a@example.com")


def notification_of(kind: EventKind) -> Notification:
    return Notification.objects.get(kind=kind)


class TestOverdue:
    def test_each_review_is_told_once_and_many_together(
        self, application, other_application
    ) -> None:
        late = put(application, 23)
        Review.objects.filter(pk__in=late).update(due_at=Now() - timedelta(minutes=1))
        in_time = put(application, 1)
        Review.objects.filter(pk__in=in_time).update(due_at=Now() + timedelta(hours=1))
        foreign = put(other_application, 1)  # nobody subscribed there
        Review.objects.filter(pk__in=foreign).update(due_at=Now() - timedelta(minutes=1))
        assert (alerts.notify_overdue(), alerts.notify_overdue()) == (24, 0)
        data = notification_of(EventKind.REVIEW_OVERDUE).data
        assert (data["count"], len(data["reviews"])) == (23, alerts.NAMED)
        assert {item["id"] for item in data["reviews"]} <= set(late)
        assert data["reviews"][0]["url"] == f"/admin/analysis/review/{late[0]}/workbench/"
        Review.objects.filter(pk__in=in_time).update(due_at=Now() - timedelta(minutes=1))
        assert alerts.notify_overdue() == 1
        assert Notification.objects.count() == 2

    def test_what_is_decided_is_not_overdue(self, application, anna) -> None:
        (pk,) = put(application, 1)
        Review.objects.update(due_at=Now() - timedelta(minutes=1))
        decide_review(review=Review.objects.get(pk=pk), decision=ReviewDecision.CONFIRMED, by=anna)
        assert alerts.notify_overdue() == 0


class TestEscalation:
    def test_told_after_the_minute_in_which_it_can_be_undone(self, application, anna) -> None:
        put(application, 1)
        review = Review.objects.get()
        next_review = decide_review(
            review=review, decision=ReviewDecision.ESCALATED, by=anna, note="A case for law."
        )
        row = notification_of(EventKind.REVIEW_ESCALATED)
        assert (row.data["id"], row.data["after"], row.data["why"]) == (
            next_review.pk, review.pk, "escalated",
        )  # fmt: skip
        assert row.due_at - row.created_at == timedelta(minutes=1)
        assert "law" not in str(row.data)  # what was written stays at the desk
        undo_decision(review=review, by=anna)
        assert notification_of(EventKind.REVIEW_ESCALATED).state == NotificationState.WITHDRAWN
        decide_review(review=review, decision=ReviewDecision.ESCALATED, by=anna, note="It is.")
        states = Notification.objects.order_by("id").values_list("state", flat=True)
        assert list(states) == ["withdrawn", "queued"]

    def test_two_who_differ(self, application, anna) -> None:
        put(application, 1)
        Application.objects.update(second_review_share=1.0)
        ben = person("ben", Role.REVIEWER, application)
        second = decide_review(
            review=Review.objects.get(), decision=ReviewDecision.CONFIRMED, by=anna
        )
        assert second is not None
        assert not Notification.objects.exists()
        decide_review(
            review=second, decision=ReviewDecision.OVERTURNED, by=ben, note="It is right."
        )
        assert notification_of(EventKind.REVIEW_ESCALATED).data["why"] == "differ"


class TestRejections:
    def count(self, application: Application, hour: datetime, rejected: int, of: int) -> None:
        counts = [0] * LENGTH
        counts[PLACES["checks"].start] = of
        counts[PLACES["rejections"].start] = rejected
        TrendCell.objects.create(
            application=application, dimension=Dimension.ALL, grain=Grain.HOUR, bucket=hour,
            value="", counts=counts,
        )  # fmt: skip

    def days_before(self, application: Application) -> None:
        for ago in range(7, 7 + 24 * 8):
            hour = NOON.replace(minute=0) - timedelta(hours=ago)
            self.count(application, hour, 10, 100)

    @pytest.mark.parametrize(("rejected", "way"), [(40, "rose"), (0, "fell")])
    def test_rose_or_fell_and_told_once_a_day(self, application, rejected, way) -> None:
        self.days_before(application)
        for ago in range(1, 7):
            hour = NOON.replace(minute=0) - timedelta(hours=ago)
            self.count(application, hour, rejected, 100)
        # The hour that has not ended is not looked at.
        self.count(application, NOON.replace(minute=0), 100, 100)
        for minutes in (0, 15, 30):
            notify_unusual_rejections(now=NOON + timedelta(minutes=minutes))
        row = notification_of(EventKind.REJECTIONS_UNUSUAL)
        assert row.key == f"rejections.unusual:{way}:2026-11-20"
        recent, before = row.data["recent"], row.data["before"]
        assert (recent["rejected"], recent["of"], recent["hours"]) == (6 * rejected, 600, 6)
        assert (before["rejected"], before["of"], before["hours"]) == (1_680, 16_800, 168)

    def test_an_ordinary_day(self, application) -> None:
        self.days_before(application)
        for ago in range(1, 7):
            hour = NOON.replace(minute=0) - timedelta(hours=ago)
            self.count(application, hour, 11, 100)
        assert notify_unusual_rejections(now=NOON) == 0
        assert not Notification.objects.exists()

    def test_a_slow_rise_is_seen_over_the_day(self, application) -> None:
        self.days_before(application)
        for ago in range(1, 25):
            hour = NOON.replace(minute=0) - timedelta(hours=ago)
            TrendCell.objects.filter(bucket=hour).delete()
            self.count(application, hour, 3 if ago < 7 else 2, 12)  # 54 of 288, in 6 hours 18 of 72
        assert notify_unusual_rejections(now=NOON) == 1
        assert notification_of(EventKind.REJECTIONS_UNUSUAL).data["recent"]["hours"] == 24


def test_the_tasks_of_beat(application) -> None:
    put(application, 1)
    Review.objects.update(due_at=Now() - timedelta(minutes=1))
    watch_desk()
    watch_rejections()
    watch_drift()
    deliver()
    row = Notification.objects.get()
    assert (row.attempts, row.state) == (
        1,
        NotificationState.QUEUED,
    )  # no mail server is configured
    assert "EMAIL_HOST" in row.last_error


class TestDrift:
    def count(self, application: Application, day: datetime, **of_keys: int) -> None:
        """Count the checks of a day, by language."""
        counts = [0] * LENGTH
        counts[PLACES["checks"].start] = sum(of_keys.values())
        for key, number in of_keys.items():
            counts[PLACES["language"].start + LANGUAGES.index(key)] = number
        TrendCell.objects.create(
            application=application, dimension=Dimension.ALL, grain=Grain.DAY, bucket=day,
            value="", counts=counts,
        )  # fmt: skip

    def weeks(self, application: Application, german: int) -> None:
        """Four weeks of English, and a week in which some checks of a hundred are German."""
        midnight = NOON.replace(hour=0, minute=0)
        for ago in range(1, 36):
            some = german if ago <= 7 else 0
            day = midnight - timedelta(days=ago)
            self.count(application, day, English=100 - some, German=some)

    def test_new_languages_are_told_once_and_stand_in_the_trail(
        self, application, other_application
    ) -> None:
        self.weeks(application, 30)
        self.weeks(other_application, 0)
        assert notify_drift(now=NOON) == 1
        row = notification_of(EventKind.DRIFT_NOTICED)
        (item,) = row.data["drifts"]
        assert (item["what"], item["dimension"], item["recent"]) == ("language", "all", 700)
        assert item["changes"][1] == {"key": "German", "before": 0.0, "recent": 0.3}
        assert (row.data["first"], row.data["last"]) == ("2026-11-13", "2026-11-19")
        entry = TrailEntry.objects.get(event=Event.DRIFT_NOTICED)
        assert (entry.application_id, entry.actor) == (application.pk, "watchdog")
        assert entry.data["drifts"] == row.data["drifts"]
        assert notify_drift(now=NOON + timedelta(days=1)) == 0
        text = mail_text([NotificationText(EventKind.DRIFT_NOTICED, row.data, NOON)], "Demo")
        assert "- language: English 100.0% to 70.0%, German 0.0% to 30.0%" in text

    def test_an_ordinary_week(self, application) -> None:
        self.weeks(application, 4)
        assert notify_drift(now=NOON) == 0
        assert not TrailEntry.objects.filter(event=Event.DRIFT_NOTICED).exists()

    def test_overturned_decisions_by_model(self, application, anna) -> None:
        ids = put(application, 100)
        for at, pk in enumerate(ids):
            is_recent = at >= 70
            day = NOON - timedelta(days=1 + at % 7 + 7 * (not is_recent) * (1 + at % 4))
            wrong = is_recent and at % 2
            decision = ReviewDecision.OVERTURNED if wrong else ReviewDecision.CONFIRMED
            with unguarded():
                Review.objects.filter(pk=pk).update(
                    decision=decision, decided_at=day, decided_by=anna
                )
        assert notify_drift(now=NOON) == 1
        (item,) = notification_of(EventKind.DRIFT_NOTICED).data["drifts"][:1]
        assert (item["what"], item["recent"], item["before"]) == ("overturned_flagged", 30, 70)


@pytest.mark.parametrize(
    ("zone", "start", "end", "hours"),
    [
        ("UTC", 20, 7, 0),  # it is 12:10 in UTC
        ("UTC", 12, 14, 1 + 50 / 60),
        ("Asia/Tokyo", 21, 6, 8 + 50 / 60),  # 21:10 there
        ("America/New_York", 22, 8, 50 / 60),  # 7:10 there
        ("Asia/Tokyo", 22, 6, 0),
    ],
)
def test_quiet_hours(subscription, zone, start, end, hours) -> None:
    subscription.quiet_from, subscription.quiet_until = time(start), time(end)
    subscription.application.desk_time_zone = zone
    assert quiet_for(subscription, NOON) == timedelta(hours=hours)


def test_what_can_wait_is_sent_after_the_quiet_hours(application, subscription) -> None:
    subscription.quiet_from, subscription.quiet_until = time(0), time(23, 59, 59)
    save_subscription(subscription=subscription, by="test")
    for kind in (EventKind.REVIEW_OVERDUE, EventKind.PROBE_FAILED):
        notify(kind, application_id=application.pk, key=str(kind), data={})
    waits = notification_of(EventKind.REVIEW_OVERDUE).due_at
    assert waits > timezone.now()
    assert waits.astimezone(UTC).time().replace(microsecond=0) == time(23, 59, 59)
    assert notification_of(EventKind.PROBE_FAILED).due_at <= timezone.now()
    with pytest.raises(IntegrityError, match="quiet_hours_end"), transaction.atomic():
        Subscription.objects.update(quiet_until=None)
