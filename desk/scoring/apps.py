"""The Django app of scoring."""

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    """A command and a kind of job: no tables."""

    name = "desk.scoring"

    def ready(self) -> None:
        """Tell jobs how an evaluation is done."""
        from desk.scoring.assessing.registering import register_evaluation  # noqa: PLC0415  models

        register_evaluation()
