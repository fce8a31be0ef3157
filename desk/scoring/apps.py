"""The Django app of scoring."""

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    """Configures a command and a kind of job; there are no tables."""

    name = "desk.scoring"

    def ready(self) -> None:
        """Register the evaluation job."""
        # These need the models.
        from analysis.models import Job, JobKind  # noqa: PLC0415
        from analysis.services.jobs import JobStep, register_step  # noqa: PLC0415

        def step(job: Job) -> JobStep:
            from desk.scoring.assessing.step import assess_step  # noqa: PLC0415  slow to load

            return assess_step(job)

        register_step(JobKind.EVALUATION, step)
