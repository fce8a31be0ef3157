"""`manage.py reset_second_factor NAME`: for somebody who lost both device and recovery codes."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts import second_factor
from accounts.management.applications import user_named


class Command(BaseCommand):
    """Removes a person's second factor and notes it in the trail."""

    help = "Remove a user's second factor. Verify first who is asking for it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")

    def handle(self, *args: Any, **options: Any) -> None:
        """Remove the devices, or say that there are none."""
        user = user_named(options["username"])
        if not second_factor.remove(user, by="manage.py"):
            raise CommandError(f"{user} has no second factor.")
        self.stdout.write(f"{user} now logs in with the password alone.")
