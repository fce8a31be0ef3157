"""`manage.py load_probes`: an application's own probes from a file."""

from argparse import ArgumentParser, FileType
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.management.applications import application_named
from analysis.selectors.probes import ProbeFileError, read_probes
from analysis.services.probing import replace_probes


class Command(BaseCommand):
    help = "Replaces an application's own probes by those of a JSONL file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("application", help="slug or id")
        parser.add_argument("file", type=FileType("r", encoding="utf-8"), help="JSONL; - for stdin")

    def handle(self, *args: Any, **options: Any) -> None:
        application = application_named(options["application"])
        try:
            probes = read_probes(options["file"].read())
        except ProbeFileError as error:
            raise CommandError(f"{options['file'].name}: {error}") from error
        replace_probes(application=application, probes=probes, by="manage.py")
        self.stdout.write(f"{application.slug} has {len(probes)} probes of its own.")
