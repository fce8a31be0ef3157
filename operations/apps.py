"""The Django app of the operators' commands."""

from django.apps import AppConfig


class OperationsConfig(AppConfig):
    """Commands only: no tables."""

    name = "operations"
