"""`manage.py fit_thresholds`: choose thresholds on labelled answers, and keep which they were."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evaluation.answers import fit
from evaluation.answers.measuring import Measured, models_of
from evaluation.management.labelled import add_set_arguments, load_files, score_files
from scoring.management.checking import add_pool_arguments, configuration_named


class Command(BaseCommand):
    """Writes the thresholds with hashes of the rows, so that `evaluate` can refuse them."""

    help = (
        "Choose the thresholds that are best on labelled answers (for F1, balanced accuracy, "
        "spans and the word count), the same weight to each task of each file."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Files, half, output, processes."""
        add_set_arguments(parser)
        parser.add_argument("--out", type=Path, required=True, help="where the thresholds go")
        add_pool_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Score, choose, write."""
        configuration = configuration_named(options["config"])
        files = load_files(options, self.stderr)
        measured = score_files(files, configuration, options)
        found = fit.FitFile(
            configuration=fit.identity(configuration),
            models=models_of(measured),
            part=options["split"],
            fit=fit.fit_all([one.rows for one in measured]),
            files={one.file.name: len(one.rows) for one in measured},
            hashes=_hashes(measured),
        )
        try:
            fit.write(options["out"], found)
        except OSError as error:
            raise CommandError(f"{options['out']} cannot be written: {error.strerror}.") from error
        self._tell(found, options["out"])

    def _tell(self, found: fit.FitFile, out: Path) -> None:
        self.stdout.write(f"Fitted on {sum(found.files.values())} answers. Written to {out}.")
        everything = found.fit.everything
        for name in everything.__slots__:
            value = getattr(everything, name)
            told = "could not be told from these rows" if value is None else f"{value:.4f}"
            self.stdout.write(f"  {name}: {told}")


def _hashes(measured: list[Measured]) -> tuple[str, ...]:
    return tuple(known for one in measured for row in one.file.hashes for known in row)
