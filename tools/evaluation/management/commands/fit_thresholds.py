"""`manage.py fit_thresholds`: chooses thresholds on labelled answers, and records these."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from desk.scoring.management.checking import add_pool_arguments, configuration_named
from tools.evaluation.answers import fit
from tools.evaluation.answers.measuring import models_of
from tools.evaluation.management.labelled import add_set_arguments, load_files, score_files


class Command(BaseCommand):
    """Writes the thresholds with hashes of the rows, so that `evaluate` can refuse them."""

    help = (
        "Choose the thresholds that are best on labelled answers (for F1, balanced accuracy, "
        "spans and the word count), the same weight to each task of each file."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_set_arguments(parser)
        parser.add_argument("--out", type=Path, required=True, help="where the thresholds go")
        add_pool_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        configuration = configuration_named(options["config"])
        files = load_files(options, self.stderr)
        scored_files = score_files(files, configuration, options)
        fit_file = fit.FitFile(
            configuration=fit.identity(configuration),
            models=models_of(scored_files),
            part=options["split"],
            fit=fit.fit_all([item.rows for item in scored_files]),
            files={item.file.name: len(item.rows) for item in scored_files},
            hashes=tuple(
                digest for item in scored_files for row in item.file.hashes for digest in row
            ),
        )
        try:
            fit.write(options["out"], fit_file)
        except OSError as error:
            raise CommandError(f"{options['out']} cannot be written: {error.strerror}.") from error
        self.stdout.write(
            f"Fitted on {sum(fit_file.files.values())} answers. Written to {options['out']}."
        )
        everything = fit_file.fit.everything
        for name in everything.__slots__:
            value = getattr(everything, name)
            text = "could not be told from these rows" if value is None else f"{value:.4f}"
            self.stdout.write(f"  {name}: {text}")
