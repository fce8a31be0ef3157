"""Celery tasks of the desk. Each is safe to run twice."""

from celery import shared_task
from django.utils import timezone

from desk.reviews.services import alerts, decision_days, sampling


@shared_task(name="desk.reviews.tasks.watch_desk")
def watch_desk() -> None:
    """Notify about reviews that became overdue."""
    alerts.notify_overdue()


@shared_task(name="desk.reviews.tasks.close_days", time_limit=600)
def close_days() -> None:
    """Count the decisions of past days, and set the shares of automatic sampling plans."""
    decision_days.close_days(timezone.now())
    sampling.adjust_shares(timezone.now())
