"""`manage.py bench_assistant`: how long an answer takes, source by source."""

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter, sleep
from typing import Any

from django.core.management.base import BaseCommand

from accounts.management.applications import application_named
from assistant.evidence import EvidenceBundle, EvidenceKind, SourceStatus
from assistant.gathering.collecting import collect
from assistant.gathering.documents import SourceResult, find_passages
from assistant.gathering.memories import find_memories
from assistant.models import Step
from assistant.sanity import questions_in
from assistant.services import ask, start_conversation
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
        parser.add_argument("--application", default="demo", help="slug; default: demo")
        parser.add_argument(
            "--weather-seconds", type=float, default=1.0,
            help="how long the stand-in for the weather service waits; default: 1",
        )  # fmt: skip
        parser.add_argument("--rounds", type=int, default=3, help="over all questions; default: 3")
        parser.add_argument(
            "--turns", action="store_true",
            help="whole turns instead, checked here: until evidence is shown, until the answer is",
        )  # fmt: skip

    def handle(self, *args: Any, **options: Any) -> None:
        application = application_named(options["application"])
        manager = manager_named(application.pk, "bench", by="manage.py bench_assistant")
        questions = questions_in()
        if options["turns"]:
            self._turns(manager, questions, options["rounds"])
            return
        _lap(manager, questions[0], 0.0)  # opens the models
        laps = [
            _lap(manager, question, options["weather_seconds"])
            for _ in range(options["rounds"])
            for question in questions
        ]
        for line in _lines(laps):
            self.stdout.write(line)

    def _turns(self, manager: Manager, questions: Sequence[str], rounds: int) -> None:
        _turn(manager, questions[0])  # opens the models
        turns = [_turn(manager, question) for _ in range(rounds) for question in questions]
        series = {
            name: [turn[name] for turn in turns if name in turn]
            for name in ("all evidence shown", "draft written", "checked answer")
        }
        for line in _table(len(turns), series):
            self.stdout.write(line)


def _turn(manager: Manager, question: str) -> dict[str, float]:
    """Milliseconds from the question until each is there; the answer is shown at its end."""
    began, at = perf_counter(), dict[str, float]()

    def on_step(step: Step) -> None:
        at.setdefault(step.value, (perf_counter() - began) * 1000)

    conversation = start_conversation(manager, title=question)
    ask(manager, conversation, question, on_step=on_step, by="manage.py bench_assistant")
    names = {
        Step.WRITING: "all evidence shown",
        Step.CHECKING: "draft written",
        Step.DONE: "checked answer",
    }
    return {name: at[step.value] for step, name in names.items() if step.value in at}


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
    return source.milliseconds if source else 0.0


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
    return _table(len(laps), series)


def _table(questions: int, series: Mapping[str, Sequence[float]]) -> list[str]:
    head = f"{questions} questions; median and slowest in milliseconds"
    return [head, *(f"{name:26}{median(ms):9.1f}{max(ms):9.1f}" for name, ms in series.items())]
