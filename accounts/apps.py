"""The accounts app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Applications, API keys and roles."""

    name = "accounts"

    def ready(self) -> None:
        """Register the receivers and tell the OpenAPI generator of our authentication."""
        from accounts import login_attempts, schema, sessions  # noqa: F401, PLC0415

        login_attempts.connect()
        sessions.connect()
