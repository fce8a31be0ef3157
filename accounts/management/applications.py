"""Applications as commands name them."""

from django.core.management.base import CommandError

from accounts.models import Application


def application_named(slug: str, hint: str = "") -> Application:
    """The application of this slug. Raises CommandError, with the hint, where there is none."""
    application = Application.objects.filter(slug=slug).first()
    if application is None:
        raise CommandError(" ".join(filter(None, (f"No application has the slug {slug!r}.", hint))))
    return application
