"""The audit app."""

from django.apps import AppConfig


class AuditConfig(AppConfig):
    """Registers the log-in receivers."""

    name = "audit"

    def ready(self) -> None:
        """Register the receivers that note log-ins in the trail."""
        from audit import logins  # noqa: F401, PLC0415  receivers need the app registry
