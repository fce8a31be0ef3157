"""`manage.py evidence_pack`: writes the evidence pack of a period as signed files."""

from argparse import ArgumentParser
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.management.applications import application_named
from operations.evidence import MEDIA_TYPES, Period, PeriodRefused, export_pack, month_before


class Command(BaseCommand):
    help = "Writes the evidence pack of an application as PDF, JSON and CSV; by default last month."

    def add_arguments(self, parser: ArgumentParser) -> None:
        first, last = month_before(timezone.now().date())
        parser.add_argument("application", help="slug or id")
        parser.add_argument("--first", type=date.fromisoformat, default=first)
        parser.add_argument("--last", type=date.fromisoformat, default=last)
        parser.add_argument("--out", type=Path, default=Path(), help="a folder; default: here")

    def handle(self, *args: Any, **options: Any) -> None:
        application = application_named(options["application"])
        try:
            period = Period(application, options["first"], options["last"])
        except PeriodRefused as error:
            raise CommandError(str(error)) from error
        for format_, pack in export_pack(period, list(MEDIA_TYPES), by="manage.py").items():
            file = options["out"] / f"{period.name}.{format_}"
            try:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(pack)
            except OSError as error:
                raise CommandError(f"{file} cannot be written: {error.strerror}.") from error
            self.stdout.write(str(file))
