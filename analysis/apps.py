"""The analysis app."""

from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    """Checks, policies, reviews."""

    name = "analysis"
