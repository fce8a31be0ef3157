"""`manage.py bench_months`: erasing a month of made-up checks, and checks in partitions."""

from argparse import ArgumentParser
from typing import IO, Any, cast

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.table import Table

from analysis.models import Check
from evaluation.bench import machine, months


class Command(BaseCommand):
    """Erases for good: only in a database of made-up checks (`manage.py seed_desk`)."""

    help = "Measure what erasing a month takes and gives back, and what partitions of checks cost."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Of what size."""
        parser.add_argument("--months", type=int, default=36, help="of the copy; 0: make none")
        parser.add_argument("--most", type=int, help="checks to erase; the whole month without it")
        parser.add_argument("--times", type=int, default=20, help="each statement is run")

    def handle(self, *args: Any, **options: Any) -> None:
        """Ask, then erase, then print."""
        if Check.objects.exclude(submitted_by__in=("seed", "manage.py seed_desk")).exists():
            raise CommandError("Not all checks here are made up: nothing is erased.")
        try:
            low, high = months.oldest_month()
        except LookupError as problem:
            raise CommandError(str(problem)) from problem
        out = Console(file=cast(IO[str], self.stdout), width=140)
        if options["months"]:
            out.print(_costs_table(months.by_month(options["months"], options["times"])))
        stages, speed = machine.around(lambda: list(months.erase_month(low, high, options["most"])))
        out.print(_stages_table(stages))
        out.print(str(speed), highlight=False, soft_wrap=True)


def _costs_table(costs: list[months.StatementCost]) -> Table:
    table = Table(title="Statements on checks", title_justify="left")
    for heading in ("statement", "partitions", "planning ms", "execution ms", "locks"):
        table.add_column(heading, justify="left" if heading == "statement" else "right")
    for row in costs:
        times = f"{row.planning_ms:.2f}", f"{row.execution_ms:.2f}"
        table.add_row(row.statement, str(row.months or "none"), *times, str(row.locks))
    return table


def _stages_table(stages: list[months.Stage]) -> Table:
    table = Table(title="A month, in MB", title_justify="left")
    table.add_column("after")
    for heading in ("s", "database CPU s", *(name.partition("_")[2] for name in months.WATCHED)):
        table.add_column(heading, justify="right")
    for stage in stages:
        database = "" if stage.database_seconds is None else f"{stage.database_seconds:.1f}"
        sizes = (f"{stage.megabytes[name]:,.1f}" for name in months.WATCHED)
        table.add_row(stage.name, f"{stage.seconds:.1f}", database, *sizes)
    return table
