"""`manage.py bench_desk` (`make bench-desk`): how long the pages of the desk take."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import IO, Any, cast

from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection
from django.utils import timezone
from rich.console import Console
from rich.table import Table

from analysis.management.progress import progress
from analysis.services.searching import write_words
from dashboard.services.topics import make_topics
from evaluation.bench import desk, machine
from reviews.services.decided import close_days


class Command(BaseCommand):
    """Seeds the database where it is empty, then asks for each page several times."""

    help = "Measure lists, searches and dashboard, by default with 1,000,000 made-up checks."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How many checks, how often."""
        parser.add_argument("--checks", type=int, default=1_000_000, help="of an empty database")
        parser.add_argument("--times", type=int, default=10, help="for each page")
        parser.add_argument("--only", default="", help="pages whose name holds this word")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        """Fill, index, measure, print."""
        if not desk.is_filled():
            call_command("seed_desk", checks=options["checks"])
        found = [page for page in desk.pages() if options["only"] in page.name]
        if any(page.name.startswith("search") for page in found):
            self._make_searchable()
        close_days(timezone.now())
        make_topics()
        timed, speed = machine.around(lambda: self._all(found, options["times"]))
        if options["json"]:
            rows = [asdict(one) for one in timed]
            told = {"checks": desk.stored(), "machine": asdict(speed), "pages": rows}
            self.stdout.write(json.dumps(told))
            return
        out = Console(file=cast(IO[str], self.stdout), width=110)
        out.print(_table(timed, desk.stored()))
        out.print(str(speed), highlight=False, soft_wrap=True)

    def _make_searchable(self) -> None:
        indexed = 0
        for some in desk.make_searchable(write_words):
            indexed += some
            self.stderr.write(f"{indexed:,} checks made searchable", ending="\r")
        if indexed:
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE analysis_checksearch")
                cursor.execute("SELECT gin_clean_pending_list('check_search_words')")

    def _all(self, pages: list[desk.Page], times: int) -> list[desk.Timed]:
        with progress("Pages", len(pages)) as advance:
            return [self._timed(page, times, advance) for page in pages]

    def _timed(self, page: desk.Page, times: int, advance: Any) -> desk.Timed:
        found = desk.timed(page, times)
        advance()
        return found


def _table(timed: list[desk.Timed], checks: int) -> Table:
    table = Table(title=f"Pages of the desk with {checks:,} checks", title_justify="left")
    table.add_column("page")
    headings = ("first ms", "p50 ms", "p95 ms", "own CPU ms", "database CPU ms", "aim ms", "kept")
    for heading in headings:
        table.add_column(heading, justify="right")
    for one in timed:
        kept = "yes" if one.p95 <= one.page.limit_ms else "NO"
        found = (one.first, one.p50, one.p95, one.cpu, one.database, one.page.limit_ms)
        told = ("" if value is None else f"{value:.0f}" for value in found)
        table.add_row(one.page.name, *told, kept)
    return table
