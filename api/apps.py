"""The Django app of the REST API."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """Views and a command: no tables."""

    name = "api"
