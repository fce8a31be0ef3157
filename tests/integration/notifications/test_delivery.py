"""The outbox against a real receiver of webhooks and a real SMTP server."""

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.db.models.functions import Now

from accounts.models import Application
from notifications import delivery
from notifications.channels import Undelivered, webhook
from notifications.delivery import MAX_ATTEMPTS, delay, deliver_waiting
from notifications.models import Channel, EventKind, Notification, NotificationState, Subscription
from notifications.services import (
    notify,
    renew_secret,
    save_subscription,
    secret_of,
    send_again,
    send_test,
    withdraw,
)
from tests.integration.notifications.receivers import Mailbox, hooks, mailbox
from watchdog_client import WebhookError, verify

DATA = {"id": 7, "check_id": "c", "reason": "block", "risk": 90, "url": "/x", "why": "escalated"}


@pytest.fixture
def inside(settings) -> None:
    """Allow the receivers of the tests, as the operator would."""
    settings.WEBHOOK_ALLOWED_HOSTS = ["127.0.0.1"]
    settings.WEBHOOK_SECONDS = 30.0


@pytest.fixture
def box(settings) -> Iterator[Mailbox]:
    with mailbox() as mail_server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", mail_server.port
        settings.EMAIL_USE_TLS, settings.EMAIL_TIMEOUT = False, 30
        yield mail_server


@pytest.fixture
def subscribe(application) -> Callable[..., Subscription]:
    def make(target: str, channel: Channel = Channel.WEBHOOK, **rest: Any) -> Subscription:
        subscription = Subscription(application=application, channel=channel, target=target, **rest)
        save_subscription(subscription=subscription, by="test")
        return subscription

    return make


def tell(application: Application, key: str = "k", **rest: Any) -> None:
    notify(EventKind.REVIEW_ESCALATED, application_id=application.pk, key=key, data=DATA, **rest)


def due_now() -> None:
    """Make the next attempt due, as if the back-off were over."""
    Notification.objects.filter(state=NotificationState.QUEUED).update(due_at=Now())


@pytest.mark.usefixtures("inside")
class TestWebhooks:
    def test_arrives_signed_once_and_is_told_once(self, application, subscribe) -> None:
        with hooks() as receiver:
            subscription = subscribe(receiver.url)
            tell(application)
            tell(application)  # noticed twice
            assert (deliver_waiting(), deliver_waiting()) == (1, 0)
            ((headers, body),) = receiver.requests
        row = Notification.objects.get()
        assert (row.state, row.attempts, row.last_error, row.due_at) == ("sent", 1, "", None)
        event = verify(secret_of(subscription), headers, body)
        assert event.type == "review.escalated"
        assert (event.application, event.data) == ("demo", DATA)
        assert headers["webhook-id"] == str(row.pk)
        assert headers["content-type"] == "application/json"
        old = secret_of(subscription)
        assert renew_secret(subscription=subscription, by="test") != old
        with pytest.raises(WebhookError):
            verify(secret_of(subscription), headers, body)

    def test_a_receiver_that_is_down_gets_it_later_with_the_same_id(
        self, application, subscribe
    ) -> None:
        with hooks(503, 204) as receiver:
            subscribe(receiver.url)
            tell(application)
            tell(application, "second")
            assert deliver_waiting() == 0
            first, second = Notification.objects.order_by("id")
            assert (first.state, first.attempts, first.last_error) == ("queued", 1, "answered 503")
            # What else waits for this address waits as long: a receiver that is down costs one try.
            assert (second.attempts, len(receiver.requests)) == (0, 1)
            assert Notification.objects.filter(due_at__gt=Now()).count() == 2
            assert deliver_waiting() == 0  # not yet
            due_now()
            assert deliver_waiting() == 2
            ids = [headers["webhook-id"] for headers, _ in receiver.requests]
            assert ids[:2] == [str(first.pk)] * 2
            assert receiver.requests[0][1] == receiver.requests[1][1]
        assert set(Notification.objects.values_list("state", flat=True)) == {"sent"}

    def test_a_stored_name_that_no_resolver_takes_stops_no_other(
        self, application, subscribe
    ) -> None:
        with hooks() as receiver:
            wrong = subscribe("https://a..example.com/")
            subscribe(receiver.url)
            tell(application)
            assert deliver_waiting() == 1
            assert len(receiver.requests) == 1
        row = Notification.objects.get(subscription=wrong)
        assert (row.state, "empty part" in row.last_error) == ("queued", True)

    def test_given_up_after_the_last_attempt_and_tried_again_by_hand(
        self, application, subscribe
    ) -> None:
        with hooks(500) as receiver:
            subscribe(receiver.url)
            tell(application)
            Notification.objects.update(attempts=MAX_ATTEMPTS - 1)
            assert deliver_waiting() == 0
            row = Notification.objects.get()
            assert (row.state, row.attempts, row.due_at) == ("failed", MAX_ATTEMPTS, None)
            receiver.codes[:] = [200]
            due_now()
            assert deliver_waiting() == 0
            assert send_again(Notification.objects.all()) == 1
            assert deliver_waiting() == 1

    def test_a_worker_that_was_killed_leaves_it_to_the_next(
        self, application, subscribe, monkeypatch
    ) -> None:
        class Killed(BaseException):
            pass

        def killed(_: object) -> None:
            raise Killed

        with hooks() as receiver:
            subscribe(receiver.url)
            tell(application)
            with monkeypatch.context() as patched:
                patched.setattr(delivery, "_send", killed)
                with pytest.raises(Killed):
                    deliver_waiting()
            assert deliver_waiting() == 0  # its lease runs
            Notification.objects.update(lease_until=Now() - timedelta(seconds=1))
            assert deliver_waiting() == 1
            assert len(receiver.requests) == 1
            tell(application, "deadly")
            deadly = Notification.objects.filter(key="deadly")
            deadly.update(
                state=NotificationState.RUNNING,
                attempts=MAX_ATTEMPTS,
                due_at=None,
                lease_until=Now() - timedelta(seconds=1),
            )
            assert deliver_waiting() == 0
            assert deadly.get().state == NotificationState.FAILED

    def test_back_off(self) -> None:
        waits = [delay(n) for n in range(1, MAX_ATTEMPTS)]
        assert waits[:3] == [timedelta(seconds=30), timedelta(minutes=1), timedelta(minutes=2)]
        assert waits == sorted(waits)
        assert timedelta(days=1) < sum(waits, timedelta()) < timedelta(days=2)


class TestSafeTargets:
    def post(self, url: str, *allowed_hosts: str, seconds: float = 30.0) -> None:
        webhook.post(url, b"{}", {}, allowed_hosts=allowed_hosts, seconds=seconds)

    def test_not_inside_unless_allowed(self) -> None:
        with hooks() as receiver:
            for url in (receiver.url, receiver.url.replace("http:", "https:")):
                with pytest.raises(Undelivered, match="WEBHOOK_ALLOWED_HOSTS"):
                    self.post(url)
            local = f"https://localhost:{receiver.port}/"  # by its name
            with pytest.raises(Undelivered, match="No public address"):
                self.post(local)
            assert receiver.requests == []
            self.post(receiver.url, "127.0.0.1")
            assert len(receiver.requests) == 1

    def test_no_redirect_is_followed(self) -> None:
        with hooks() as inner, hooks(302, location=inner.url) as receiver:
            with pytest.raises(Undelivered, match="answered 302"):
                self.post(receiver.url, "127.0.0.1")
            assert inner.requests == []

    def test_a_slow_drip_ends_by_the_deadline(self) -> None:
        def drip(handler: Any) -> None:
            while not receiver.over.wait(0.05):
                try:
                    handler.wfile.write(b".")
                except OSError:
                    return

        with hooks(200, body=drip) as receiver, pytest.raises(Undelivered, match="no answer"):
            self.post(receiver.url, "127.0.0.1", seconds=1.0)

    def test_a_large_answer_is_not_read(self) -> None:
        def flood(handler: Any) -> None:
            try:
                while True:
                    handler.wfile.write(b"x" * 100_000)
            except OSError:
                return

        with hooks(200, body=flood) as receiver, pytest.raises(Undelivered, match="64 KiB"):
            self.post(receiver.url, "127.0.0.1")

    def test_nobody_listens(self) -> None:
        with hooks() as receiver:
            url = receiver.url
        with pytest.raises(Undelivered, match="ConnectError"):
            self.post(url, "127.0.0.1")


class TestMail:
    def test_what_waits_for_one_address_comes_in_one_mail(
        self, application, subscribe, box
    ) -> None:
        subscribe("lead@example.com", Channel.EMAIL)
        for key in ("a", "b", "c"):
            tell(application, key)
        assert deliver_waiting() == 3
        (mail,) = box.mails
        assert box.to == [["lead@example.com"]]
        assert "[Demo] A reviewer escalated" in mail["Subject"]
        assert "and 2 more" in mail["Subject"]
        assert mail["Auto-Submitted"] == "auto-generated"
        first = Notification.objects.order_by("id").first()
        assert mail["Message-ID"] == f"<{first.pk}@watchdog>"
        assert mail.get_content().count("Check c, risk 90: /x") == 3

    def test_a_server_that_refuses_or_is_not_there(
        self, application, subscribe, box, settings
    ) -> None:
        subscribe("lead@example.com", Channel.EMAIL)
        tell(application)
        box.refuse = "554 no"
        assert deliver_waiting() == 0
        assert "refused" in Notification.objects.get().last_error
        settings.EMAIL_HOST = ""
        due_now()
        assert deliver_waiting() == 0
        assert "EMAIL_HOST" in Notification.objects.get().last_error
        settings.EMAIL_HOST, box.refuse = "127.0.0.1", ""
        due_now()
        assert deliver_waiting() == 1
        assert len(box.mails) == 1


class TestOutbox:
    def test_written_with_its_cause_or_not_at_all(self, application, subscribe) -> None:
        subscribe("lead@example.com", Channel.EMAIL)

        with transaction.atomic():
            tell(application)
            transaction.set_rollback(True)
        assert not Notification.objects.exists()

    def test_only_who_subscribed_to_this_event_of_this_application(
        self, application, other_application, subscribe
    ) -> None:
        subscription = subscribe("a@example.com", Channel.EMAIL, kinds=["review.escalated"])
        subscribe("b@example.com", Channel.EMAIL, kinds=["review.overdue"])
        subscribe("c@example.com", Channel.EMAIL, is_active=False)
        tell(application)
        tell(other_application)
        assert Notification.objects.get().subscription == subscription

    def test_withdrawn_while_it_waits(self, application, subscribe) -> None:
        subscription = subscribe("a@example.com", Channel.EMAIL)
        tell(application, wait=timedelta(minutes=1))
        assert deliver_waiting() == 0
        withdraw(application_id=application.pk, keys=["k"])
        assert Notification.objects.get().state == NotificationState.WITHDRAWN
        tell(application, "other")
        subscription.is_active = False
        save_subscription(subscription=subscription, by="test")
        assert {n.state for n in Notification.objects.all()} == {NotificationState.WITHDRAWN}

    def test_a_test_message(self, subscribe, inside) -> None:
        with hooks() as receiver:
            subscription = subscribe(receiver.url)
            send_test(subscription=subscription, by="lea")
            assert deliver_waiting() == 1
            assert json.loads(receiver.requests[0][1])["type"] == "test"
