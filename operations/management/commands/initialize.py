"""`manage.py initialize`: the first application, key and log-in, for a start without a shell.

Each is created where WATCHDOG_INIT_… names it and it is missing, and then left as it is, so that
every start may ask for it.
"""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email
from django.db import transaction
from django.utils.text import slugify

from accounts import keys
from accounts.models import ApiKey, Application
from accounts.services import create_api_key, create_application
from audit.models import Event
from audit.services import append

BY = "initialize"
_KEY_NAME = "first key"


class Command(BaseCommand):
    """Creates what is missing; a second run changes nothing."""

    help = "Create the first application, key and administrator from WATCHDOG_INIT_… variables."

    def handle(self, *args: Any, **options: Any) -> None:
        application, key = settings.INIT_APPLICATION, settings.INIT_KEY
        email, password = settings.INIT_ADMIN_EMAIL, settings.INIT_ADMIN_PASSWORD
        if key and not application:
            raise CommandError(
                "WATCHDOG_INIT_KEY needs WATCHDOG_INIT_APPLICATION, whose key it is."
            )
        if bool(email) != bool(password):
            raise CommandError(
                "Set WATCHDOG_INIT_ADMIN_EMAIL and WATCHDOG_INIT_ADMIN_PASSWORD, or neither."
            )
        with transaction.atomic():
            lines = [f"created {line}" for line in _create(application, key, email, password)]
        for line in lines or ["nothing: all that the variables name is there"]:
            self.stdout.write(line)


def _create(application: str, key: str, email: str, password: str) -> Iterator[str]:
    admin = None
    if email:
        admin = User.objects.filter(username=email).first()
        if admin is None:
            admin = User(username=email, email=email, is_staff=True, is_superuser=True)
            try:
                validate_email(email)
                validate_password(password, admin)
            except ValidationError as error:
                raise CommandError(f"WATCHDOG_INIT_ADMIN_…: {' '.join(error.messages)}") from error
            admin.set_password(password)
            admin.save()
            append(Event.USER_CREATED, subject=admin, by=BY)
            yield f"administrator {email}"
    if application:
        slug = slugify(application)[:60]
        if not slug:
            raise CommandError("WATCHDOG_INIT_APPLICATION has no letter or digit.")
        owned = Application.objects.filter(slug=slug).first()
        if owned is None:
            owned = create_application(name=application, slug=slug, by=BY)
            yield f"application {slug}"
        if key and _create_key(owned, key, admin):
            yield f"key of {slug}"


def _create_key(application: Application, token: str, owner: User | None) -> bool:
    """Create the key; return False if it exists, even if it was revoked since."""
    try:
        material = keys.read_key(token)
    except ValueError as error:
        raise CommandError(f"WATCHDOG_INIT_KEY: {error}") from error
    existing = ApiKey.objects.filter(prefix=material.prefix).first()
    if existing is None:
        create_api_key(
            application=application, name=_KEY_NAME, by=BY, owner=owner, material=material
        )
        return True
    if (
        existing.secret_sha256 != material.secret_sha256
        or existing.application_id != application.pk
    ):
        raise CommandError("WATCHDOG_INIT_KEY begins like another key: make a new one.")
    return False
