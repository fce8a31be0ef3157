"""`manage.py evaluate_injection PATH`: recall and false positives of the injection scan."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console

from evaluation.injection import rates
from evaluation.management.labelled import tell_skipped


class Command(BaseCommand):
    """Prints n, rate and 95 % interval of each set, on the tune and on the report half."""

    help = "Measure the prompt-injection scan on a folder with injection/ and documents/."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        rates.add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        halves = [options["half"]] if options["half"] else tuple(rates.HALVES)
        skipped: list[str] = []
        try:
            figures = rates.evaluate(options["path"], halves, skipped=skipped)
        except FileNotFoundError as error:
            raise CommandError(str(error)) from error
        tell_skipped(self.stderr, str(options["path"]), skipped)
        if options["json"]:
            self.stdout.write(rates.as_json(figures))
        else:
            rates.show(figures, Console(file=self.stdout, width=120))  # type: ignore[arg-type]
