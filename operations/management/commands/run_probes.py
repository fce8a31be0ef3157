"""`manage.py run_probes`: proves that the guard works, now."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.management.applications import application_named
from accounts.models import Application
from analysis.models import ProbeOutcome
from analysis.selectors.probes import latest_results
from operations.probing import probe_judges, run_probes


class Command(BaseCommand):
    help = "Sends known-good and known-bad answers by every way; status 1 where one did not pass."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--application", help="slug or id; without it all")
        parser.add_argument(
            "--judges", action="store_true", help="also put the probes to each judge, here"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        applications = list(Application.objects.order_by("slug"))
        if options["application"]:
            applications = [application_named(options["application"])]
        started = timezone.now()
        run_probes(applications)
        if options["judges"]:
            probe_judges()
        results = latest_results([application.pk for application in applications], timezone.now())
        results = [result for result in results if result.at >= started]
        for result in results:
            where = result.application.slug if result.application else result.judge
            self.stdout.write(
                f"{where}\t{result.probe}\t{result.way}\t{result.outcome}\t{result.action or '-'}\t"
                f"{result.milliseconds} ms\t{result.detail}".rstrip()
            )
        failures = sum(result.outcome != ProbeOutcome.PASSED for result in results)
        if failures:
            raise CommandError(f"{failures} of {len(results)} probes did not pass.")
