"""The outbox: written with its cause, delivered at least once, and never lost.

A notification is a database row before anything is sent, and is delivered under a lease
(`workqueue`): a message may come twice, with the same id. Failures are retried at growing intervals
for about a day.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import Application
from audit.models import Event
from audit.services import append
from lib.workqueue.broker import Route, enqueue_one
from lib.workqueue.models import requeued_fields
from notifications import signing
from notifications.models import (
    AT_ONCE,
    DESK,
    Channel,
    EventKind,
    Notification,
    NotificationState,
    Subscription,
    new_salt,
)

MOST_WEBHOOKS = 20
FORGET_AT_ONCE = 10_000
_ROW = Notification._meta.label


class AddressTaken(Exception):
    """Raised if the application already has a webhook at this URL."""


class TooManyWebhooks(Exception):
    """Raised if the application has the allowed number of webhooks."""


@dataclass(frozen=True, slots=True)
class EventRecord:
    """One event for the outbox; `key` names it, so that it is sent once."""

    application_id: UUID
    key: str
    data: dict[str, Any]


def notify(
    kind: EventKind,
    *,
    application_id: UUID,
    key: str,
    data: dict[str, Any],
    wait: timedelta = timedelta(0),
) -> None:
    """Notify subscribers, once for each `key`, in the caller's transaction.

    Nothing is sent before `wait` is over, so that it can still be withdrawn.
    """
    notify_all(kind, [EventRecord(application_id, key, data)], wait=wait)


def notify_all(
    kind: EventKind, facts: Sequence[EventRecord], *, wait: timedelta = timedelta(0)
) -> None:
    """Notify subscribers about several events, in the caller's transaction.

    `analysis/sql/finish_check.sql` does the same for a check that is done.
    """
    subscriptions = Subscription.objects.filter(
        application__in={fact.application_id for fact in facts},
        is_active=True,
        kinds__contains=[str(kind)],
    ).select_related("application")
    by_application = defaultdict(list)
    for subscription in subscriptions:
        by_application[subscription.application_id].append(subscription)
    notifications = [
        _new_notification(subscription, kind, fact.key, fact.data, wait)
        for fact in facts
        for subscription in by_application[fact.application_id]
    ]
    if notifications:
        Notification.objects.bulk_create(notifications, ignore_conflicts=True)
        transaction.on_commit(ask_for_delivery)


def ask_for_delivery() -> None:
    """Request delivery by a worker now; otherwise beat does so within ten seconds."""
    enqueue_one("notifications.tasks.deliver", Route("notifications"))


def withdraw(*, application_id: UUID, keys: list[str]) -> None:
    """Withdraw unsent notifications whose cause was undone."""
    queued = Notification.objects.filter(
        subscription__application=application_id, key__in=keys, state=NotificationState.QUEUED
    )
    queued.update(state=NotificationState.WITHDRAWN, due_at=None)


def wants(kind: EventKind) -> list[UUID]:
    """Return the applications with a subscriber to this event."""
    subscriptions = Subscription.objects.filter(is_active=True, kinds__contains=[str(kind)])
    return list(subscriptions.values_list("application_id", flat=True).distinct())


@transaction.atomic
def save_subscription(*, subscription: Subscription, by: str) -> None:
    """Save a subscription; if it is switched off, withdraw what waits."""
    if subscription.pk is None:
        subscription.created_by = by
    subscription.save()
    if not subscription.is_active:
        unsent = Notification.objects.filter(
            subscription=subscription,
            state__in=(NotificationState.QUEUED, NotificationState.RUNNING),
        )
        unsent.update(state=NotificationState.WITHDRAWN, due_at=None, lease_until=None)
    _note(subscription, by, kinds=subscription.kinds, is_active=subscription.is_active)


@transaction.atomic
def create_webhook(*, application_id: UUID, url: str, events: list[str], by: str) -> Subscription:
    """Create a webhook, or reactivate one with a new secret.

    Raises AddressTaken if it is active, and TooManyWebhooks.
    """
    Application.objects.select_for_update().only("id").get(pk=application_id)  # one at a time
    webhooks = Subscription.objects.filter(application=application_id, channel=Channel.WEBHOOK)
    webhook = webhooks.filter(target=url).first()
    if webhook is not None and webhook.is_active:
        raise AddressTaken
    if webhooks.filter(is_active=True).count() >= MOST_WEBHOOKS:
        raise TooManyWebhooks
    webhook = webhook or Subscription(
        application_id=application_id, channel=Channel.WEBHOOK, target=url
    )
    webhook.kinds, webhook.is_active = events, True
    webhook.salt, webhook.previous_salt, webhook.previous_until = new_salt(), "", None
    save_subscription(subscription=webhook, by=by)
    webhook.refresh_from_db()
    return webhook


@transaction.atomic
def renew_secret(*, subscription: Subscription, by: str, overlap: timedelta = timedelta(0)) -> str:
    """Renew a webhook's secret; messages also carry the old one's signature for the `overlap`."""
    subscription.previous_salt = subscription.salt if overlap else ""
    subscription.previous_until = timezone.now() + overlap if overlap else None
    subscription.salt = new_salt()
    subscription.save(update_fields=["salt", "previous_salt", "previous_until"])
    _note(subscription, by, secret="renewed", overlap_seconds=int(overlap.total_seconds()))  # noqa: S106 - a word, no secret
    return secret_of(subscription)


def secret_of(subscription: Subscription) -> str:
    return _derived(subscription.salt)


def secrets_of(subscription: Subscription) -> list[str]:
    """Return the current secret, and the previous one while it is valid."""
    until = subscription.previous_until
    before = [subscription.previous_salt] if until and until > timezone.now() else []
    return [_derived(salt) for salt in (subscription.salt, *before)]


def _derived(salt: str) -> str:
    return signing.secret_of(salt, settings.WEBHOOK_KEY or settings.SECRET_KEY)


@transaction.atomic
def send_test(*, subscription: Subscription, by: str) -> Notification:
    """Send a test message to this address."""
    notification = _new_notification(
        subscription, EventKind.TEST, "", {"asked_by": by}, timedelta(0)
    )
    notification.key = f"test:{notification.pk}"
    notification.save(force_insert=True)
    transaction.on_commit(ask_for_delivery)
    return notification


def send_again(notifications: QuerySet[Notification]) -> int:
    """Retry failed notifications from the first attempt; return how many."""
    return _again(notifications.filter(state=NotificationState.FAILED))


def replay(notification: Notification) -> bool:
    """Send a delivered or failed notification again, with the same id.

    Return False if it still waits, was withdrawn, or its subscription is switched off.
    """
    notifications = Notification.objects.filter(
        pk=notification.pk, state__in=(NotificationState.SENT, NotificationState.FAILED)
    )
    return _again(notifications) == 1


def forget_delivered(*, days: int) -> int:
    """Delete delivered and withdrawn notifications older than `days`; return how many."""
    over = Notification.objects.filter(
        created_at__lt=Now() - timedelta(days=days),
        state__in=(NotificationState.SENT, NotificationState.WITHDRAWN),
    )
    first = over.order_by("created_at").values("pk")[:FORGET_AT_ONCE]
    return Notification.objects.filter(pk__in=first).delete()[1].get(_ROW, 0)


def _again(notifications: QuerySet[Notification]) -> int:
    again = notifications.filter(subscription__is_active=True)
    queued = again.update(**requeued_fields(), last_error="", sent_at=None)
    if queued:
        transaction.on_commit(ask_for_delivery)
    return queued


def _new_notification(
    subscription: Subscription, kind: EventKind, key: str, data: dict[str, Any], wait: timedelta
) -> Notification:
    if kind in DESK and kind not in AT_ONCE:
        wait += quiet_for(subscription, timezone.now() + wait)
    return Notification(
        subscription=subscription, kind=kind, key=key, data=data, due_at=Now() + wait
    )


def quiet_for(subscription: Subscription, moment: datetime) -> timedelta:
    """Return how long the quiet hours still last; 0 outside them, or if there are none.

    They are the same by the clock of the desk whatever the date; those that begin later than they
    end last over midnight.
    """
    start, end = subscription.quiet_from, subscription.quiet_until
    if start is None or end is None or start == end:
        return timedelta(0)
    local = moment.astimezone(ZoneInfo(subscription.application.desk_time_zone))
    clock = local.time()
    is_quiet = start <= clock < end if start < end else clock >= start or clock < end
    if not is_quiet:
        return timedelta(0)
    day = local.date() + timedelta(days=int(start > end and clock >= start))
    return datetime.combine(day, end, local.tzinfo).astimezone(UTC) - moment


def _note(subscription: Subscription, by: str, **data: Any) -> None:
    append(
        Event.SUBSCRIPTION_CHANGED,
        subject=subscription,
        by=by,
        channel=subscription.channel,
        **data,
    )


# Reads an application's webhooks and their deliveries.


def webhooks_of(application_id: UUID) -> QuerySet[Subscription]:
    """Return the application's active webhooks, the oldest first."""
    return Subscription.objects.filter(
        application=application_id, channel=Channel.WEBHOOK, is_active=True
    ).order_by("id")


def deliveries_of(webhook: Subscription, *, state: str | None = None) -> QuerySet[Notification]:
    """Return a webhook's notifications with each attempt."""
    notifications = Notification.objects.filter(subscription=webhook).prefetch_related("tries")
    return notifications if state is None else notifications.filter(state=state)
