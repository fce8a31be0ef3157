"""Celery tasks of the dashboard. Each is safe to run twice."""

from celery import shared_task

from desk.dashboard.services import alerts, topics


@shared_task(name="desk.dashboard.tasks.watch_rejections")
def watch_rejections() -> None:
    """Notify about unusual changes of the rejection rate."""
    alerts.notify_unusual_rejections()


@shared_task(name="desk.dashboard.tasks.watch_drift", time_limit=600)
def watch_drift() -> None:
    """Notify about drift of the answers, their scores and the overturned decisions."""
    alerts.notify_drift()


@shared_task(name="desk.dashboard.tasks.make_topics", time_limit=600)
def make_topics() -> None:
    """Group the questions for which nothing was found."""
    topics.make_topics()
