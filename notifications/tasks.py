"""Celery tasks that empty the outbox."""

from celery import shared_task
from django.conf import settings

from notifications import delivery, services

TIME_LIMIT = 60


@shared_task(name="notifications.tasks.deliver", time_limit=TIME_LIMIT)
def deliver() -> None:
    """Send what is due. Safe to run twice."""
    delivery.deliver_waiting()


@shared_task(name="notifications.tasks.forget", time_limit=TIME_LIMIT)
def forget() -> None:
    services.forget_delivered(days=settings.NOTIFICATIONS_KEEP_DAYS)
