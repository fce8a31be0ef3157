"""The analysis app."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class AnalysisConfig(AppConfig):
    name = "analysis"

    def ready(self) -> None:
        """Register sealed documents and job steps; recount trends after a migration moved them."""
        from analysis.models import JobKind  # noqa: PLC0415  needs the apps
        from analysis.selectors.contents import register_contents  # noqa: PLC0415  needs models
        from analysis.services.jobs import register_step  # noqa: PLC0415  needs models
        from analysis.services.trends import after_migration  # noqa: PLC0415  needs models
        from analysis.services.verification import verify_step  # noqa: PLC0415  needs models

        register_contents()
        register_step(JobKind.VERIFICATION, verify_step)
        post_migrate.connect(after_migration, sender=self)
