"""Celery tasks: load by id, call a service, return nothing large. Each is safe to run twice."""

from uuid import UUID

from celery import shared_task

from analysis.services import checking, idempotency, jobs, life, searching, trends


@shared_task(name="analysis.tasks.run_check")
def run_check(check_id: str) -> None:
    """Check one answer."""
    checking.run_check(UUID(check_id))


@shared_task(name="analysis.tasks.run_job")
def run_job(job_id: int) -> None:
    """Work on a job for a few seconds."""
    jobs.run_job(job_id)


@shared_task(name="analysis.tasks.sweep")
def sweep() -> None:
    """Enqueue overdue checks and jobs again."""
    life.sweep()
    jobs.sweep_jobs()


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
    """Make new checks searchable."""
    searching.index_checks()
