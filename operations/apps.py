"""The Django app of the operators' commands."""

from django.apps import AppConfig


class OperationsConfig(AppConfig):
    """Commands, retention and legal holds: no tables."""

    name = "operations"

    def ready(self) -> None:
        """Register the retention job."""
        # These need the models.
        from analysis.models import JobKind  # noqa: PLC0415
        from analysis.services.jobs import register_step  # noqa: PLC0415
        from operations.retention import retention_step  # noqa: PLC0415

        register_step(JobKind.RETENTION, retention_step)
