"""The Django app of the dashboard."""

from django.apps import AppConfig


class DashboardConfig(AppConfig):
    """Pages and tasks: the figures stand in tables of `analysis`."""

    name = "dashboard"
