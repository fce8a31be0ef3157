"""`manage.py evaluate_presets`: measures what each preset of the policy flags and blocks."""

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from analysis.engine.policy import PRESETS
from analysis.services.measuring import measure_submission
from desk.policies.admin.presets import Rates
from desk.scoring.rows import Row
from tools.evaluation.answers.outcomes import outcome_of
from tools.evaluation.management.labelled import load_files
from tools.evaluation.rendering import markdown_head, markdown_row

EVERYDAY, PUBLIC = "everyday", "public sets"
_DECIDING = {name: rules for name, rules in PRESETS.items() if not rules.observe}
"""Without the preset that decides as the default does and shows the answer all the same."""
_HEADINGS = (
    "preset", "answers", "right flagged", "right blocked", "wrong flagged", "wrong blocked",
)  # fmt: skip


class Command(BaseCommand):
    help = (
        "What each preset flags and blocks: of the labelled answers of files (the report half of "
        "each) and of folders of written blocks (whole), apart."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(markdown_head(_HEADINGS, labels=2))
        paths: list[Path] = options["files"]
        folders = [path for path in paths if path.is_dir()]
        files = [path for path in paths if path not in folders]
        for title, members in ((EVERYDAY, folders), (PUBLIC, files)):
            sets = load_files(members, "report", self.stderr)
            rows = [row for item in sets for row in item.rows]
            if rows:
                self.stdout.write(lines(title, len(rows), _rates(rows)))


def _rates(rows: Sequence[Row]) -> dict[str, Rates]:
    """Return the rates of each preset on the answers, of which each is measured once."""
    measurements = [measure_submission(row.submission) for row in rows]
    return {name: outcome_of(rows, measurements, rules).rates for name, rules in _DECIDING.items()}


def lines(title: str, answers: int, presets: Mapping[str, Rates]) -> str:
    """Return rows of the table, as docs/accuracy.md has them."""
    return "\n".join(
        markdown_row(
            (name, f"{title} ({answers:,})", *(f"{100 * share:.1f} %" for share in astuple(rates)))
        )
        for name, rates in presets.items()
    )
