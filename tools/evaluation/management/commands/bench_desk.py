"""`manage.py bench_desk`: times the pages of the desk, as JSON for `bench_tables`."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection
from django.utils import timezone

from analysis.management.progress import progress
from analysis.models import Check
from analysis.services.searching import write_words
from desk.dashboard.services.topics import make_topics
from desk.reviews.services.decision_days import close_days
from tools.evaluation.bench import desk, machine
from tools.evaluation.bench.pages import BenchPage, pages

_CLEAN = """
SELECT gin_clean_pending_list(indexrelid)
FROM pg_partition_tree('analysis_checksearch') AS part
JOIN pg_index ON indrelid = relid
JOIN pg_class AS index ON index.oid = indexrelid
JOIN pg_am ON pg_am.oid = index.relam
WHERE isleaf AND amname = 'gin'
"""
"""Merge the pending inserts into the full-text index."""


class Command(BaseCommand):
    help = "Measure lists, searches and dashboard, by default with 1,000,000 made-up checks."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--checks", type=int, default=1_000_000, help="of an empty database")
        parser.add_argument("--result-days", type=int, help="of an empty database: see seed_desk")
        parser.add_argument("--times", type=int, default=10, help="for each page")
        parser.add_argument("--only", default="", help="pages whose name holds this word")

    def handle(self, *args: Any, **options: Any) -> None:
        if not Check.objects.exists():
            call_command(
                "seed_desk",
                checks=options["checks"],
                result_days=options["result_days"],
                stdout=self.stderr,
            )
        selection = [page for page in pages() if options["only"] in page.name]
        if any(page.name.startswith("search") for page in selection):
            indexed = 0
            for some in desk.make_searchable(write_words):
                indexed += some
                self.stderr.write(f"{indexed:,} checks made searchable", ending="\r")
            if indexed:
                with connection.cursor() as cursor:
                    cursor.execute("ANALYZE analysis_checksearch")
                    cursor.execute(_CLEAN)
        close_days(timezone.now())
        make_topics()
        timed, speed = machine.around(lambda: _all_timed(selection, options["times"]))
        tables = [asdict(table) for table in desk.table_sizes()]
        summary = {"checks": desk.check_count(), "machine": asdict(speed), "storage": tables}
        self.stdout.write(json.dumps(summary | {"pages": [_page_json(page) for page in timed]}))


def _all_timed(pages: list[BenchPage], times: int) -> list[desk.Timed]:
    timed = []
    with progress("Pages", len(pages)) as advance:
        for page in pages:
            timed.append(desk.timed(page, times))
            advance()
    return timed


def _page_json(page: desk.Timed) -> dict[str, Any]:
    data = asdict(page)
    del data["page"]["key"]
    return data
