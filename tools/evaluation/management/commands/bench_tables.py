"""`manage.py bench_tables` (`make bench-tables`): times pages and a replay on many checks."""

import os
from argparse import ArgumentParser
from collections.abc import Iterator
from time import perf_counter
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils import timezone

from accounts.models import Application
from analysis.engine.policy import PRESETS
from analysis.management.progress import progress
from analysis.models import Check
from desk.dashboard.services.topics import make_topics
from desk.policies.selectors.replaying import ReplaySelection, replay, select
from desk.reviews.services.decision_days import close_days
from tools.evaluation.bench import desk, machine, service
from tools.evaluation.bench.pages import DASHBOARD, LARGEST, BenchPage, pages, somebody
from tools.evaluation.rendering import console_on, figures_table, markdown_head, markdown_row

_CLEAN = """
SELECT gin_clean_pending_list(indexrelid)
FROM pg_partition_tree('analysis_checksearch') AS part
JOIN pg_index ON indrelid = relid
JOIN pg_class AS index ON index.oid = indexrelid
JOIN pg_am ON pg_am.oid = index.relam
WHERE isleaf AND amname = 'gin'
"""
"""Merge the pending inserts into the full-text index."""
_PAGE_HEADINGS = ("page", "aim ms", "p50 ms", "p95 ms", "database ms", "queries", "rows read")
_STORAGE_HEADINGS = ("table", "MB", "of it indexes", "rows a check", "bytes a check")
_MEGABYTE = 1_000_000
_MOST_TABLES = 15
_REPLAYED = 10_000
_PRESET = "conservative"
_PAINTED = {"Home": "home", "Check": "check", "Workbench": "workbench: one item"}


class Command(BaseCommand):
    """Measures what is stored; an empty database is filled first (`seed_desk`)."""

    help = (
        "Measure desk, dashboard, trail, API and replay, by default with 1,000,000 made-up checks."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--checks", type=int, default=1_000_000, help="of an empty database")
        parser.add_argument("--result-days", type=int, help="of an empty database: see seed_desk")
        parser.add_argument("--times", type=int, default=5, help="for each page")
        parser.add_argument("--paint", action="store_true", help="the main pages in Chromium, too")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["paint"]:
            call_command("collectstatic", interactive=False, verbosity=0)
        if not Check.objects.exists():
            call_command(
                "seed_desk",
                checks=options["checks"],
                result_days=options["result_days"],
                stdout=self.stderr,
            )
        every = list(pages())
        self._make_searchable()
        close_days(timezone.now())
        make_topics()
        before = machine.loop_seconds()
        with progress("Pages", len(every)) as advance:
            timed = []
            for page in every:
                timed.append(desk.timed(page, options["times"]))
                advance()
        out = console_on(self.stdout, 160)
        checks = Check.objects.count()
        title = f"Pages at {checks:,} checks"
        out.print(figures_table(title, _PAGE_HEADINGS, map(_page_cells, timed)))
        cells = _storage_cells(desk.table_sizes(), checks)
        out.print(figures_table(f"Storage at {checks:,} checks", _STORAGE_HEADINGS, cells))
        self.stdout.write(_replayed())
        if options["paint"]:
            for line in _painted(every, options["times"]):
                self.stdout.write(line)
        self.stdout.write(str(machine.Speed(before, machine.loop_seconds())))

    def _make_searchable(self) -> None:
        indexed = 0
        for some in desk.make_searchable():
            indexed += some
            self.stderr.write(f"{indexed:,} checks made searchable", ending="\r")
        if indexed:
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE analysis_checksearch")
                cursor.execute(_CLEAN)


def _page_cells(page: desk.Timed) -> tuple[str, ...]:
    database = "" if page.database is None else f"{page.database:.0f}"
    times = (f"{page.page.limit_ms:.0f}", f"{page.p50:.0f}", f"{page.p95:.0f}", database)
    return (page.page.name, *times, str(page.queries), str(page.most_read))


def _storage_cells(tables: list[desk.TableSize], checks: int) -> Iterator[tuple[str, ...]]:
    """Yield the largest tables, and all together: megabytes, and rows and bytes for each check."""
    for table in tables[:_MOST_TABLES]:
        yield (
            table.table,
            f"{table.total / _MEGABYTE:,.0f}",
            f"{table.indexes / _MEGABYTE:,.0f}",
            f"{table.rows / checks:.2f}",
            f"{table.total / checks:,.0f}",
        )
    total = sum(table.total for table in tables)
    yield ("all", f"{total / _MEGABYTE:,.0f}", "", "", f"{total / checks:,.0f}")


def _replayed() -> str:
    """Replay the newest checks of the largest application, and say how long it took."""
    application = Application.objects.filter(slug=LARGEST).first() or Application.objects.first()
    if application is None:
        raise CommandError("There is no application in this database.")
    selection = select(application.pk, ReplaySelection(sample=_REPLAYED))
    backend = machine.backend()
    began, own, others = perf_counter(), _processor_seconds(), machine.processor(backend)
    result = replay(selection.ids, PRESETS[_PRESET])
    wall, spent = perf_counter() - began, _processor_seconds() - own
    after = machine.processor(backend)
    database = "unknown" if after is None or others is None else f"{after - others:.2f} s"
    return (
        f"{result.replayed:,} checks replayed under {_PRESET} in {wall:.2f} s; processor: "
        f"{spent:.2f} s deciding, {database} in the database. {result.changes:,} actions change."
    )


def _processor_seconds() -> float:
    """Return the processor seconds of this process and of its children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _painted(every: list[BenchPage], times: int) -> Iterator[str]:
    """Yield a table of first paint, layout shift and bytes of the main pages in Chromium."""
    from tools.evaluation.bench import paint  # noqa: PLC0415 - Playwright is a developer's tool

    # Playwright runs an event loop in this thread, in which Django refuses queries.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    addresses = {page.name: page.address for page in every}
    if missing := [name for name in _PAINTED.values() if name not in addresses]:
        raise CommandError(f"Nothing is stored for {', '.join(missing)}: see seed_desk.")
    paths = {title: addresses[name] for title, name in _PAINTED.items()} | {"Dashboard": DASHBOARD}
    as_in_production = {"DJANGO_SETTINGS_MODULE": "watchdog_site.settings"}
    with service.running(["web"], "/healthz", as_in_production) as stack:
        figures = paint.median_figures(stack.url, somebody(), paths, times)
    yield markdown_head(paint.HEADINGS)
    yield from (markdown_row(figure.cells) for figure in figures)
