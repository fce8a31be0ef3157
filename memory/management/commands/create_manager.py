"""`manage.py create_manager NAME --user LOGIN`: creates a site manager who can log in."""

import json
import secrets
from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import IntegrityError, transaction

from accounts.management.applications import application_named
from accounts.models import Application
from memory.models import Manager
from memory.services.managers import change_manager, create_manager

_BY = "manage.py"


class Command(BaseCommand):
    help = "Create a site manager of an application, with a log-in for the assistant's page."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--application", default="demo", help="slug; default: demo")
        parser.add_argument("--user", help="log-in; made with a new password where there is none")

    def handle(self, *args: Any, **options: Any) -> None:
        application = application_named(options["application"])
        try:
            with transaction.atomic():
                manager = _make_manager(application, options["name"], options["user"])
        except (IntegrityError, ValidationError) as error:
            raise CommandError(
                "The manager has a log-in already, or the log-in stands for another manager of "
                "this application, or it is no valid name."
            ) from error
        self.stdout.write(json.dumps(manager))


def _make_manager(application: Application, name: str, login: str | None) -> dict[str, str]:
    user, password = _log_in(login) if login else (None, "")
    manager = Manager.objects.filter(application=application, name=name).first()
    if manager is None:
        manager = create_manager(application=application, name=name, user=user, by=_BY)
    elif user is None or manager.user_id is not None:
        raise ValidationError("known")
    else:
        manager.user = user
        change_manager(manager=manager, by=_BY)
    details = {"id": str(manager.pk), "name": manager.name, "user": login or ""}
    return details | ({"password": password} if password else {})


def _log_in(login: str) -> tuple[User, str]:
    """Return the user of this name; a new one with its password."""
    user = User.objects.filter(username=login).first()
    if user is not None:
        return user, ""
    password = secrets.token_urlsafe(12)
    user = User(username=login)
    user.set_password(password)
    user.full_clean()
    user.save()
    return user, password
