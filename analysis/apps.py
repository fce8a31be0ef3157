"""The analysis app."""

from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    """Checks, policies, reviews."""

    name = "analysis"

    def ready(self) -> None:
        """Tell the trail what it seals."""
        from analysis.selectors.contents import register_contents  # noqa: PLC0415  needs models

        register_contents()
