"""`manage.py verify_record FILE`: compares a decision record with signature and database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.management.trails import add_key_argument, trusted
from analysis.records.document import RecordError
from analysis.selectors.records import verify_file


class Command(BaseCommand):
    """Prints what was verified; fails if anything does not hold."""

    help = (
        "Verify a decision record (JSON or PDF): digests, signature, and where this database holds "
        "the check, equality with what is stored and with the decision made again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--offline", action="store_true", help="do not use the database")
        add_key_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        keys = trusted(options["public_key"])
        try:
            data = options["file"].read_bytes()
            findings = list(verify_file(data, keys, lambda _: not options["offline"]))
        except OSError as error:
            message = f"{options['file']} cannot be read: {error.strerror}."
            raise CommandError(message) from error
        except RecordError as error:
            raise CommandError(f"{options['file']}: {error}") from error
        for finding in findings:
            mark = "ok  " if finding.holds else "FAIL"
            self.stdout.write(
                f"{mark} {finding.what}{f' ({finding.text})' if finding.text else ''}"
            )
        if not any(finding.what.startswith("stored") for finding in findings):
            self.stdout.write(
                "Only digests and signatures were verified; nothing was compared with a database."
            )
        wrong = [finding.what for finding in findings if not finding.holds]
        if wrong:
            raise CommandError(f"The record is not valid: {', '.join(wrong)}.")
