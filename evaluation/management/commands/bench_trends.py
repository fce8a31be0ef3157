"""`manage.py bench_trends`: how long the questions of the trends take on what is stored."""

from argparse import ArgumentParser
from collections.abc import Callable
from datetime import timedelta
from time import perf_counter, process_time
from typing import IO, Any, cast

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.table import Table

from accounts.models import Application
from analysis.models import Check, TrendCell
from analysis.trends.metrics import BY_NAME, Dimension, Grain, length_of
from api.trends import document
from dashboard.selectors.trends import MAX_BUCKETS, BucketRange, TrendQuery, trend
from evaluation.bench import machine
from evaluation.bench.figures import Latency, latency

_DAYS = 30
_MOST = {grain: most * length_of(grain) for grain, most in MAX_BUCKETS.items()}


class Command(BaseCommand):
    """Each kind of question, of one application after another, until its answer is a document.

    `own CPU` is what this process took of it; the rest is the database and waiting for a core.
    """

    help = "Time the queries of the trends on the configured database (see seed_desk)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How often."""
        parser.add_argument("--times", type=int, default=40, help="each question is asked")

    def handle(self, *args: Any, **options: Any) -> None:
        """Ask, then print."""
        newest = Check.objects.order_by("-created_at").values_list("created_at", flat=True).first()
        if newest is None:
            raise CommandError("There are no checks to ask about: see manage.py seed_desk.")
        applications = list(Application.objects.values_list("pk", flat=True))
        out = Console(file=cast(IO[str], self.stdout), width=100)
        out.print(f"{Check.objects.count():,} checks, {TrendCell.objects.count():,} cells")
        table = Table("question", "p50 ms", "p95 ms", "own CPU ms", "n")
        questions = _questions(newest, applications)
        rows, speed = machine.around(
            lambda: [
                (name, *_numbers(ask, len(applications), options["times"]))
                for name, ask in questions.items()
            ]
        )
        for row in rows:
            table.add_row(*row)
        out.print(table)
        out.print(str(speed), highlight=False, soft_wrap=True)


def _questions(newest: Any, applications: list[Any]) -> dict[str, Callable[[int, int], Any]]:
    """Questions by name; each takes the application and how many days it begins earlier."""

    def query(
        grain: Grain, length: timedelta, dimension: Dimension, at: int, back: int
    ) -> TrendQuery:
        end = newest - timedelta(days=back)
        start = end - length + 2 * length_of(grain)
        return TrendQuery((applications[at],), BucketRange.around(grain, start, end), dimension)

    def api(grain: Grain, length: timedelta, dimension: Dimension, metric: str) -> Any:
        return lambda at, back: document(query(grain, length, dimension, at, back), BY_NAME[metric])

    def all_metrics(length: timedelta) -> Callable[[int, int], Any]:
        return lambda at, back: trend(query(Grain.DAY, length, Dimension.ALL, at, back))

    days, hours = _MOST[Grain.DAY], _MOST[Grain.HOUR]
    questions: dict[str, Callable[[int, int], Any]] = {}
    for metric in ("actions", "rejections", "risk", "total_time"):
        month = api(Grain.DAY, timedelta(days=_DAYS), Dimension.ALL, metric)
        questions[f"{metric}, {_DAYS} days"] = month
        for dimension in (Dimension.ALL, Dimension.SOURCE_MODEL, Dimension.COLLECTION):
            questions[f"{metric}, {days.days} days, {dimension}"] = api(
                Grain.DAY, days, dimension, metric
            )
            questions[f"{metric}, {hours.days} days by hour, {dimension}"] = api(
                Grain.HOUR, hours, dimension, metric
            )
    for length in (timedelta(days=_DAYS), days):
        questions[f"all metrics at once, {length.days} days"] = all_metrics(length)
    return questions


def _numbers(ask: Callable[[int, int], Any], applications: int, times: int) -> list[str]:
    began = process_time()
    figures = _timed(ask, applications, times)
    own = (process_time() - began) * 1000 / figures.count
    return [f"{figures.p50:.1f}", f"{figures.p95:.1f}", f"{own:.1f}", str(figures.count)]


def _timed(ask: Callable[[int, int], Any], applications: int, times: int) -> Latency:
    took = []
    for turn in range(times):
        began = perf_counter()
        ask(turn % applications, turn % 7)
        took.append((perf_counter() - began) * 1000)
    return latency(took, seconds=sum(took) / 1000)
