"""Reading jobs."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from accounts import access
from accounts.access import Person
from accounts.models import Application
from analysis.models import Job, JobKind, JobState


def visible_jobs(user: Person) -> QuerySet[Job]:
    """Return the started jobs of the applications that this person may see."""
    jobs = Job.objects.exclude(state=JobState.PREPARED).select_related("application")
    return access.visible(jobs, user)


def prepared_by(user: Person, ids: list[int]) -> QuerySet[Job]:
    """Return which of these jobs this person has prepared and not yet started."""
    return Job.objects.filter(pk__in=ids, person=user.pk, state=JobState.PREPARED)


def replays_of(application_id: UUID) -> QuerySet[Job]:
    return Job.objects.filter(application_id=application_id, kind=JobKind.REPLAY)


def job_document(job: Job) -> dict[str, Any]:
    return {
        "id": job.pk,
        "state": job.state,
        "done": job.done,
        "total": job.total or None,
        "created_at": job.created_at,
        "finished_at": job.finished_at,
        "error": job.last_error if job.state == JobState.FAILED else None,
        "result": job.result,
    }


def last_verifications(applications: QuerySet[Application]) -> list[tuple[Application, Job | None]]:
    """Return each application with the last finished verification of its trail, if any."""
    ended = Job.objects.filter(kind=JobKind.VERIFICATION, state=JobState.DONE)
    ended = ended.filter(application__in=applications.order_by().values("pk"))
    last = ended.order_by("application", "-id").distinct("application").defer("progress")
    by_application = {job.application_id: job for job in last}
    return [(application, by_application.get(application.pk)) for application in applications]
