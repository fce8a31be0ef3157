"""The Django app of policies."""

from django.apps import AppConfig


class PoliciesConfig(AppConfig):
    """The admin and commands of policies: their tables are those of `analysis`."""

    name = "desk.policies"

    def ready(self) -> None:
        """Tell jobs how a replay is done."""
        from desk.policies.services.replays import register_replay  # noqa: PLC0415  needs models

        register_replay()
