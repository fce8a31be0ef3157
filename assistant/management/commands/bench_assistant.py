"""`manage.py bench_assistant`: how long an answer takes, source by source."""

from argparse import ArgumentParser
from dataclasses import dataclass
from statistics import median
from time import perf_counter, sleep
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import Application
from assistant.evidence import EvidenceBundle, EvidenceKind, SourceStatus
from assistant.gathering.collecting import collect
from assistant.gathering.documents import SourceResult, find_passages
from assistant.gathering.memories import find_memories
from assistant.sanity import questions_in
from assistant.services.asking import manager_named
from assistant.services.writing import write
from memory.models import Manager


@dataclass(frozen=True, slots=True)
class Lap:
    """One question, in milliseconds."""

    documents: float
    weather: float
    memory: float
    bag: float
    writing: float

    @property
    def one_after_another(self) -> float:
        """What the sources would take in turn."""
        return self.documents + self.weather + self.memory


class Command(BaseCommand):
    """Documents and memory are the real ones; the weather is a wait of a given length."""

    help = "Measure that evidence is gathered in the time of the slowest source, not of the sum."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whose documents, how slow a weather service, how often."""
        parser.add_argument("--application", default="demo", help="slug; default: demo")
        parser.add_argument(
            "--weather-seconds", type=float, default=1.0,
            help="how long the stand-in for the weather service waits; default: 1",
        )  # fmt: skip
        parser.add_argument("--rounds", type=int, default=3, help="over all questions; default: 3")

    def handle(self, *args: Any, **options: Any) -> None:
        """Measure and print."""
        application = Application.objects.filter(slug=options["application"]).first()
        if application is None:
            raise CommandError(f"No application has the slug {options['application']!r}.")
        manager = manager_named(application.pk, "bench", by="manage.py bench_assistant")
        questions = questions_in()
        _lap(manager, questions[0], 0.0)  # opens the models
        laps = [
            _lap(manager, question, options["weather_seconds"])
            for _ in range(options["rounds"])
            for question in questions
        ]
        for line in _lines(laps):
            self.stdout.write(line)


def _lap(manager: Manager, question: str, seconds: float) -> Lap:
    bag = collect(
        {
            EvidenceKind.DOCUMENT: lambda: find_passages(manager.application_id, (), question),
            EvidenceKind.WEATHER: lambda: _wait(seconds),
        },
        {EvidenceKind.MEMORY: lambda: find_memories(manager, question)},
        lambda _: None,
        seconds=60.0,
    )
    began = perf_counter()
    write(manager.application_id, question, bag, lambda _: None)
    writing = (perf_counter() - began) * 1000
    return Lap(
        documents=_ms(bag, EvidenceKind.DOCUMENT),
        weather=_ms(bag, EvidenceKind.WEATHER),
        memory=_ms(bag, EvidenceKind.MEMORY),
        bag=bag.ms,
        writing=writing,
    )


def _wait(seconds: float) -> SourceResult:
    sleep(seconds)
    return SourceResult((), SourceStatus.NOTHING, "A stand-in for the weather service.")


def _ms(bag: EvidenceBundle, kind: EvidenceKind) -> float:
    source = bag.source(kind)
    return source.ms if source else 0.0


def _lines(laps: list[Lap]) -> list[str]:
    """Medians in milliseconds, for a reader."""
    series = {
        "documents": [lap.documents for lap in laps],
        "weather": [lap.weather for lap in laps],
        "memory": [lap.memory for lap in laps],
        "one after another": [lap.one_after_another for lap in laps],
        "the bag, all at once": [lap.bag for lap in laps],
        "above the slowest source": [
            lap.bag - max(lap.documents, lap.weather, lap.memory) for lap in laps
        ],
        "writing": [lap.writing for lap in laps],
        "bag and writing": [lap.bag + lap.writing for lap in laps],
    }
    head = f"{len(laps)} questions; median and slowest in milliseconds"
    return [head, *(f"{name:26}{median(ms):9.1f}{max(ms):9.1f}" for name, ms in series.items())]
