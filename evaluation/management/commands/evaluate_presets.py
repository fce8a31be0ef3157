"""`manage.py evaluate_presets`: what each preset of the policy flags and blocks."""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from analysis.engine.decision import decide
from analysis.engine.policy.presets import PRESETS
from analysis.engine.types import Action
from analysis.services.measuring import measure_submission
from scoring.rows import Row, read_rows
from scoring.split import split_of
from scoring.truth import label_of

_FLAGGED = (Action.WARN, Action.BLOCK)


_HEAD = (
    "| preset | right ones flagged | right ones blocked | wrong ones flagged | wrong ones blocked |"
)


@dataclass(frozen=True, slots=True)
class Rates:
    """Shares (0-1) of answers flagged (WARN or BLOCK) or blocked: of the right, of the wrong."""

    right_flagged: float
    right_blocked: float
    wrong_flagged: float
    wrong_blocked: float


class Command(BaseCommand):
    help = "What each preset flags and blocks, of labelled answers (the report half of each file)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        counts = Counter[tuple[str, bool, Action]]()
        for row in _rows(options["files"]):
            measurement, label = measure_submission(row.submission), label_of(row.raw)
            for name, rules in PRESETS.items():
                action = decide(row.submission.answer, measurement, rules).action
                counts[(name, label, action)] += 1
        self.stdout.write(table({name: _rates(counts, name) for name in PRESETS}))


def _rows(files: list[Path]) -> Iterator[Row]:
    for file in files:
        for row in read_rows(file):
            if isinstance(row, Row) and split_of(row.raw) == "report":
                yield row


def _rates(counts: Counter[tuple[str, bool, Action]], name: str) -> Rates:
    def share(label: bool, actions: tuple[Action, ...]) -> float:
        total = sum(counts[(name, label, action)] for action in Action)
        return sum(counts[(name, label, action)] for action in actions) / total if total else 0.0

    return Rates(
        share(False, _FLAGGED), share(False, (Action.BLOCK,)),
        share(True, _FLAGGED), share(True, (Action.BLOCK,)),
    )  # fmt: skip


def table(presets: Mapping[str, Rates]) -> str:
    lines = [
        f"| {name} | {' | '.join(f'{share:.1%}'.replace('%', ' %') for share in astuple(rates))} |"
        for name, rates in presets.items()
    ]
    return "\n".join([_HEAD, "|---|---:|---:|---:|---:|", *lines])
