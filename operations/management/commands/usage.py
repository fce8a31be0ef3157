"""`manage.py usage`: what each application has used, by day, as CSV."""

import csv
from argparse import ArgumentParser
from dataclasses import asdict
from datetime import date, timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from accounts.models import Application
from analysis.selectors.usage import COLUMNS, usage_of


class Command(BaseCommand):
    """Prints a line for each application and day."""

    help = "Checks and claims of each application by day (UTC), as CSV."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which days and application."""
        today = timezone.now().date()
        parser.add_argument("--first", type=date.fromisoformat, default=today - timedelta(days=29))
        parser.add_argument("--last", type=date.fromisoformat, default=today)
        parser.add_argument("--application", help="slug; without it all")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print."""
        applications = Application.objects.order_by("slug")
        if options["application"]:
            applications = applications.filter(slug=options["application"])
        writer = csv.DictWriter(self.stdout, ("application", *COLUMNS), lineterminator="\n")
        writer.writeheader()
        for application in applications:
            for day_usage in usage_of(application.pk, options["first"], options["last"]):
                writer.writerow({"application": application.slug} | asdict(day_usage))
