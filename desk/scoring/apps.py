"""The Django app of scoring."""

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    """Configures a command and a kind of job; there are no tables."""

    name = "desk.scoring"

    def ready(self) -> None:
        """Register the evaluation job."""
        from desk.scoring.assessing.registering import register_evaluation  # noqa: PLC0415  models

        register_evaluation()
