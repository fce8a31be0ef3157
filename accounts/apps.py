"""The accounts app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Applications, API keys and roles."""

    name = "accounts"
