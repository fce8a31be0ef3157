"""`manage.py evaluate_presets`: measures what each preset of the policy flags and blocks."""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import astuple
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from analysis.engine.decision import decide
from analysis.engine.policy import PRESETS
from analysis.engine.types import Action
from analysis.services.measuring import measure_submission
from desk.policies.admin.presets import Rates
from desk.scoring.rows import Row
from desk.scoring.truth import label_of
from tools.evaluation.management.labelled import load_files

EVERYDAY, PUBLIC = "everyday", "public sets"
ActionCounts = Counter[tuple[str, bool, Action]]
"""Answers by preset, label and action."""
_DECIDING = {name: rules for name, rules in PRESETS.items() if not rules.observe}
"""Without the preset that decides as the default does and shows the answer all the same."""
_FLAGGED = (Action.WARN, Action.BLOCK)
_HEAD = (
    "| preset | answers | right flagged | right blocked | wrong flagged | wrong blocked |\n"
    "|---|---|---:|---:|---:|---:|"
)


class Command(BaseCommand):
    help = (
        "What each preset flags and blocks: of the labelled answers of files (the report half of "
        "each) and of folders of written blocks (whole), apart."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(_HEAD)
        paths: list[Path] = options["files"]
        folders = [path for path in paths if path.is_dir()]
        files = [path for path in paths if path not in folders]
        for title, members in ((EVERYDAY, folders), (PUBLIC, files)):
            sets = load_files({"files": members, "split": "report"}, self.stderr)
            counts = _count(row for item in sets for row in item.rows)
            if counts:
                self.stdout.write(lines(title, *_measured(counts)))


def _count(rows: Iterator[Row]) -> ActionCounts:
    """Return the actions of each preset on each answer, which is measured once."""
    counts = ActionCounts()
    for row in rows:
        measurement, label = measure_submission(row.submission), label_of(row.raw)
        for name, rules in _DECIDING.items():
            action = decide(row.submission.answer, measurement, rules).action
            counts[(name, label, action)] += 1
    return counts


def _measured(counts: ActionCounts) -> tuple[int, dict[str, Rates]]:
    """Return the number of answers, and the rates of each preset."""

    def share(name: str, label: bool, actions: tuple[Action, ...]) -> float:
        total = sum(counts[(name, label, action)] for action in Action)
        return sum(counts[(name, label, action)] for action in actions) / total if total else 0.0

    rates = {
        name: Rates(
            share(name, False, _FLAGGED), share(name, False, (Action.BLOCK,)),
            share(name, True, _FLAGGED), share(name, True, (Action.BLOCK,)),
        )
        for name in _DECIDING
    }  # fmt: skip
    return counts.total() // len(_DECIDING), rates


def lines(title: str, answers: int, presets: Mapping[str, Rates]) -> str:
    """Return rows of the table, as docs/accuracy.md has them."""
    return "\n".join(
        f"| {name} | {title} ({answers:,}) "
        f"| {' | '.join(f'{100 * share:.1f} %' for share in astuple(rates))} |"
        for name, rates in presets.items()
    )
