"""`manage.py create_application NAME`: creates a tenant."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.text import slugify

from accounts.models import Application
from accounts.services import create_application


class Command(BaseCommand):
    """Creates an application and prints its id and slug as JSON."""

    help = "Create an application (a REST client of WATCHDOG)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add NAME, and optionally the slug used in commands and URLs."""
        parser.add_argument("name")
        parser.add_argument("--slug", help="short name; default: made from NAME")
        parser.add_argument(
            "--if-missing", action="store_true", help="do nothing if the slug exists"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        slug = options["slug"] or slugify(options["name"])[:60]
        if not slug:
            raise CommandError("No slug can be derived from that name: add --slug.")
        application = Application.objects.filter(slug=slug).first()
        if application and not options["if_missing"]:
            raise CommandError(
                f"An application with the slug {slug!r} already exists. Choose another --slug."
            )
        if application is None:
            application = create_application(name=options["name"], slug=slug, by="manage.py")
        self.stdout.write(json.dumps({"id": str(application.id), "slug": application.slug}))
