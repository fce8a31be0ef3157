"""Common parts of the commands that measure on labelled answers."""

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, OutputWrapper

from analysis.management.progress import progress
from desk.scoring.configuration import Configuration
from desk.scoring.management.checking import provide_model
from desk.scoring.pool import PoolError
from desk.scoring.scoring import ScoringError
from tools.evaluation.answers.measuring import MeasuredFile, score_file
from tools.evaluation.answers.sets import PARTS, LabelledFile, SetError, load_set


def add_set_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "files",
        type=Path,
        nargs="+",
        help="JSONL, one labelled answer a line; or a folder of written blocks",
    )
    parser.add_argument(
        "--split",
        choices=PARTS,
        default="all",
        help="rows of one half of each file's sources, by a hash of the source: tune to choose, "
        "report to report; a folder is always taken whole",
    )


def load_files(options: dict[str, Any], output: OutputWrapper) -> list[LabelledFile]:
    """Return the labelled answers, and name each skipped line in `output`. Raises CommandError."""
    paths = options["files"]
    names = [path.name for path in paths]
    if len(set(names)) < len(names):
        raise CommandError("Two files have the same name; a report could not tell them apart.")
    try:
        files = [load_set(path, options["split"]) for path in paths]
    except SetError as error:
        raise CommandError(str(error)) from error
    for file in files:
        tell_skipped(output, file.name, file.skipped)
    return files


def tell_skipped(output: OutputWrapper, name: str, skipped: Sequence[str]) -> None:
    """Name each row that could not be read, and count them."""
    for row in skipped:
        output.write(f"Skipped {row}")
    if skipped:
        output.write(f"{name}: {len(skipped)} rows skipped")


def score_files(
    files: list[LabelledFile], configuration: Configuration, options: dict[str, Any]
) -> list[MeasuredFile]:
    """Check every answer of every file, with a progress bar. Raises CommandError."""
    provide_model(configuration)
    scored_files, processes = [], options["processes"]
    for file in files:
        with progress(f"{file.name} ({configuration.name})", len(file.rows)) as advance:
            try:
                scored_files.append(
                    score_file(file, configuration, processes, options["time_limit"], advance)
                )
            except (ScoringError, PoolError) as error:
                raise CommandError(str(error)) from error
    return scored_files
