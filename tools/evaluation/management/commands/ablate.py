"""`manage.py ablate`: measures what each rule of the engine contributes, on labelled answers."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from analysis.engine.policy import DEFAULT_RULES
from analysis.services.measuring import measure_submission
from tools.evaluation.answers.ablation import ablate, table
from tools.evaluation.management.labelled import add_set_arguments, load_files


class Command(BaseCommand):
    help = (
        "Leave each rule of the engine out while the answers on which it speaks are measured "
        "again, and print what that changes: AUROC, the shares of right answers flagged and "
        "blocked and of wrong ones flagged."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_set_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        for file in load_files(options["files"], options["split"], self.stdout):
            text = table(*ablate(file.rows, measure_submission, DEFAULT_RULES))
            self.stdout.write(f"{file.name}, {len(file.rows)} answers\n\n{text}\n")
