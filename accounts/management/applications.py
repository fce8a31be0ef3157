"""Finds applications and people by the names used in commands."""

from uuid import UUID

from django.contrib.auth.models import User
from django.core.management.base import CommandError
from django.db.models import Q

from accounts.models import Application


def application_named(name: str, hint: str = "") -> Application:
    """Return the application of this slug or id. Raises CommandError, with the hint."""
    try:
        condition = Q(pk=UUID(name))
    except ValueError:
        condition = Q(slug=name)
    application = Application.objects.filter(condition).first()
    if application is None:
        raise CommandError(" ".join(filter(None, (f"There is no application {name!r}.", hint))))
    return application


def user_named(name: str) -> User:
    """Return a person by username. Raises CommandError."""
    user = User.objects.filter(username=name).first()
    if user is None:
        raise CommandError(f"There is no user named {name!r}.")
    return user
