"""`manage.py bench` (`make bench`): speed and memory, measured in one run."""

from argparse import ArgumentParser
from itertools import islice
from typing import Any

from django.core.management.base import BaseCommand
from rich.console import Console
from rich.table import Table

from accounts.models import Application
from accounts.services import create_api_key, create_application
from tools.evaluation.bench import engine, machine, service
from tools.evaluation.bench.engine import Latency
from tools.evaluation.rendering import console_on, figures_table

_SLUG = "bench"
_MOST_A_SECOND = 300
"""More checks than a machine takes."""


class Command(BaseCommand):
    help = "Measure speed and memory on the configured database and Redis."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--seconds", type=float, default=10, help="for each row")

    def handle(self, *args: Any, **options: Any) -> None:
        seconds, console = options["seconds"], Console(stderr=True)
        before = machine.loop_seconds()
        with console.status("Measuring the engine…"):
            alone = engine.measure_engine(seconds=seconds / 3, with_sources=False)
            sourced = engine.measure_engine(seconds=seconds / 3, with_sources=True)
        end_to_end, memory = _service_figures(seconds, console)
        speed = machine.Speed(before, machine.loop_seconds())
        out = console_on(self.stdout, 100)
        out.print(_table("Engine, no sources, one core", "words", alone))
        out.print(_table("Engine, with two sources", "words", sourced))
        out.print(_table("End to end, everyday answers, no two alike", "clients", end_to_end))
        rows = [(peak.process, str(peak.count), f"{peak.mebibytes:.0f}") for peak in memory]
        headings = ("process", "how many", "largest, MiB")
        out.print(figures_table("Peak memory of each process", headings, rows))
        out.print(str(speed), highlight=False, soft_wrap=True)


def _service_figures(
    seconds: float, console: Console
) -> tuple[dict[int, Latency], list[service.Peak]]:
    """Return latency by the number of clients, and peak memory of web and workers meanwhile."""
    token, latencies = _token(), dict[int, Latency]()
    bodies = service.distinct_bodies()
    quiet = {"LOG_LEVEL": "CRITICAL", "STATIC_FROM_SOURCE": "1"}
    with service.running(["web", "worker"], "/readyz", quiet) as stack:
        for clients in service.CLIENTS:
            with console.status(f"Measuring {clients} clients…"):
                for part in (1.0, seconds):
                    some = list(islice(bodies, round(_MOST_A_SECOND * part)))
                    latencies[clients] = service.measure_clients(
                        stack.url, token, some, clients=clients, seconds=part
                    )
        return latencies, service.peaks(stack)


def _token() -> str:
    """Return a key of an application that is not limited and draws no sample beyond the default."""
    application = Application.objects.filter(slug=_SLUG).first()
    if application is None:
        application = create_application(name="Benchmark", slug=_SLUG, by="manage.py bench")
    Application.objects.filter(pk=application.pk).update(rate_limit_per_minute=None)
    return create_api_key(application=application, name="bench", by="manage.py bench")[1]


def _table(title: str, first: str, rows: dict[int, Latency]) -> Table:
    headings = (first, "p50 ms", "p95 ms", "per second", "n")
    cells = [
        (str(key), f"{row.p50:.2f}", f"{row.p95:.2f}", f"{row.per_second:.0f}", str(row.count))
        for key, row in rows.items()
    ]
    return figures_table(title, headings, cells, labels=0)
