"""`manage.py bench_paint`: measures what the main pages cost a browser with what is stored."""

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from tools.evaluation.bench import paint
from tools.evaluation.bench.machine import Speed, loop_seconds
from tools.evaluation.bench.pages import DASHBOARD, pages, somebody

PAGES = {"Home": "home", "Check": "check", "Workbench": "workbench: one item"}


class Command(BaseCommand):
    """Fill the database first (`seed_desk`); Chromium and Playwright are developers' tools."""

    help = "Measure first paint, layout shift and bytes of the main pages in Chromium."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--times", type=int, default=5, help="for each page")
        parser.add_argument("--port", type=int, default=8765)

    def handle(self, *args: Any, **options: Any) -> None:
        # Playwright runs an event loop in this thread, in which Django refuses queries.
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
        call_command("collectstatic", interactive=False, verbosity=0)
        addresses = {page.name: page.address for page in pages()}
        if missing := [name for name in PAGES.values() if name not in addresses]:
            raise CommandError(f"Nothing is stored for {', '.join(missing)}: see seed_desk.")
        paths = {title: addresses[name] for title, name in PAGES.items()}
        before = loop_seconds()
        with paint.web(options["port"]) as url:
            figures = paint.median_figures(
                url, somebody(), paths | {"Dashboard": DASHBOARD}, options["times"]
            )
        for line in (
            *paint.HEAD,
            *(figure.row() for figure in figures),
            str(Speed(before, loop_seconds())),
        ):
            self.stdout.write(line)
