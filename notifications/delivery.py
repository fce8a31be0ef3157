"""Delivering what waits in the outbox."""

import time
from collections.abc import Sequence
from datetime import timedelta

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Greatest, Now
from django.utils import timezone

from notifications import signing, words
from notifications.channels import Undelivered, mail, webhook
from notifications.models import MAX_REASON, Channel, Kind, Notification, State
from notifications.services import secret_of
from notifications.words import Told

log = structlog.get_logger(__name__)
LEASE = timedelta(seconds=90)
"""Longer than the time limit of the task, so that two never send the same at the same time."""
MAX_ATTEMPTS = 14
MOST_IN_A_MAIL = 50
_FIRST, _LONGEST = timedelta(seconds=30), timedelta(hours=6)
_KILLED = "the worker ended during the last attempt"


def deliver_waiting(*, seconds: float = 10.0) -> int:
    """Send what is due, for about `seconds`; how many messages arrived.

    Safe to run twice or at the same time: each row is held by one.
    """
    give_up_on_killed()
    deadline, sent = time.monotonic() + seconds, 0
    while time.monotonic() < deadline:
        batch = _claim()
        if not batch:
            break
        sent += _deliver(batch)
    return sent


def delay(attempts: int) -> timedelta:
    """How long to wait after so many attempts: half a minute, doubled each time, up to 6 hours."""
    return min(_FIRST * (1 << (attempts - 1)), _LONGEST)


def give_up_on_killed() -> None:
    """What a worker died over each time is not tried for ever."""
    dropped = Notification.objects.filter(
        state=State.PENDING, lease_until__lt=Now(), attempts__gte=MAX_ATTEMPTS
    )
    dropped.update(state=State.FAILED, due_at=None, lease_until=None, reason=_KILLED)


@transaction.atomic
def _claim() -> list[Notification]:
    """The notification that has waited longest; for e-mail also others to the same address."""
    due = _due().select_related("subscription__application").order_by("due_at", "id")
    first = due.first()
    if first is None:
        return []
    batch = [first]
    if first.subscription.channel == Channel.EMAIL:
        others = due.filter(subscription=first.subscription_id).exclude(pk=first.pk)
        batch += others[: MOST_IN_A_MAIL - 1]
    held = Notification.objects.filter(pk__in=[one.pk for one in batch])
    held.update(lease_until=Now() + LEASE, attempts=F("attempts") + 1)
    for one in batch:
        one.attempts += 1
    return batch


def _due() -> QuerySet[Notification]:
    free = Q(lease_until=None) | Q(lease_until__lt=Now())
    return Notification.objects.select_for_update(skip_locked=True, of=("self",)).filter(
        free, state=State.PENDING, due_at__lte=Now()
    )


def _deliver(batch: Sequence[Notification]) -> int:
    """Send one message; returns how many notifications arrived with it."""
    rows = Notification.objects.filter(pk__in=[one.pk for one in batch], state=State.PENDING)
    try:
        _send(batch)
    except Undelivered as error:
        _failed(batch, str(error))
        return 0
    return rows.update(state=State.SENT, sent_at=Now(), due_at=None, lease_until=None, reason="")


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
def _failed(batch: Sequence[Notification], reason: str) -> None:
    """Later again, or given up. What else waits for this address waits as long."""
    subscription = batch[0].subscription_id
    for one in batch:
        row = Notification.objects.filter(pk=one.pk, state=State.PENDING)
        told = {"lease_until": None, "reason": reason[:MAX_REASON]}
        if one.attempts >= MAX_ATTEMPTS:
            row.update(state=State.FAILED, due_at=None, **told)
        else:
            row.update(due_at=Now() + delay(one.attempts), **told)
    waiting = Notification.objects.filter(
        subscription=subscription, state=State.PENDING, lease_until=None
    )
    later = Now() + delay(min(one.attempts for one in batch))
    waiting.update(due_at=Greatest(F("due_at"), later))
    log.warning("not_delivered", subscription=subscription, reason=reason, count=len(batch))
