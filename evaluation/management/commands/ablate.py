"""`manage.py ablate`: what each rule and signal brings, on labelled answers."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from analysis.engine.policy.rules import DEFAULT_RULES
from analysis.management.progress import progress
from analysis.services.measuring import measure_submission
from evaluation.answers.ablation import LabelledMeasurement, ablate, table
from evaluation.answers.sets import LabelledFile
from evaluation.management.labelled import add_set_arguments, load_files
from scoring.truth import label_of


class Command(BaseCommand):
    """Prints a table for each file; every answer is measured once."""

    help = (
        "Leave each rule and signal out of the verdict, and print what that changes: AUROC, the "
        "shares of right answers flagged and blocked and of wrong ones flagged."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The files, and which half of them."""
        add_set_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Measure, leave out, decide, print."""
        for file in load_files(options, self.stdout):
            outcomes = ablate(_measurements(file), DEFAULT_RULES)
            self.stdout.write(f"{file.name}, {len(file.rows)} answers\n\n{table(outcomes)}\n")


def _measurements(file: LabelledFile) -> list[LabelledMeasurement]:
    measurements = []
    with progress(file.name, len(file.rows)) as advance:
        for row in file.rows:
            measurement = measure_submission(row.submission)
            label = bool(label_of(row.raw))
            measurements.append(LabelledMeasurement(row.submission.answer, measurement, label))
            advance()
    return measurements
