"""Common parts of the commands that measure on labelled answers."""

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from django.core.management.base import CommandError, OutputWrapper

from tools.evaluation.answers.sets import PARTS, LabelledFile, Part, SetError, load_set


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


def load_files(paths: Sequence[Path], part: Part, output: OutputWrapper) -> list[LabelledFile]:
    """Return the labelled answers, and name each skipped line in `output`. Raises CommandError."""
    names = [path.name for path in paths]
    if len(set(names)) < len(names):
        raise CommandError("Two files have the same name; a report could not tell them apart.")
    try:
        files = [load_set(path, part) for path in paths]
    except SetError as error:
        raise CommandError(str(error)) from error
    for file in files:
        for row in file.skipped:
            output.write(f"Skipped {row}")
        if file.skipped:
            output.write(f"{file.name}: {len(file.skipped)} rows skipped")
    return files
