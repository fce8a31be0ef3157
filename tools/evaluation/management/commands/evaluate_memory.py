"""`manage.py evaluate_memory`: measures precision and recall of what is stored, on examples."""

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from rich.console import Console
from rich.progress import track

from accounts.models import Application
from analysis.engine.codec import decode_text
from memory.judging import judges
from memory.models import Manager
from memory.outcomes import Status
from memory.services.remembering import remember
from tools.evaluation.rendering import console_on, figures_table

# The written examples: a statement, the statements before it, and the right outcome.
#
# `tune.jsonl` is what the rules were made by. `held_out.jsonl` was written before them and is only
# counted: nothing here shows which of its examples went wrong.

HALVES = ("tune", "held_out")
_FOLDER = Path(__file__).parents[2] / "memory"


@dataclass(frozen=True, slots=True)
class MemoryExample:
    """One statement after others. `target` is empty where it is refused."""

    id: str
    statement: str
    before: tuple[str, ...]
    outcome: Status
    target: str
    kind: str


def examples(half: str) -> list[MemoryExample]:
    lines = (_FOLDER / f"{half}.jsonl").read_text(encoding="utf-8").splitlines()
    return [decode_text(MemoryExample, line) for line in lines]


STORED = frozenset({Status.WRITTEN, Status.SUPERSEDED})


@dataclass(frozen=True, slots=True)
class ExampleResult:
    example: MemoryExample
    status: Status
    target: str

    @property
    def right(self) -> bool:
        """True if it came out as written, in the right memory."""
        example = self.example
        return self.status is example.outcome and (
            self.status not in STORED or self.target == example.target
        )


def figures(results: Sequence[ExampleResult]) -> tuple[str, ...]:
    """Return precision, recall, right memories of what was rightly stored, and same outcomes."""
    stored_rows = [row for row in results if row.status in STORED]
    rightly = [row for row in stored_rows if row.example.outcome in STORED]
    should_store = sum(row.example.outcome in STORED for row in results)
    right_memory = sum(row.target == row.example.target for row in rightly)
    same_outcome = sum(row.status is row.example.outcome for row in results)
    return (
        *(
            f"{len(rightly) / whole:.3f} ({len(rightly)}/{whole})"
            for whole in (len(stored_rows), should_store)
        ),
        f"{right_memory}/{len(rightly)}",
        f"{same_outcome}/{len(results)}",
    )


class Command(BaseCommand):
    help = "Measure what is remembered on written examples; everything is rolled back."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--half", choices=HALVES, help="only this half")
        parser.add_argument(
            "--misses", action="store_true", help="name what went wrong; of the tune half only"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        halves = [options["half"]] if options["half"] else list(HALVES)
        if options["misses"] and "held_out" in halves:
            raise CommandError("The held-out half is only counted. Add --half tune.")
        console = Console(stderr=True, quiet=options["verbosity"] == 0)
        results = {
            half: list(run(track(examples(half), description=half, console=console)))
            for half in halves
        }
        headings = ("half", "examples", "precision", "recall", "right memory", "same outcome")
        rows = [(half, str(len(of_half)), *figures(of_half)) for half, of_half in results.items()]
        title = f"What is stored, judged by {judges.configured_judge().name}"
        table = figures_table(title, headings, rows)
        console_on(self.stdout, 110).print(table)
        if options["misses"]:
            for row in results["tune"]:
                if not row.right:
                    expected = f"{row.example.outcome} {row.example.target}".strip()
                    got = f"{row.status} {row.target}".strip()
                    self.stdout.write(
                        f"{row.example.id} {row.example.statement!r}: {expected}, was {got}"
                    )


def run(examples: Iterable[MemoryExample]) -> Iterator[ExampleResult]:
    """Yield the result of each example, with a memory of its own that is rolled back."""
    for example in examples:
        with transaction.atomic():
            application = Application.objects.create(name="evaluation", slug="memory-evaluation")
            manager = Manager.objects.create(application=application, name="evaluation")
            for statement in example.before:
                remember(manager, statement)
            main = remember(manager, example.statement).main
            result = ExampleResult(example, main.status, main.target)
            transaction.set_rollback(True)
        yield result
