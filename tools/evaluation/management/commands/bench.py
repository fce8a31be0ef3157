"""`manage.py bench` (`make bench`): speed and memory, measured in one run."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from itertools import islice
from typing import IO, Any, cast

from django.core.management.base import BaseCommand
from rich.console import Console
from rich.table import Table
from rich.text import Text

from accounts.models import Application
from accounts.services import create_api_key, create_application
from tools.evaluation.bench import engine, machine, models, service
from tools.evaluation.bench.engine import Latency
from tools.evaluation.rendering import figures_table

_SLUG = "bench"
_MOST_A_SECOND = 300
"""More checks than a machine takes."""
_SAFETY = "Added by the safety step, with two sources"


class Command(BaseCommand):
    help = "Measure speed and memory on the configured database and Redis."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--seconds", type=float, default=10, help="for each row")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        seconds, console = options["seconds"], Console(stderr=True)
        before = machine.loop_seconds()
        with console.status("Measuring the safety step…"):
            added = engine.measure_safety(seconds=seconds / 3)
        with console.status("Measuring the engine…"):
            alone = engine.measure_engine(seconds=seconds / 3, with_sources=False)
            sourced = engine.measure_engine(seconds=seconds / 3, with_sources=True)
        with console.status("Measuring the models…"):
            worker = models.measure_models(seconds=seconds)
        end_to_end, memory = _service_figures(seconds, console)
        speed = machine.Speed(before, machine.loop_seconds())
        if options["json"]:
            latencies = {
                "engine": alone, "engine_with_sources": sourced, "safety": added,
                "end_to_end": end_to_end,
            }  # fmt: skip
            parts = {
                name: {k: asdict(v) for k, v in part.items()} for name, part in latencies.items()
            }
            more = {"memory": [asdict(m) for m in memory], "machine": asdict(speed)}
            model_figures = worker if isinstance(worker, str) else asdict(worker)
            self.stdout.write(json.dumps({**parts, "models": model_figures, **more}))
            return
        out = Console(file=cast(IO[str], self.stdout), width=100)
        out.print(_table("Engine, no sources, one core", "words", alone))
        out.print(_table("Engine, with two sources", "words", sourced))
        out.print(_table(_SAFETY, "words", added))
        out.print(_models(worker))
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
    with service.processes() as stack:
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


def _models(model_figures: models.ModelFigures | str) -> Table | Text:
    if isinstance(model_figures, str):
        return Text(f"The models were not measured: {model_figures}")
    threads = "1 thread" if model_figures.threads == 1 else f"{model_figures.threads} threads"
    answer_ms, cpu_ms = model_figures.answer_ms, model_figures.answer_cpu_ms
    label = f"an answer of {models.WORDS} words, {models.CHUNKS} chunks"
    memory = f"{model_figures.mebibytes:.0f} MiB"
    rows = [
        (label, f"{answer_ms:.0f}", f"{cpu_ms:.0f}"),
        ("peak memory of a worker with both models", memory, ""),
    ]
    title = f"{model_figures.model}, {threads}"
    return figures_table(title, ("", "p50 ms", "processor ms"), rows)
