"""Jobs: long work in slices of seconds, so that no check waits for it and nothing is done twice.

    prepared → queued → running → done
                 ↑        ↓
                 └── the slice is over, or the attempt failed; the third time in a row → failed

A step and its progress are one transaction, guarded by the epoch
(docs/decisions/0901-one-work-queue.md).
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from time import monotonic
from typing import Any
from uuid import UUID

import structlog
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from analysis.models import Job, JobKind, JobState
from lib.workqueue.broker import Route
from lib.workqueue.queue import LeaseLost, Swept, WorkQueue

log = structlog.get_logger(__name__)
SLICE_SECONDS = 5.0
LEASE = timedelta(seconds=60)
MAX_ATTEMPTS = 3
"""Attempts in a row without a step done."""
MAX_OPEN = 5
PREPARED_FOR = timedelta(days=1)
_OPEN = (JobState.QUEUED, JobState.RUNNING)


@dataclass(frozen=True, slots=True)
class JobStep:
    """The progress of a job after a step; `result` is None until it is done."""

    done: int
    total: int
    progress: dict[str, Any]
    result: dict[str, Any] | None = None


STEPS: dict[JobKind, Callable[[Job], JobStep]] = {}
"""A bounded piece of work of each kind; packages above this one do the work."""


def register_step(kind: JobKind, step: Callable[[Job], JobStep]) -> None:
    """Register the step of a kind of job; called when the apps are ready."""
    STEPS[kind] = step


class TooManyJobs(Exception):
    """Raised if the application already has MAX_OPEN unfinished jobs."""


JOBS = WorkQueue(
    model=Job,
    task="analysis.tasks.run_job",
    route=Route("batches", priority=9),
    lease=lambda: LEASE,
    max_attempts=lambda: MAX_ATTEMPTS,
    failure=lambda _: {"finished_at": Now()},
)


def prepare_job(
    *, application_id: UUID, kind: JobKind, options: dict[str, Any], person: User, total: int
) -> Job:
    """Create a job that awaits confirmation; it is deleted after a day."""
    return Job.objects.create(
        application_id=application_id, kind=kind, state=JobState.PREPARED, due_at=None,
        input=options, person=person, created_by=person.get_username(), total=total,
    )  # fmt: skip


@transaction.atomic
def start_prepared(job: Job, *, more: dict[str, Any]) -> bool:
    """Queue a prepared job with the remaining options; return False if it is no longer prepared."""
    changed = Job.objects.filter(pk=job.pk, state=JobState.PREPARED).update(
        state=JobState.QUEUED, due_at=Now(), input=job.input | more
    )
    if changed:
        JOBS.enqueue_on_commit([job.pk])
    return bool(changed)


@transaction.atomic
def start_job(
    *, application_id: UUID, kind: JobKind, options: dict[str, Any], by: str, person: User | None
) -> Job:
    """Queue a job, or return an identical unfinished one. Raises TooManyJobs."""
    unfinished = Job.objects.filter(application_id=application_id, kind=kind, state__in=_OPEN)
    same = unfinished.filter(input=options).first()
    if same is not None:
        return same
    if unfinished.count() >= MAX_OPEN:
        raise TooManyJobs(_("At most %d jobs at once. Wait until one has finished.") % MAX_OPEN)
    job = Job.objects.create(
        application_id=application_id, kind=kind, state=JobState.QUEUED, input=options,
        person=person, created_by=by,
    )  # fmt: skip
    JOBS.enqueue_on_commit([job.pk])
    return job


def run_job(job_id: int, *, seconds: float = SLICE_SECONDS) -> bool:
    """Work on a job for `seconds`; return False if there was nothing to do or it failed.

    Repeatable.
    """
    claimed = JOBS.claim(job_id)
    if claimed is None:
        return False
    job = Job.objects.select_related("application", "person").get(pk=job_id, epoch=claimed.epoch)
    deadline = monotonic() + seconds
    try:
        while not job.is_finished and monotonic() < deadline:
            _step(job)
        if not job.is_finished:
            JOBS.release(job)
    except LeaseLost:
        log.warning("job_lease_lost", job_id=job_id)
        return False
    except Exception as error:
        log.error("job_failed", job_id=job_id, exc_info=error)
        JOBS.retry(job, error=type(error).__name__)
        return False
    return True


def sweep_jobs() -> Swept:
    """Enqueue overdue jobs again, and delete those not confirmed within a day."""
    Job.objects.filter(state=JobState.PREPARED, created_at__lt=Now() - PREPARED_FOR).delete()
    return JOBS.sweep(limit=50)


@transaction.atomic
def _step(job: Job) -> None:
    """Run one step and store its progress in one transaction."""
    JOBS.heartbeat(job)
    step = STEPS[JobKind(job.kind)](job)
    job.done, job.total, job.progress, job.attempts = step.done, step.total, step.progress, 0
    counts: dict[str, Any] = {"done": step.done, "total": step.total, "attempts": 0}
    if step.result is None:
        JOBS.progress(job, progress=step.progress, **counts)
        return
    JOBS.finish(job, JobState.DONE, result=step.result, progress={}, finished_at=Now(), **counts)
    job.state = JobState.DONE
