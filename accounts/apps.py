"""The accounts app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Applications, API keys and roles."""

    name = "accounts"

    def ready(self) -> None:
        """Tell the OpenAPI generator of our authentication."""
        from accounts import schema  # noqa: F401, PLC0415  registers itself on import
