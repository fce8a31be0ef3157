"""The Django app of the operators' commands."""

from django.apps import AppConfig


class OperationsConfig(AppConfig):
    """Commands, retention and legal holds: no tables."""

    name = "operations"

    def ready(self) -> None:
        """Register the retention job."""
        from operations.retention import register_retention  # noqa: PLC0415  needs models

        register_retention()
