"""Reads an application's webhooks and their deliveries."""

from uuid import UUID

from django.db.models import QuerySet

from notifications.models import Channel, Notification, Subscription


def webhooks_of(application_id: UUID) -> QuerySet[Subscription]:
    """Return the application's active webhooks, the oldest first."""
    return Subscription.objects.filter(
        application=application_id, channel=Channel.WEBHOOK, is_active=True
    ).order_by("id")


def deliveries_of(webhook: Subscription, *, state: str | None = None) -> QuerySet[Notification]:
    """Return a webhook's notifications with each attempt."""
    notifications = Notification.objects.filter(subscription=webhook).prefetch_related("tries")
    return notifications if state is None else notifications.filter(state=state)
