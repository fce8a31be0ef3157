"""`manage.py evaluate_presets`: measures what each preset of the policy flags and blocks."""

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
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
from tools.evaluation.answers.measuring import rates_of
from tools.evaluation.management.labelled import load_files

EVERYDAY, PUBLIC = "everyday", "public sets"
_DECIDING = {name: rules for name, rules in PRESETS.items() if not rules.observe}
"""Without the preset that decides as the default does and shows the answer all the same."""
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
            rows = [row for item in sets for row in item.rows]
            if rows:
                self.stdout.write(lines(title, len(rows), _rates(rows)))


def _rates(rows: Sequence[Row]) -> dict[str, Rates]:
    """Return the rates of each preset on the answers, of which each is measured once."""
    actions: dict[str, list[Action]] = {name: [] for name in _DECIDING}
    for row in rows:
        measurement = measure_submission(row.submission)
        for name, rules in _DECIDING.items():
            actions[name].append(decide(row.submission.answer, measurement, rules).action)
    labels = [label_of(row.raw) for row in rows]
    return {name: rates_of(labels, of_preset) for name, of_preset in actions.items()}


def lines(title: str, answers: int, presets: Mapping[str, Rates]) -> str:
    """Return rows of the table, as docs/accuracy.md has them."""
    return "\n".join(
        f"| {name} | {title} ({answers:,}) "
        f"| {' | '.join(f'{100 * share:.1f} %' for share in astuple(rates))} |"
        for name, rates in presets.items()
    )
