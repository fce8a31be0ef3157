"""`manage.py seed_desk`: makes many finished checks with reviews and trends, for benchmarks."""

from argparse import ArgumentParser
from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeElapsedColumn

from analysis.models import Check
from tools.evaluation.bench import seeding


class Command(BaseCommand):
    """Only for a database without checks; as its superuser, since it bypasses the triggers."""

    help = "Fill an empty database with made-up checks; never one that is in use."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--checks", type=int, default=1_000_000)
        parser.add_argument("--days", type=int, default=400, help="over which they are spread")
        parser.add_argument("--templates", type=int, default=120, help="really checked, a preset")
        parser.add_argument(
            "--result-days", type=int, help="older ones have no result, as retention leaves them"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if Check.objects.exists():
            raise CommandError("There are checks in this database: seed an empty one.")
        plan = seeding.SeedPlan(
            options["checks"], options["days"], options["templates"], timezone.now(),
            options["result_days"],
        )  # fmt: skip
        took: dict[str, float] = {}
        columns = (*Progress.get_default_columns()[:3], MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=Console(stderr=True)) as progress:
            for name, total, steps in (
                ("checking templates", 3 * plan.templates, seeding.prepare(plan)),
                ("copying checks, building indexes", plan.checks, seeding.copy(plan)),
                ("counting trends", plan.checks, seeding.count()),
            ):
                began, task = perf_counter(), progress.add_task(name, total=total)
                for step in steps:
                    progress.advance(task, step)
                took[name] = perf_counter() - began
        began = perf_counter()
        seeding.tidy()
        took["vacuum, analyze"] = perf_counter() - began
        for name, seconds in took.items():
            self.stdout.write(f"{name}: {seconds:,.0f} s")
