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
from evaluation.bench import desk, machine, storage
from evaluation.bench.pages import BenchPage, pages
from reviews.services.decision_days import close_days

_CLEAN = """
SELECT gin_clean_pending_list(indexrelid)
FROM pg_partition_tree('analysis_checksearch') AS part
JOIN pg_index ON indrelid = relid
JOIN pg_class AS index ON index.oid = indexrelid
JOIN pg_am ON pg_am.oid = index.relam
WHERE isleaf AND amname = 'gin'
"""
"""What the inserts have left to be sorted into the index of words."""


class Command(BaseCommand):
    """Seeds the database where it is empty, then asks for each page several times."""

    help = "Measure lists, searches and dashboard, by default with 1,000,000 made-up checks."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How many checks, how often."""
        parser.add_argument("--checks", type=int, default=1_000_000, help="of an empty database")
        parser.add_argument("--result-days", type=int, help="of an empty database: see seed_desk")
        parser.add_argument("--times", type=int, default=10, help="for each page")
        parser.add_argument("--only", default="", help="pages whose name holds this word")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        """Fill, index, measure, print."""
        if not desk.is_filled():
            call_command(
                "seed_desk",
                checks=options["checks"],
                result_days=options["result_days"],
                stdout=self.stderr,
            )
        selection = [page for page in pages() if options["only"] in page.name]
        if any(page.name.startswith("search") for page in selection):
            self._make_searchable()
        close_days(timezone.now())
        make_topics()
        timed, speed = machine.around(lambda: self._all(selection, options["times"]))
        if options["json"]:
            tables = [asdict(table) for table in storage.table_sizes()]
            summary = {"checks": desk.check_count(), "machine": asdict(speed), "storage": tables}
            self.stdout.write(json.dumps(summary | {"pages": [_page_json(page) for page in timed]}))
            return
        out = Console(file=cast(IO[str], self.stdout), width=170)
        out.print(_table(timed, desk.check_count()))
        out.print(str(speed), highlight=False, soft_wrap=True)

    def _make_searchable(self) -> None:
        indexed = 0
        for some in desk.make_searchable(write_words):
            indexed += some
            self.stderr.write(f"{indexed:,} checks made searchable", ending="\r")
        if indexed:
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE analysis_checksearch")
                cursor.execute(_CLEAN)

    def _all(self, pages: list[BenchPage], times: int) -> list[desk.Timed]:
        with progress("Pages", len(pages)) as advance:
            return [self._timed(page, times, advance) for page in pages]

    def _timed(self, page: BenchPage, times: int, advance: Any) -> desk.Timed:
        timed = desk.timed(page, times)
        advance()
        return timed


def _page_json(page: desk.Timed) -> dict[str, Any]:
    data = asdict(page)
    del data["page"]["key"]
    return data


def _table(timed: list[desk.Timed], checks: int) -> Table:
    table = Table(title=f"Pages of the desk with {checks:,} checks", title_justify="left")
    table.add_column("page")
    headings = (
        "first ms", "p50 ms", "p95 ms", "own CPU ms", "database CPU ms", "aim ms", "kept",
        "queries", "reads most",
    )  # fmt: skip
    for heading in headings:
        table.add_column(heading, justify="right")
    for item in timed:
        within_limit = "yes" if item.p95 <= item.page.limit_ms else "NO"
        figures = (item.first, item.p50, item.p95, item.cpu, item.database, item.page.limit_ms)
        cells = ("" if value is None else f"{value:.0f}" for value in figures)
        table.add_row(item.page.name, *cells, within_limit, str(item.queries), str(item.most_read))
    return table
