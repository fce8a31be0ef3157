"""`manage.py doctor`: diagnoses this installation, with remedies."""

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from operations.doctor import Level, examine, worst_level

_MARKS = {Level.OK: "ok     ", Level.WARNING: "warning", Level.ERROR: "ERROR  "}


class Command(BaseCommand):
    """Prints a line for each finding; exits with 1 if one is an error."""

    help = "Examine the installation: machine, settings, servers, models, queue, mail, webhooks."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        findings = list(examine())
        if options["json"]:
            rows = [asdict(each) | {"level": each.level.name.lower()} for each in findings]
            self.stdout.write(json.dumps(rows, indent=1))
        else:
            for finding in findings:
                self.stdout.write(f"{_MARKS[finding.level]}  {finding.part}: {finding.text}")
                if finding.remedy:
                    self.stdout.write(f"         → {finding.remedy}")
        if worst_level(findings) is Level.ERROR:
            sys.exit(1)
