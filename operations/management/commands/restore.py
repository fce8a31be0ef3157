"""`manage.py restore FILE`: restores a backup into an empty database and verifies it."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import Error

from operations.backup import OperationError, restore_backup


class Command(BaseCommand):
    help = "Restore a backup into the empty database of DATABASE_URL and verify it."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            restored = restore_backup(options["file"])
        except (OperationError, OSError, Error) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"Restored the backup of {restored.manifest.made_at}: {restored.checks} checks. "
            f"{restored.sealed_entries} sealed entries of the trail and {restored.decisions} "
            "decisions are what they were. Run `manage.py migrate` for a newer version."
        )
