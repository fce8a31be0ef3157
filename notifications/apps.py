"""The notifications app."""

from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    """Subscriptions of applications, and the outbox."""

    name = "notifications"
