"""`manage.py bench_tables` (`make bench-tables`): times the same pages with few and many checks."""

import json
import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, cast
from urllib.parse import urlsplit

import psycopg2
from django.core.management.base import BaseCommand
from psycopg2 import sql
from rich.console import Console
from rich.table import Table

from tools.evaluation.bench.machine import Speed
from tools.evaluation.rendering import figures_table

# Compares several sizes of database: tables of what was measured on each.

MANAGE = Path(__file__).resolve().parents[4] / "manage.py"
_MEGABYTE = 1_000_000

Measured = Mapping[str, Any]
"""The output of `manage.py bench_desk`."""


def measure_size(url: str, checks: int, arguments: Sequence[str]) -> Measured:
    """Make the database for so many checks beside that of `url`, if it is missing, and measure it.

    Raises CalledProcessError where a command fails there.
    """
    address = urlsplit(url)
    name = f"{address.path.lstrip('/')}_{checks}"
    create(url, name)
    environment = {**os.environ, "DATABASE_URL": address._replace(path=f"/{name}").geturl()}
    _call(["migrate", "--noinput", "--verbosity", "0"], environment)
    output = _call(["bench_desk", "--checks", str(checks), *arguments], environment)
    figures: Measured = json.loads(output.splitlines()[-1])
    return figures


def paint(url: str, checks: int, times: int) -> str:
    """Return what `manage.py bench_paint` prints for the database that `measure_size` has made.

    With static files as they are served in production: compressed, under names with their digest.
    """
    address = urlsplit(url)
    database = address._replace(path=f"{address.path}_{checks}").geturl()
    environment = {**os.environ, "DATABASE_URL": database}
    environment.pop("STATIC_FROM_SOURCE", None)
    return _call(["bench_paint", "--times", str(times)], environment)


def create(url: str, name: str) -> None:
    """Create an empty database beside that of `url`, unless there is one of this name."""
    connection = psycopg2.connect(url)
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
        if cursor.fetchone() is None:
            cursor.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    connection.close()


def _call(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    command = [sys.executable, str(MANAGE), *arguments]
    process = subprocess.run(  # noqa: S603 - our own command
        command, env=dict(environment), stdout=subprocess.PIPE, text=True, check=True
    )
    return process.stdout


def pages_table(sizes: Sequence[Measured]) -> Table:
    """Return a row for each page: its median, its queries and its largest scan at each size."""
    headings = [
        heading
        for size in sizes
        for heading in (f"{size['checks']:,}: p50 ms", "database CPU ms", "queries", "rows read")
    ]
    by_name = [{row["page"]["name"]: row for row in size["pages"]} for size in sizes]
    rows = []
    for name, row in by_name[0].items():
        cells = (cell for of_page in by_name for cell in _cells(of_page.get(name)))
        rows.append((name, f"{row['page']['limit_ms']:.0f}", *cells))
    return figures_table("Pages by number of checks", ("page", "aim ms", *headings), rows)


def _cells(row: Measured | None) -> tuple[str, str, str, str]:
    if row is None:
        return ("", "", "", "")
    database = "" if row["database"] is None else f"{row['database']:.0f}"
    return (f"{row['p50']:.0f}", database, str(row["queries"]), f"{row['most_read']['rows']:,}")


def storage_table(size: Measured, most: int = 15) -> Table:
    """Return the largest tables of one size: megabytes, and rows and bytes for each check."""
    checks = size["checks"]

    def cells(name: str, total: int, more: tuple[str, str]) -> tuple[str, ...]:
        return (name, f"{total / _MEGABYTE:,.0f}", *more, f"{total / checks:,.0f}")

    rows = [
        cells(
            row["table"],
            row["data"] + row["indexes"],
            (f"{row['indexes'] / _MEGABYTE:,.0f}", f"{row['rows'] / checks:.2f}"),
        )
        for row in size["storage"][:most]
    ]
    total = sum(row["data"] + row["indexes"] for row in size["storage"])
    headings = ("table", "MB", "of it indexes", "rows a check", "bytes a check")
    title = f"Storage at {checks:,} checks"
    return figures_table(title, headings, [*rows, cells("all", total, ("", ""))])


SIZES = [100_000, 1_000_000]


class Command(BaseCommand):
    """Measures each size in a database of its own, on the server that DATABASE_URL names."""

    help = "Measure desk, dashboard, trail and API at several sizes, side by side."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--checks", type=int, nargs="+", default=SIZES)
        parser.add_argument("--result-days", type=int, help="of empty databases: see seed_desk")
        parser.add_argument("--times", type=int, default=5, help="for each page")
        parser.add_argument("--only", default="", help="pages whose name holds this word")
        parser.add_argument("--paint", action="store_true", help="in Chromium, too: bench_paint")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        arguments = ["--times", str(options["times"]), "--only", options["only"]]
        if options["result_days"] is not None:
            arguments += ["--result-days", str(options["result_days"])]
        url = os.environ["DATABASE_URL"]
        sizes = [measure_size(url, checks, arguments) for checks in options["checks"]]
        if options["paint"]:
            for checks in options["checks"]:
                self.stderr.write(f"{checks:,} checks, in Chromium:")
                self.stderr.write(paint(url, checks, options["times"]))
        if options["json"]:
            self.stdout.write(json.dumps(sizes))
            return
        out = Console(file=cast(IO[str], self.stdout), width=90 + 40 * len(sizes))
        out.print(pages_table(sizes))
        for size in sizes:
            out.print(storage_table(size))
            out.print(str(Speed(**size["machine"])), highlight=False, soft_wrap=True)
