"""`manage.py create_api_key SLUG`: creates a key for an application, printed once."""

import json
from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.management.applications import application_named, user_named
from accounts.models import DEFAULT_SCOPES, Scope
from accounts.services import create_api_key


class Command(BaseCommand):
    """Creates an API key; its token is shown now and never again."""

    help = "Create an API key for an application. The key is printed once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("application", help="slug of the application")
        parser.add_argument("--name", default="key", help="what the key is for")
        parser.add_argument(
            "--scope",
            action="append",
            choices=Scope.values,
            help="repeatable; default: read and submit checks and documents, read policies",
        )
        parser.add_argument("--expires-in-days", type=float, help="lifetime; default: unlimited")
        parser.add_argument("--owner", help="username of the person responsible for the key")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        hint = "Create one with `manage.py create_application NAME`."
        application = application_named(options["application"], hint)
        days = options["expires_in_days"]
        if days is not None and days <= 0:
            raise CommandError("--expires-in-days must be above 0.")
        key, token = create_api_key(
            application=application,
            name=options["name"],
            scopes=[Scope(scope) for scope in options["scope"] or DEFAULT_SCOPES],
            expires_at=timezone.now() + timedelta(days=days) if days else None,
            owner=user_named(options["owner"]) if options["owner"] else None,
            by="manage.py",
        )
        if options["json"]:
            self.stdout.write(json.dumps({"key": token, "prefix": key.prefix}))
        else:
            self.stdout.write(f"{token}\n(shown only once; keep it safe)")
