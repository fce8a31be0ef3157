"""`manage.py evaluate_memory`: precision and recall of what is stored, on written examples."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import track
from rich.table import Table

from evaluation.memory.examples import HALVES, examples
from evaluation.memory.figures import Figures, Told, figures
from evaluation.memory.running import run
from memory.judging import judges


class Command(BaseCommand):
    """Prints the figures of the half that the rules were made by, and of the one held out."""

    help = "Measure what is remembered on written examples; everything is rolled back."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which half, in which form."""
        parser.add_argument("--half", choices=HALVES, help="only this half")
        parser.add_argument("--json", action="store_true", help="print JSON")
        parser.add_argument(
            "--misses", action="store_true", help="name what went wrong; of the tune half only"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Remember each example, count, print."""
        halves = [options["half"]] if options["half"] else list(HALVES)
        if options["misses"] and "held_out" in halves:
            raise CommandError("The held-out half is only counted. Add --half tune.")
        console = Console(stderr=True, quiet=options["verbosity"] == 0)
        told = {
            half: list(run(track(examples(half), description=half, console=console)))
            for half in halves
        }
        counted = {half: figures(rows) for half, rows in told.items()}
        if options["json"]:
            self.stdout.write(json.dumps({half: _row(found) for half, found in counted.items()}))
            return
        self._show(counted)
        if options["misses"]:
            self._misses(told["tune"])

    def _show(self, counted: dict[str, Figures]) -> None:
        table = Table(title=f"What is stored, judged by {judges.chosen().name}")
        for name in ("half", "examples", "precision", "recall", "right memory", "same outcome"):
            table.add_column(name)
        for half, found in counted.items():
            table.add_row(
                half,
                str(found.examples),
                f"{found.precision:.3f} ({found.rightly_stored}/{found.stored})",
                f"{found.recall:.3f} ({found.rightly_stored}/{found.should_store})",
                f"{found.right_memory}/{found.rightly_stored}",
                f"{found.same_outcome}/{found.examples}",
            )
        Console(file=self.stdout, width=110).print(table)  # type: ignore[arg-type]

    def _misses(self, told: list[Told]) -> None:
        for row in told:
            if not row.right:
                wanted = f"{row.example.outcome} {row.example.target}".strip()
                got = f"{row.status} {row.target}".strip()
                self.stdout.write(f"{row.example.id} {row.example.said!r}: {wanted}, was {got}")


def _row(found: Figures) -> dict[str, float]:
    return asdict(found) | {"precision": found.precision, "recall": found.recall}
