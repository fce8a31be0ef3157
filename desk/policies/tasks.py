"""Celery tasks of policies. Each is safe to run twice."""

from celery import shared_task
from django.utils import timezone

from desk.policies.services import cases


@shared_task(name="desk.policies.tasks.watch_cases")
def watch_cases() -> None:
    """Run the regression cases again after a change of engine or judge."""
    cases.watch_cases(timezone.now())
