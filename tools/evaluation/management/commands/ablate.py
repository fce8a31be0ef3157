"""`manage.py ablate`: measures what each rule and signal contributes, on labelled answers."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from analysis.engine.policy import DEFAULT_RULES
from analysis.management.progress import progress
from analysis.services.measuring import measure_submission
from desk.scoring.truth import label_of
from tools.evaluation.answers.ablation import (
    AblationResult,
    LabelledMeasurement,
    LabelledSubmission,
    ablate,
    ablate_rules,
    rule_table,
    table,
)
from tools.evaluation.answers.sets import LabelledFile
from tools.evaluation.management.labelled import add_set_arguments, load_files


class Command(BaseCommand):
    help = (
        "Leave each rule and signal out of the verdict, and print what that changes: AUROC, the "
        "shares of right answers flagged and blocked and of wrong ones flagged."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_set_arguments(parser)
        parser.add_argument(
            "--rules",
            action="store_true",
            help="each rule of the engine, while the answers on which it speaks are measured again",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        for file in load_files(options, self.stdout):
            text = _by_rule(file) if options["rules"] else table(_by_part(file))
            self.stdout.write(f"{file.name}, {len(file.rows)} answers\n\n{text}\n")


def _by_part(file: LabelledFile) -> dict[str, AblationResult]:
    measurements = []
    with progress(file.name, len(file.rows)) as advance:
        for row in file.rows:
            measurement = measure_submission(row.submission)
            label = bool(label_of(row.raw))
            measurements.append(LabelledMeasurement(row.submission.answer, measurement, label))
            advance()
    return ablate(measurements, DEFAULT_RULES)


def _by_rule(file: LabelledFile) -> str:
    rows = [LabelledSubmission(row.submission, bool(label_of(row.raw))) for row in file.rows]
    return rule_table(*ablate_rules(rows, measure_submission, DEFAULT_RULES))
