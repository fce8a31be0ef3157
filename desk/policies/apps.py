"""The Django app of policies."""

from django.apps import AppConfig


class PoliciesConfig(AppConfig):
    """Configures the admin and commands of policies; their tables belong to `analysis`."""

    name = "desk.policies"

    def ready(self) -> None:
        """Register the replay job."""
        from desk.policies.services.replays import register_replay  # noqa: PLC0415  needs models

        register_replay()
