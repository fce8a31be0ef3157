"""The accounts app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Applications, API keys and roles."""

    name = "accounts"

    def ready(self) -> None:
        """Register receivers and our authentication's OpenAPI extension, and translate names."""
        from accounts import login_attempts, model_names, schema, sessions  # noqa: F401, PLC0415

        login_attempts.connect()
        sessions.connect()
        model_names.translate_names()
