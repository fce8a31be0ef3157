"""`manage.py load_probes`: loads an application's own probes from a file."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.management.applications import application_named
from analysis.selectors.probes import ProbeFileError, read_probes
from analysis.services.probing import replace_probes


class Command(BaseCommand):
    help = "Replaces an application's own probes by those of a JSONL file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("application", help="slug or id")
        parser.add_argument("file", help="JSONL; - for stdin")

    def handle(self, *args: Any, **options: Any) -> None:
        application = application_named(options["application"])
        name = options["file"]
        try:
            text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
            probes = read_probes(text)
        except (OSError, ProbeFileError) as error:
            raise CommandError(f"{name}: {error}") from error
        replace_probes(application=application, probes=probes, by="manage.py")
        self.stdout.write(f"{application.slug} has {len(probes)} probes of its own.")
