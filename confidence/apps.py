"""The Django app of the page of one verdict."""

from django.apps import AppConfig


class ConfidenceConfig(AppConfig):
    """Pages and their template filters; all tables stand in `analysis`."""

    name = "confidence"
