"""The outbox: written with its cause, delivered at least once, and never lost.

A notification is a row of the database before anything is sent, and is delivered under a lease
(`workqueue`): a message may come twice, with the same id. What fails is tried again, later each
time, for about a day.
"""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from audit.models import Event
from audit.services import append
from notifications import signing
from notifications.models import (
    Kind,
    Notification,
    State,
    Subscription,
    new_salt,
)
from workqueue.models import queued_afresh


@transaction.atomic
def notify(
    kind: Kind,
    *,
    application_id: UUID,
    key: str,
    data: dict[str, Any],
    wait: timedelta = timedelta(0),
) -> None:
    """Tell whoever subscribed, once for each `key`; in the caller's transaction.

    Nothing is sent before `wait` is over, so that it can still be withdrawn.
    """
    told = Subscription.objects.filter(
        application=application_id, is_active=True, kinds__contains=[str(kind)]
    )
    Notification.objects.bulk_create(
        [_made(one, kind, key, data, wait) for one in told], ignore_conflicts=True
    )


def withdraw(*, application_id: UUID, keys: list[str]) -> None:
    """Take back what was not sent yet, since its cause was taken back."""
    waiting = Notification.objects.filter(
        subscription__application=application_id, key__in=keys, state=State.QUEUED
    )
    waiting.update(state=State.WITHDRAWN, due_at=None)


def wants(kind: Kind) -> list[UUID]:
    """The applications of which somebody is told this."""
    found = Subscription.objects.filter(is_active=True, kinds__contains=[str(kind)])
    return list(found.values_list("application_id", flat=True).distinct())


@transaction.atomic
def save_subscription(*, subscription: Subscription, by: str) -> None:
    """Keep a subscription, new or changed; what waits for one switched off is withdrawn."""
    if subscription.pk is None:
        subscription.created_by = by
    subscription.save()
    if not subscription.is_active:
        unsent = (State.QUEUED, State.RUNNING)
        waiting = Notification.objects.filter(subscription=subscription, state__in=unsent)
        waiting.update(state=State.WITHDRAWN, due_at=None, lease_until=None)
    _note(subscription, by, kinds=subscription.kinds, is_active=subscription.is_active)


@transaction.atomic
def renew_secret(*, subscription: Subscription, by: str) -> str:
    """Give a webhook another secret; the one before is good no longer."""
    subscription.salt = new_salt()
    subscription.save(update_fields=["salt"])
    _note(subscription, by, secret="renewed")  # noqa: S106 - a word, no secret
    return secret_of(subscription)


def secret_of(subscription: Subscription) -> str:
    """What signs the messages of a webhook."""
    return signing.secret_of(subscription.salt, settings.WEBHOOK_KEY or settings.SECRET_KEY)


@transaction.atomic
def send_test(*, subscription: Subscription, by: str) -> None:
    """Have a message sent to this address that says nothing but that it arrives."""
    made = _made(subscription, Kind.TEST, "", {"asked_by": by}, timedelta(0))
    made.key = f"test:{made.pk}"
    made.save(force_insert=True)


def send_again(failed: QuerySet[Notification]) -> int:
    """Try what was given up once more from the start; how many these are."""
    again = failed.filter(state=State.FAILED, subscription__is_active=True)
    return again.update(**queued_afresh(), last_error="")


def _made(
    subscription: Subscription, kind: Kind, key: str, data: dict[str, Any], wait: timedelta
) -> Notification:
    return Notification(
        subscription=subscription, kind=kind, key=key, data=data, due_at=Now() + wait
    )


def _note(subscription: Subscription, by: str, **data: Any) -> None:
    append(
        Event.SUBSCRIPTION_CHANGED,
        subject=subscription,
        by=by,
        application_id=subscription.application_id,
        channel=subscription.channel,
        **data,
    )
