"""The Django app of policies."""

from django.apps import AppConfig


class PoliciesConfig(AppConfig):
    """Configures the admin and commands of policies; their tables belong to `analysis`."""

    name = "desk.policies"

    def ready(self) -> None:
        """Register the replay job."""
        # These need the models.
        from analysis.models import JobKind  # noqa: PLC0415
        from analysis.services.jobs import register_step  # noqa: PLC0415
        from desk.policies.services.replays import replay_step  # noqa: PLC0415

        register_step(JobKind.REPLAY, replay_step)
