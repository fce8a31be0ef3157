"""The analysis app."""

from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    """Checks, policies, reviews."""

    name = "analysis"

    def ready(self) -> None:
        """Tell the trail what it seals, and jobs how an evaluation is done."""
        from analysis.assessing.registering import register_evaluation  # noqa: PLC0415
        from analysis.selectors.contents import register_contents  # noqa: PLC0415  needs models

        register_contents()
        register_evaluation()
