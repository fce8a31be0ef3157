"""`manage.py backup FILE`: writes everything that must not be lost into one file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from operations.backup import SECRETS, OperationError, write_backup


class Command(BaseCommand):
    help = "Back up the database and the heads of the trail into one new file (mode 600)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--with-keys",
            action="store_true",
            help="also SECRET_KEY, TRAIL_SIGNING_KEY and WEBHOOK_KEY: whoever has the file can "
            "then sign as this installation",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            manifest = write_backup(options["file"], with_keys=options["with_keys"])
        except (OperationError, OSError) as error:
            raise CommandError(str(error)) from error
        size = options["file"].stat().st_size / 1e6
        self.stdout.write(
            f"{options['file']}: {size:.1f} MB, {manifest.checks} checks, "
            f"{manifest.trail_entries} entries of the trail."
        )
        if not options["with_keys"]:
            self.stdout.write(f"{', '.join(SECRETS)} are not in it: keep them elsewhere.")
