"""The accounts app."""

from django.apps import AppConfig, apps
from django.conf import settings
from django.utils.translation import gettext_lazy


class AccountsConfig(AppConfig):
    """Applications, API keys and roles."""

    name = "accounts"

    def ready(self) -> None:
        """Register receivers and our authentication's OpenAPI extension, and translate names."""
        from accounts import login_attempts, schema, sessions  # noqa: F401, PLC0415

        translate_names()


def translate_names() -> None:
    """Translate the names of apps, models and fields on admin pages, once all are loaded.

    Django derives them from the code ("created at"). They are looked up in the catalogue here and
    not in the models, where each would need a migration although no table stores names for people.
    """
    for config in own_apps():
        config.verbose_name = gettext_lazy(str(config.verbose_name))
        for model in config.get_models():
            options = model._meta
            options.verbose_name = gettext_lazy(str(options.verbose_name))
            options.verbose_name_plural = gettext_lazy(str(options.verbose_name_plural))
            for field in (*options.local_fields, *options.local_many_to_many):
                field.verbose_name = gettext_lazy(str(field.verbose_name))


def own_apps() -> list[AppConfig]:
    """Return the product's apps, whose code is in the repository."""
    root = str(settings.BASE_DIR)
    return [
        config
        for config in apps.get_app_configs()
        if config.path.startswith(root) and "site-packages" not in config.path
    ]
