"""The memory app."""

from django.apps import AppConfig


class MemoryConfig(AppConfig):
    """Managers, their statements, and recall."""

    name = "memory"
    verbose_name = "Memory"

    def ready(self) -> None:
        """Register how the sign-in makes people managers."""
        from accounts.oidc.people import register_managers  # noqa: PLC0415  needs the apps
        from memory.services.managers import assign_managers  # noqa: PLC0415

        register_managers(assign_managers)
