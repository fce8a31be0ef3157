"""Events for programs: checks, batches and decisions, written with their cause and delivered."""

import re
from uuid import UUID

import pytest
from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from pytest_django.asserts import assertNumQueries

from accounts.models import Role
from analysis.models import Check, Review, ReviewDecision
from analysis.services import checking
from analysis.services.checking import run_check
from analysis.services.erasure import erase_check
from analysis.services.lifecycle import CHECKS, end_batches, replay_failed
from analysis.services.submission import NewCheck, submit
from desk.reviews.services.reviews import decide_review, undo_decision
from notifications.delivery import deliver_waiting
from notifications.models import Channel, EventKind, Notification, Subscription, all_kinds
from notifications.services import save_subscription, secret_of
from tests.integration.notifications.receivers import hooks
from tests.integration.people import person, put, subscribed
from watchdog_client import verify

URL = "https://example.com/hook"


@pytest.fixture
def webhook(application) -> Subscription:
    return subscribed(application, URL, *all_kinds())


def notifications_of(kind: EventKind) -> list[Notification]:
    return list(Notification.objects.filter(kind=kind).order_by("id"))


class TestChecks:
    def test_a_verdict_is_told_in_the_statement_that_records_it(self, webhook, checked) -> None:
        check = checked(metadata={"ticket": 17})
        assert not run_check(check.pk)
        check.refresh_from_db()
        (event,) = notifications_of(EventKind.CHECK_DONE)
        assert event.data == {
            "check_id": str(check.pk),
            "batch_id": None,
            "metadata": {"ticket": 17},
            "action": check.action,
            "risk_level": check.risk_level,
            "risk_score": check.risk_score,
        }
        assert (event.state, event.attempts) == ("queued", 0)
        assert (event.pk.version, event.pk.variant) == (7, UUID(int=0, version=4).variant)
        assert event.pk > check.pk  # ids rise with time, as all UUIDv7 do
        assert erase_check(
            application_id=check.application_id, check_id=check.pk, by="test", reason="asked"
        )
        event.refresh_from_db()
        assert ("metadata" in event.data, event.data["check_id"]) == (False, str(check.pk))

    def test_nothing_is_kept_for_whom_nobody_subscribed(
        self, webhook, other_application, make_check
    ) -> None:
        Subscription.objects.update(application=other_application)
        run_check(make_check().pk)
        Subscription.objects.update(application=make_check().application, is_active=False)
        run_check(make_check().pk)
        Subscription.objects.update(is_active=True, kinds=[EventKind.BATCH_DONE])
        run_check(make_check().pk)
        assert not Notification.objects.exists()

    def test_a_check_that_is_given_up_is_told_each_time(
        self, webhook, make_check, monkeypatch, settings, superuser
    ) -> None:
        def broken(*_: object) -> None:
            raise RuntimeError

        settings.QUEUE_MAX_ATTEMPTS = 1
        monkeypatch.setattr(checking, "decide", broken)
        check = make_check()
        assert not run_check(check.pk)
        check.refresh_from_db()
        replay_failed(check, by=superuser)
        assert not run_check(check.pk)
        first, second = notifications_of(EventKind.CHECK_FAILED)
        assert first.data == {
            "check_id": str(check.pk),
            "batch_id": None,
            "metadata": check.metadata,
            "attempts": 1,
        }
        assert second.data == first.data
        assert not notifications_of(EventKind.CHECK_DONE)

    def test_recording_costs_no_statement_more(self, webhook, make_check) -> None:
        check = CHECKS.claim(make_check().pk)
        assert check is not None
        result = checking._result(check)
        with assertNumQueries(1):
            checking.record(check, result)


class TestBatches:
    def test_told_once_when_the_last_check_has_ended(self, application, webhook) -> None:
        items = [NewCheck(answer="One."), NewCheck(answer="Two."), {"errors": []}]
        batch_id = submit(application_id=application.pk, new=items, by="test").id
        first, second = Check.objects.order_by("batch_index")
        run_check(first.pk)
        assert end_batches() == 0
        run_check(second.pk)
        assert (end_batches(), end_batches()) == (1, 0)
        (event,) = notifications_of(EventKind.BATCH_DONE)
        assert event.data == {
            "batch_id": str(batch_id),
            "items_total": 3,
            "states": {"queued": 0, "running": 0, "done": 2, "failed": 0},
            "refused": 1,
        }
        assert [item.data["batch_id"] for item in notifications_of(EventKind.CHECK_DONE)] == [
            str(batch_id)
        ] * 2

    def test_a_batch_of_which_all_was_refused(self, application, webhook) -> None:
        submit(application_id=application.pk, new=[{"errors": []}], by="test")
        assert end_batches() == 1
        assert notifications_of(EventKind.BATCH_DONE)[0].data["refused"] == 1


class TestDecisions:
    def test_told_when_it_can_no_longer_be_undone(self, application, webhook) -> None:
        anna = person("anna", Role.REVIEWER, application)
        (pk,) = put(application, 1)
        review = Review.objects.get(pk=pk)
        decide_review(review=review, decision=ReviewDecision.CONFIRMED, by=anna, note="secret")
        undo_decision(review=review, by=anna)
        decide_review(review=review, decision=ReviewDecision.OVERTURNED, by=anna, note="secret")
        undone, final = notifications_of(EventKind.REVIEW_DECIDED)
        assert (undone.state, final.state) == ("withdrawn", "queued")
        assert (final.due_at - final.created_at).total_seconds() == 60
        assert (final.data["id"], final.data["decision"]) == (pk, "overturned")
        assert final.data["decided_by"] == "anna"
        assert "secret" not in str(final.data)


def test_an_event_arrives_and_the_client_verifies_it(webhook, make_check, settings) -> None:
    settings.WEBHOOK_ALLOWED_HOSTS = ["127.0.0.1"]
    settings.WEBHOOK_SECONDS = 30.0
    with hooks() as receiver:
        Subscription.objects.update(target=receiver.url)
        checks = [make_check() for _ in range(20)]
        for check in checks:
            run_check(check.pk)
        assert deliver_waiting() == 20
        events = [verify(secret_of(webhook), headers, body) for headers, body in receiver.requests]
    assert {event.type for event in events} == {"check.done"}
    assert {event.data["check_id"] for event in events} == {str(check.pk) for check in checks}
    assert all(re.fullmatch(r"[0-9a-f-]{36}", event.id) for event in events)
    assert all(item.tries.get().status == 204 for item in notifications_of(EventKind.CHECK_DONE))


def test_mail_tells_of_the_desk_alone(application) -> None:
    mail = Subscription(
        application=application,
        channel=Channel.EMAIL,
        target="a@example.com",
        kinds=[EventKind.CHECK_DONE],
    )
    with pytest.raises(IntegrityError, match="mail_is_for_the_desk"), transaction.atomic():
        save_subscription(subscription=mail, by="test")
    mail.kinds = [EventKind.REVIEW_OVERDUE]
    mail.created_at = Now()
    save_subscription(subscription=mail, by="test")
