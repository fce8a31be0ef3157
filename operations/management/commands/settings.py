"""`manage.py settings`: prints the value of each setting and where it came from."""

import importlib
import json
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from lib.environment import READ, Setting


class Command(BaseCommand):
    """Prints a line for each setting; those that differ from their default come first."""

    help = "Show the settings in force and where each came from; secrets are hidden."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--changed", action="store_true", help="only what is not the default")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        # The web server reads its own before Django's; the command that serves is not this one.
        importlib.import_module("watchdog_site.gunicorn_conf")
        ordered = sorted(READ.values(), key=lambda each: (each.source == "default", each.name))
        entries = [s for s in ordered if s.source != "default" or not options["changed"]]
        if options["json"]:
            rows = [{"name": s.name, "value": s.text, "source": _source(s)} for s in entries]
            self.stdout.write(json.dumps(rows, indent=1))
            return
        width = max((len(each.name) for each in entries), default=0)
        for each in entries:
            self.stdout.write(f"{each.name:{width}}  {each.text}  [{_source(each)}]")


def _source(setting: Setting) -> str:
    """Return `.env` for a variable set by a line of that file, which `make` exports."""
    file = settings.BASE_DIR / ".env"
    if setting.source == "environment" and file.exists():
        lines = (line.strip().removeprefix("export ") for line in file.read_text().splitlines())
        if any(line.partition("=")[0].strip() == setting.name for line in lines):
            return ".env"
    return setting.source
