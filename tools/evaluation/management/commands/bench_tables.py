"""`manage.py bench_tables` (`make bench-tables`): times the same pages with few and many checks."""

import json
import os
from argparse import ArgumentParser
from typing import IO, Any, cast

from django.core.management.base import BaseCommand
from rich.console import Console

from tools.evaluation.bench import compared
from tools.evaluation.bench.machine import Speed

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
        sizes = [compared.measure_size(url, checks, arguments) for checks in options["checks"]]
        if options["paint"]:
            for checks in options["checks"]:
                self.stderr.write(f"{checks:,} checks, in Chromium:")
                self.stderr.write(compared.paint(url, checks, options["times"]))
        if options["json"]:
            self.stdout.write(json.dumps(sizes))
            return
        out = Console(file=cast(IO[str], self.stdout), width=90 + 40 * len(sizes))
        out.print(compared.pages_table(sizes))
        for size in sizes:
            out.print(compared.storage_table(size))
            out.print(str(Speed(**size["machine"])), highlight=False, soft_wrap=True)
