"""Jobs: long work in slices of seconds, so that no check waits for it and nothing is done twice.

    prepared → queued → running → done
                 ↑        ↓
                 └── the slice is over, the worker died, or it failed; the third time → failed

PostgreSQL is the queue, as it is for checks: a ring may be lost or doubled. A step and its progress
are one transaction, guarded by the epoch (docs/decisions/0620-long-work-in-slices.md).
"""

from datetime import timedelta
from time import monotonic
from typing import Any
from uuid import UUID

import structlog
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Case, F, IntegerField, Q, QuerySet, When
from django.db.models.functions import Now

from analysis import doorbell
from analysis.models import Job, JobKind, JobState, Policy
from analysis.selectors.replaying import Chosen
from analysis.services.job_steps import STEPS

log = structlog.get_logger(__name__)
SLICE_SECONDS = 5.0
LEASE = timedelta(seconds=60)
RING_AGAIN = timedelta(seconds=15)
MAX_FAILURES = 3
MAX_OPEN = 5
PREPARED_FOR = timedelta(days=1)
_OPEN = (JobState.QUEUED, JobState.RUNNING)


class TooManyJobs(Exception):
    """The application has MAX_OPEN unfinished jobs."""


class LeaseLost(Exception):
    """Another worker has taken the job over; what this step did is rolled back."""


def prepare_job(
    *, application_id: UUID, kind: JobKind, given: dict[str, Any], person: User, total: int
) -> Job:
    """A job that waits for somebody's word; forgotten after a day."""
    return Job.objects.create(
        application_id=application_id, kind=kind, state=JobState.PREPARED, given=given,
        person=person, created_by=person.get_username(), total=total,
    )  # fmt: skip


@transaction.atomic
def start_prepared(job: Job, *, more: dict[str, Any]) -> bool:
    """Queue a prepared job with what was still missing; False where it is no longer prepared."""
    changed = Job.objects.filter(pk=job.pk, state=JobState.PREPARED).update(
        state=JobState.QUEUED, given=job.given | more
    )
    if changed:
        transaction.on_commit(lambda: doorbell.ring_jobs([job.pk]))
    return bool(changed)


@transaction.atomic
def start_job(
    *, application_id: UUID, kind: JobKind, given: dict[str, Any], by: str, person: User | None
) -> Job:
    """Queue a job, or find the unfinished one that does just this. Raises TooManyJobs."""
    unfinished = Job.objects.filter(application_id=application_id, kind=kind, state__in=_OPEN)
    same = unfinished.filter(given=given).first()
    if same is not None:
        return same
    if unfinished.count() >= MAX_OPEN:
        raise TooManyJobs(f"At most {MAX_OPEN} at once: wait until one of them has ended.")
    job = Job.objects.create(
        application_id=application_id, kind=kind, state=JobState.QUEUED, given=given,
        person=person, created_by=by,
    )  # fmt: skip
    transaction.on_commit(lambda: doorbell.ring_jobs([job.pk]))
    return job


def start_replay(policy: Policy, chosen: Chosen, *, by: User | str) -> Job:
    """Queue a replay under this version. Raises TooManyJobs."""
    person = by if isinstance(by, User) else None
    return start_job(
        application_id=policy.application_id,
        kind=JobKind.REPLAY,
        given={"policy_id": policy.pk, **chosen.to_json()},
        by=person.get_username() if person else str(by),
        person=person,
    )


def run_job(job_id: int, *, seconds: float = SLICE_SECONDS) -> bool:
    """Work on a job for so long; False when nothing was to be done or it failed. Safe to repeat."""
    job = _claim(job_id)
    if job is None:
        return False
    deadline = monotonic() + seconds
    try:
        while not job.is_finished and monotonic() < deadline:
            _step(job)
    except LeaseLost:
        log.warning("job_lease_lost", job_id=job_id)
        return False
    except Exception as error:
        log.error("job_failed", job_id=job_id, exc_info=error)
        _fail(job, type(error).__name__)
        return False
    if not job.is_finished:
        _hand_back(job)
    return True


def sweep_jobs(*, limit: int = 50) -> int:
    """Ring again for what waits or was left, and forget what nobody gave their word for."""
    Job.objects.filter(state=JobState.PREPARED, created_at__lt=Now() - PREPARED_FOR).delete()
    waiting = Job.objects.filter(_claimable(), created_at__lt=Now() - RING_AGAIN)
    return doorbell.ring_jobs(list(waiting.order_by("id").values_list("pk", flat=True)[:limit]))


def _claimable() -> Q:
    return Q(state=JobState.QUEUED) | Q(state=JobState.RUNNING, lease_until__lt=Now())


def _claim(job_id: int) -> Job | None:
    """Take a job that waits, or that was left in the middle, which counts as a failure."""
    left = When(state=JobState.RUNNING, then=F("failures") + 1)
    changed = Job.objects.filter(_claimable(), pk=job_id).update(
        failures=Case(left, default=F("failures"), output_field=IntegerField()),
        state=JobState.RUNNING,
        epoch=F("epoch") + 1,
        lease_until=Now() + LEASE,
    )
    job = Job.objects.select_related("application", "person").get(pk=job_id) if changed else None
    if job is not None and job.failures >= MAX_FAILURES:
        _fail(job, job.last_error or "WorkerLost")
        return None
    return job


@transaction.atomic
def _step(job: Job) -> None:
    """One step and its progress: both or neither."""
    mine = _mine(job)
    if not mine.update(lease_until=Now() + LEASE):
        raise LeaseLost
    step = STEPS[JobKind(job.kind)](job)
    finished: dict[str, Any] = {}
    if step.result is not None:
        finished = {"state": JobState.DONE, "result": step.result, "held": {},
                    "lease_until": None, "finished_at": Now()}  # fmt: skip
        job.state = JobState.DONE
    job.done, job.total, job.held, job.failures = step.done, step.total, step.held, 0
    progress = {"done": step.done, "total": step.total, "held": step.held, "failures": 0}
    mine.update(**progress | finished)


def _hand_back(job: Job) -> None:
    if _mine(job).update(state=JobState.QUEUED, lease_until=None):
        doorbell.ring_jobs([job.pk])


def _fail(job: Job, error: str) -> None:
    """Queue it again, or give it up after the last failure."""
    again = job.failures + 1 < MAX_FAILURES
    _mine(job).update(
        state=JobState.QUEUED if again else JobState.FAILED,
        failures=job.failures + 1,
        last_error=error[:200],
        lease_until=None,
        finished_at=None if again else Now(),
    )


def _mine(job: Job) -> QuerySet[Job]:
    return Job.objects.filter(pk=job.pk, epoch=job.epoch, state=JobState.RUNNING)
