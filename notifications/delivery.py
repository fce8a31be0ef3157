"""Delivering what waits in the outbox."""

import time
from collections.abc import Sequence
from datetime import timedelta

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Greatest, Now
from django.utils import timezone

from notifications import signing, words
from notifications.channels import Undelivered, mail, webhook
from notifications.models import Channel, Kind, Notification, State, Subscription
from notifications.services import secret_of
from notifications.words import Told
from workqueue.queue import LeaseLost, WorkQueue

log = structlog.get_logger(__name__)
LEASE = timedelta(seconds=90)
"""Longer than the time limit of the task, so that two never send the same at the same time."""
MAX_ATTEMPTS = 14
MOST_IN_A_MAIL = 50
_FIRST, _LONGEST = timedelta(seconds=30), timedelta(hours=6)


def delay(attempts: int) -> timedelta:
    """How long to wait after so many attempts: half a minute, doubled each time, up to 6 hours."""
    return min(_FIRST * (1 << (attempts - 1)), _LONGEST)


NOTIFICATIONS = WorkQueue(
    model=Notification,
    lease=lambda: LEASE,
    max_attempts=lambda: MAX_ATTEMPTS,
    backoff=delay,
)


def deliver_waiting(*, seconds: float = 10.0) -> int:
    """Send what is due, for about `seconds`; how many messages arrived.

    Safe to run twice or at the same time: each row is leased to one.
    """
    NOTIFICATIONS.sweep()
    deadline, sent = time.monotonic() + seconds, 0
    while time.monotonic() < deadline:
        batch = _claim()
        if not batch:
            break
        sent += _deliver(batch)
    return sent


def _claim() -> list[Notification]:
    """The notification that has waited longest; for e-mail also others to the same address."""
    batch = NOTIFICATIONS.claim_due()
    if not batch:
        return []
    subscription = Subscription.objects.select_related("application").get(
        pk=batch[0].subscription_id
    )
    if subscription.channel == Channel.EMAIL:
        batch += NOTIFICATIONS.claim_due(limit=MOST_IN_A_MAIL - 1, subscription=subscription.pk)
    for notification in batch:
        notification.subscription = subscription
    return batch


def _deliver(batch: Sequence[Notification]) -> int:
    """Send one message; returns how many notifications arrived with it."""
    try:
        _send(batch)
    except Undelivered as error:
        _retry(batch, str(error))
        return 0
    return sum(_finish(notification) for notification in batch)


def _finish(notification: Notification) -> bool:
    """Mark a notification as sent; False when it was withdrawn meanwhile."""
    try:
        NOTIFICATIONS.finish(notification, State.SENT, sent_at=Now(), last_error="")
    except LeaseLost:
        log.warning("lease_lost", notification=str(notification.pk))
        return False
    return True


def _send(batch: Sequence[Notification]) -> None:
    first, subscription = batch[0], batch[0].subscription
    application = subscription.application
    told = [Told(Kind(one.kind), one.data, one.created_at) for one in batch]
    if subscription.channel == Channel.EMAIL:
        mail.send(
            to=subscription.target,
            subject=words.subject(told, application.name),
            body=words.text(told, application.name),
            message_id=str(first.pk),
        )
        return
    body = words.body(told[0], application.slug)
    now = int(timezone.now().timestamp())
    webhook.post(
        subscription.target,
        body,
        signing.headers(secret_of(subscription), str(first.pk), now, body),
        allowed=settings.WEBHOOK_ALLOWED_HOSTS,
        seconds=settings.WEBHOOK_SECONDS,
    )


@transaction.atomic
def _retry(batch: Sequence[Notification], reason: str) -> None:
    """Later again, or given up. What else waits for this address waits as long."""
    for notification in batch:
        NOTIFICATIONS.retry(notification, error=reason)
    waiting = Notification.objects.filter(subscription=batch[0].subscription_id, state=State.QUEUED)
    later = Now() + delay(min(notification.attempts for notification in batch))
    waiting.update(due_at=Greatest(F("due_at"), later))
