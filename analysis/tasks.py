"""Celery tasks: load by id, call a service, return nothing large. Each is safe to run twice."""

from uuid import UUID

from celery import shared_task
from django.utils import timezone

from analysis.services import (
    checking,
    idempotency,
    jobs,
    lifecycle,
    months,
    release,
    searching,
    trends,
)


@shared_task(name="analysis.tasks.run_checks")
def run_checks() -> None:
    """Check waiting answers for half a second."""
    for entry in lifecycle.INBOX.entries():
        with entry.in_context():
            checking.run_check(UUID(entry.key))


@shared_task(name="analysis.tasks.run_job")
def run_job(job_id: int) -> None:
    """Work on a job for a few seconds."""
    jobs.run_job(job_id)


@shared_task(name="analysis.tasks.sweep")
def sweep() -> None:
    """Enqueue overdue checks and jobs again, and settle held answers that are due."""
    lifecycle.sweep()
    jobs.sweep_jobs()
    release.expire_held()


@shared_task(name="analysis.tasks.forget_idempotency_keys")
def forget_idempotency_keys() -> None:
    """Delete idempotency keys past their time."""
    idempotency.forget_idempotency_keys()


@shared_task(name="analysis.tasks.count_trends")
def count_trends() -> None:
    """Count the checks that have ended since the last time."""
    trends.count_waiting()


@shared_task(name="analysis.tasks.index_checks")
def index_checks() -> None:
    searching.index_checks()


@shared_task(name="analysis.tasks.keep_months")
def keep_months() -> None:
    """Create the next months' partitions, drop emptied ones and refresh statistics."""
    now = timezone.now()
    months.make_next_months(now)
    months.drop_empty_months(now)
    months.refresh_statistics()
