"""A notification through the real worker and beat, with a Redis that forgets everything."""

from collections.abc import Iterator

import pytest
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import Application
from accounts.services import create_application
from lib.workqueue.broker import redis_client
from notifications.delivery import delay
from notifications.models import Channel, Notification, NotificationState, Subscription
from notifications.services import save_subscription, secret_of, send_test
from tests.integration.notifications.receivers import hooks
from tests.sockets import wait_until
from tests.stack import Stack
from watchdog_client import verify


@pytest.fixture
def live_stack(transactional_db, empty_redis) -> Iterator[Stack]:
    """Start a worker and beat that may call the receiver of the test."""
    stack = Stack.start("worker", "beat", WEBHOOK_ALLOWED_HOSTS="127.0.0.1")
    yield stack
    stack.stop()


def wait_for(stack: Stack, state: NotificationState, *, attempts: int) -> Notification:
    """Return the notification once it has this state after so many attempts."""
    rows = Notification.objects.filter(state=state, attempts=attempts)
    return wait_until(rows.first, stack.logs, seconds=150)


def test_it_arrives_though_redis_lost_all_and_the_worker_was_killed(live_stack) -> None:
    application: Application = create_application(name="Live", slug="live", by="test")
    with hooks(500, 204) as receiver:
        hook = Subscription(application=application, channel=Channel.WEBHOOK, target=receiver.url)
        save_subscription(subscription=hook, by="test")
        live_stack.kill("worker")
        send_test(subscription=hook, by="test")
        redis_client().flushall()
        live_stack.spawn("worker", WEBHOOK_ALLOWED_HOSTS="127.0.0.1")
        row = wait_for(live_stack, NotificationState.QUEUED, attempts=1)
        assert row.due_at > timezone.now() + delay(1) / 2
        Notification.objects.update(due_at=Now())  # as if half a minute had passed
        wait_for(live_stack, NotificationState.SENT, attempts=2)
        headers, body = receiver.requests[-1]
    assert verify(secret_of(hook), headers, body).type == "test"
    assert len({headers["webhook-id"] for headers, _ in receiver.requests}) == 1
