"""Registers the evaluation job with the package of jobs, which is below this one."""

from analysis.models import Job, JobKind
from analysis.services.jobs import JobStep, register_step


def register_evaluation() -> None:
    """Register the evaluation job; called when the app is ready."""
    register_step(JobKind.EVALUATION, _step)


def _step(job: Job) -> JobStep:
    from desk.scoring.assessing.step import assess_step  # noqa: PLC0415  numpy, only when it is asked

    return assess_step(job)
