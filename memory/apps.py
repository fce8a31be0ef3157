"""The memory app."""

from django.apps import AppConfig


class MemoryConfig(AppConfig):
    """Managers, what they stated, and how it is found again."""

    name = "memory"
    verbose_name = "Memory"

    def ready(self) -> None:
        """Tell the sign-in how people become managers."""
        from accounts.oidc.people import register_managers  # noqa: PLC0415  needs the apps
        from memory.services.managers import assign_managers  # noqa: PLC0415

        register_managers(assign_managers)
