"""The beat task that empties the outbox."""

from celery import shared_task

from notifications import delivery

TIME_LIMIT = 60


@shared_task(name="notifications.tasks.deliver", time_limit=TIME_LIMIT)
def deliver() -> None:
    """Send what is due. Safe to run twice."""
    delivery.deliver_waiting()
