"""`manage.py initialize`: creates the application, key and log-in that WATCHDOG_INIT_… name."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from operations.backup import OperationError
from operations.initialize import initialize


class Command(BaseCommand):
    """Creates what is missing; a second run changes nothing."""

    help = "Create the first application, key and administrator from WATCHDOG_INIT_… variables."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            created = initialize(
                application=settings.INIT_APPLICATION,
                key=settings.INIT_KEY,
                email=settings.INIT_ADMIN_EMAIL,
                password=settings.INIT_ADMIN_PASSWORD,
            )
        except OperationError as error:
            raise CommandError(str(error)) from error
        for line in created or ["nothing: all that the variables name is there"]:
            self.stdout.write(f"created {line}" if created else line)
