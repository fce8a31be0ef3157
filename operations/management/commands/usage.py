"""`manage.py usage`: writes each application's usage by day as CSV."""

import csv
from argparse import ArgumentParser, ArgumentTypeError
from dataclasses import asdict
from datetime import date, timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from accounts.management.applications import application_named
from accounts.models import Application
from analysis.selectors.usage import COLUMNS, usage_of


class Command(BaseCommand):
    help = "Checks and claims of each application by day (UTC), as CSV."

    def add_arguments(self, parser: ArgumentParser) -> None:
        today = timezone.now().date()
        parser.add_argument("--first", type=_day, default=today - timedelta(days=29))
        parser.add_argument("--last", type=_day, default=today)
        parser.add_argument("--application", help="slug or id; without it all")

    def handle(self, *args: Any, **options: Any) -> None:
        applications = list(Application.objects.order_by("slug"))
        if options["application"]:
            applications = [application_named(options["application"])]
        writer = csv.DictWriter(self.stdout, ("application", *COLUMNS), lineterminator="\n")
        writer.writeheader()
        for application in applications:
            for day_usage in usage_of(application.pk, options["first"], options["last"]):
                writer.writerow({"application": application.slug} | asdict(day_usage))


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise ArgumentTypeError(f"{text!r} is no day; write 2026-11-30") from error
