"""`manage.py evaluate`: measures how accurate the verdicts are, on files of labelled answers."""

from argparse import ArgumentParser
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.engine import ENGINE_VERSION
from analysis.management.progress import progress
from desk.scoring.configuration import Configuration
from desk.scoring.figures import EVERYTHING
from desk.scoring.management.checking import add_pool_arguments, configuration_named, provide_model
from desk.scoring.pool import PoolError
from desk.scoring.scoring import ScoringError, score_rows
from lib.stats.bootstrap import ROUNDS
from tools.evaluation.answers import report
from tools.evaluation.answers.measuring import (
    FittedRowsError,
    MeasuredFile,
    Part,
    gain_of,
    models_of,
    parts_of,
    pools_of,
    unseen,
)
from tools.evaluation.answers.report import Pair, phenomena_of
from tools.evaluation.answers.sets import LabelledFile
from tools.evaluation.management.labelled import add_set_arguments, load_files


@dataclass(frozen=True, slots=True)
class _Run:
    """One configuration; `parts` are those of the report, then those over several files."""

    parts: list[Part]
    report: report.Report


class Command(BaseCommand):
    help = (
        "Measure the verdicts on labelled answers: ranking with intervals, decisions of the "
        "policy, baselines, phenomena, calibration, cost. Refuses rows that something was fitted "
        "on."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_set_arguments(parser)
        parser.add_argument(
            "--compare",
            nargs="+",
            metavar="CONFIGURATION",
            help="two configurations and more side by side, each compared with the one before",
        )
        parser.add_argument(
            "--group",
            action="append",
            default=[],
            metavar="PREFIX",
            help="figures over all files whose names begin so, as over all files together",
        )
        parser.add_argument(
            "--drop-fitted", action="store_true", help="leave out rows that were fitted on"
        )
        parser.add_argument("--rounds", type=int, default=ROUNDS, help="samples of each interval")
        parser.add_argument("--out", type=Path, help="a folder for report.md and report.json")
        add_pool_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        names = options["compare"] or [options["config"]]
        configurations = [configuration_named(name) for name in names]
        for prefix in options["group"]:
            if not any(file.name.startswith(prefix) for file in options["files"]):
                raise CommandError(f"--group {prefix}: no file's name begins so.")
        files = load_files(options["files"], options["split"], self.stderr)
        try:
            for configuration in configurations:
                files = [unseen(each, configuration, drop=options["drop_fitted"]) for each in files]
        except FittedRowsError as error:
            raise CommandError(str(error)) from error
        runs = [_run(files, configuration, options) for configuration in configurations]
        comparisons = [_compared(*pair, options["rounds"]) for pair in pairwise(runs)]
        reports = [run.report for run in runs]
        self.stdout.write(report.text(reports, comparisons))
        if options["out"]:
            folder = options["out"]
            try:
                paths = report.write(folder, reports, comparisons)
            except OSError as error:
                raise CommandError(f"{folder} cannot be written: {error.strerror}.") from error
            self.stdout.write(f"Written to {folder}: {', '.join(path.name for path in paths)}")


def _run(files: list[LabelledFile], configuration: Configuration, options: dict[str, Any]) -> _Run:
    provide_model(configuration)
    scored_files = [_scored(file, configuration, options) for file in files]
    parts = [part for item in scored_files for part in parts_of(item)]
    pools = pools_of(scored_files, options["group"])
    groups, pooled = ([part.group(options["rounds"]) for part in some] for some in (parts, pools))
    about = {
        "models": ", ".join(models_of(scored_files)),
        "engine": ENGINE_VERSION,
        "rows": f"split {options['split']}",
        "processes": options["processes"],
        "not scored": sum(group.without_score for group in groups if group.task == EVERYTHING),
    }
    phenomena = {
        item.file.name: phenomena_of(item.rows, options["rounds"])
        for item in scored_files
        if any(row.phenomenon for row in item.rows)
    }
    measurements = report.Report(configuration.name, about, groups, pooled, phenomena)
    return _Run([*parts, *pools], measurements)


def _scored(
    file: LabelledFile, configuration: Configuration, options: dict[str, Any]
) -> MeasuredFile:
    """Check every answer of the file, with a progress bar. Raises CommandError."""
    rows = []
    with progress(f"{file.name} ({configuration.name})", len(file.rows)) as advance:
        try:
            for row in score_rows(
                file.rows, configuration, options["processes"], options["time_limit"]
            ):
                rows.append(row)
                advance()
        except (ScoringError, PoolError) as error:
            raise CommandError(f"{file.name}, {error}") from error
    return MeasuredFile(file, rows)


def _compared(before: _Run, after: _Run, rounds: int) -> report.Comparison:
    groups = ([*run.report.groups, *run.report.pooled] for run in (before, after))
    pairs = [
        Pair(first, second, gain_of(ours, theirs, rounds))
        for ours, theirs, first, second in zip(before.parts, after.parts, *groups, strict=True)
    ]
    return report.Comparison((before.report.configuration, after.report.configuration), pairs)
