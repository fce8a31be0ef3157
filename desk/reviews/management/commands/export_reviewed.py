"""`manage.py export_reviewed`: writes reviewers' decisions as a file for `evaluate`."""

import shutil
from argparse import ArgumentParser
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.management.applications import application_named
from analysis.models import CaseUse, Check
from desk.reviews.selectors.reviewed import settling_reviews
from desk.reviews.services.exports import export_reviewed


class Command(BaseCommand):
    """Writes one labelled answer per line; notes each export in the trail."""

    help = (
        "Write reviewed checks as JSONL for `evaluate`: label 1 for confirmed flags and overturned "
        "ALLOWs. The last decision counts; checks with an open review are left out."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--application", action="append", help="slug or id; default: all")
        parser.add_argument("--since", type=_day, help="decided on or after this day (UTC)")
        which = parser.add_mutually_exclusive_group()
        which.add_argument("--sampled", action="store_true", help="only the quality sample")
        which.add_argument("--seeded", action="store_true", help="only seeded cases, so marked")

    def handle(self, *args: Any, **options: Any) -> None:
        slugs = options["application"]
        applications = None if slugs is None else [application_named(item).pk for item in slugs]
        checks = Check.objects.filter(sampled=True) if options["sampled"] else Check.objects.all()
        if options["seeded"]:
            checks = Check.everything.filter(case__use=CaseUse.SEEDED)
        reviews = settling_reviews(checks, applications=applications, since=options["since"])
        file, count = export_reviewed(reviews=reviews, by="manage.py export_reviewed")
        try:
            with file, options["file"].open("wb") as out:
                shutil.copyfileobj(file, out)
        except OSError as error:
            message = f"{options['file']} cannot be written: {error.strerror}."
            raise CommandError(message) from error
        self.stdout.write(f"{count} reviewed checks written to {options['file']}.")


def _day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)
