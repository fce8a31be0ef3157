"""Which webhooks an application has and what was sent to them."""

from uuid import UUID

from django.db.models import QuerySet

from notifications.models import Channel, Notification, Subscription


def webhooks_of(application_id: UUID) -> QuerySet[Subscription]:
    """The application's webhooks that are switched on, the oldest first."""
    return Subscription.objects.filter(
        application=application_id, channel=Channel.WEBHOOK, is_active=True
    ).order_by("id")


def deliveries_of(webhook: Subscription, *, state: str | None = None) -> QuerySet[Notification]:
    """What was or will be sent to a webhook, with each try."""
    notifications = Notification.objects.filter(subscription=webhook).prefetch_related("tries")
    return notifications if state is None else notifications.filter(state=state)
