"""`manage.py export_heads`: writes the signed heads of the trail, to be kept elsewhere."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from audit.heads import heads_document
from audit.models import Event
from audit.seals import seal_trail
from audit.services import append_named


class Command(BaseCommand):
    """Seals first, so that the heads cover everything up to now."""

    help = "Write the signed heads of all chains. Store the file away from this database."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--out", type=Path, help="file; default: standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        append_named(
            Event.HEADS_EXPORTED, subject_type="trail", subject_id="heads",
            by="manage.py export_heads",
        )  # fmt: skip
        seal_trail(seconds=3_600)
        text = json.dumps(heads_document(), indent=2) + "\n"
        if options["out"] is None:
            self.stdout.write(text, ending="")
            return
        try:
            options["out"].write_text(text, encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{options['out']} cannot be written: {error.strerror}.") from error
        self.stdout.write(f"Written to {options['out']}.")
