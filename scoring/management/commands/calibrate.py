"""`manage.py calibrate`: fit what the numbers of a judge of your own mean, on labelled answers."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.table import Table

from analysis.management.progress import progress
from inference.errors import ModelError
from inference.judge.named import name_of, named_judge
from inference.judge.named.calibration import write_calibration
from scoring.calibrating import (
    CalibrationError,
    Labelled,
    Rates,
    fit,
    labelled_claims,
    rates,
    recommended,
)
from scoring.rows import BadLine, Row, RowError, read_rows

_MOST_NAMED = 10


class Command(BaseCommand):
    """Prints what each threshold would flag; keeps the calibration below MODEL_DIR."""

    help = (
        "Fit what the probabilities of a judge (JUDGE_MODEL) mean, on labelled answers: "
        "JSONL with response, context, label (1: not supported) and, where known, spans."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--judge", default=settings.JUDGE_MODEL, help="KIND:FOLDER")
        parser.add_argument("--data", type=Path, required=True, help="JSONL of labelled answers")
        parser.add_argument(
            "--false-alarms", type=float, default=0.10, help="share of right claims to flag at most"
        )
        parser.add_argument("--dry-run", action="store_true", help="fit and print, keep nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            name = name_of(options["judge"])
            claims = self._claims(options["data"], options["judge"])
            calibration = fit(claims)
            if not options["dry_run"]:
                path = write_calibration(settings.MODEL_DIR, name, calibration)
                self.stdout.write(f"Written to {path}; restart the workers to use it.")
        except (ModelError, CalibrationError) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}.") from error
        self.stdout.write(
            f"{name}: fitted on {calibration.claims} claims, bias {calibration.bias}, "
            f"factor {calibration.factor}."
        )
        self._print(rates(claims, calibration), options["false_alarms"])

    def _claims(self, path: Path, setting: str) -> list[Labelled]:
        """The labelled claims; a row that cannot be used is counted and named."""
        judge = named_judge(
            setting, settings.MODEL_DIR, threads=settings.NLI_THREADS, calibrated=False
        )
        rows, claims, bad = list(read_rows(path)), list[Labelled](), list[str]()
        with progress(path.name, len(rows)) as advance:
            for row in rows:
                try:
                    claims += labelled_claims(_usable(row), judge)
                except RowError as error:
                    bad.append(f"line {row.line}: {error}")
                advance()
        for line in bad[:_MOST_NAMED]:
            self.stderr.write(line)
        if bad:
            self.stderr.write(f"{len(bad)} of {len(rows)} rows were left out.")
        return claims

    def _print(self, threshold_rates: list[Rates], aim: float) -> None:
        table = Table("unsupported_at", "right claims flagged", "wrong claims flagged")
        for each in threshold_rates:
            table.add_row(f"{each.threshold:.2f}", f"{each.right:.1%}", f"{each.wrong:.1%}")
        Console(file=self.stdout).print(table)  # type: ignore[arg-type]
        best = recommended(threshold_rates, aim)
        if best is None:
            self.stdout.write(f"No threshold flags at most {aim:.0%} of right claims.")
            return
        self.stdout.write(
            f"For at most {aim:.0%} of right claims set unsupported_at {best.threshold:.2f}: "
            f"it flags {best.wrong:.0%} of wrong ones. These answers were fitted on: measure on "
            "others."
        )


def _usable(row: Row | BadLine) -> Row:
    if isinstance(row, BadLine):
        raise RowError(row.reason)
    return row
