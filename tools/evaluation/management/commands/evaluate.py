"""`manage.py evaluate`: measures how accurate the verdicts are, on files of labelled answers."""

from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO, Any, cast

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.table import Table

from analysis.engine import ENGINE_VERSION
from desk.scoring.configuration import Configuration
from desk.scoring.management.checking import add_pool_arguments, configuration_named
from lib.stats.bootstrap import ROUNDS
from tools.evaluation.answers import fit, report
from tools.evaluation.answers.measuring import (
    FittedRowsError,
    Part,
    gain_of,
    models_of,
    parts_of,
    pools_of,
    thresholds_for,
    unseen,
)
from tools.evaluation.answers.report import Pair, ReportTable, phenomena_of
from tools.evaluation.answers.sets import LabelledFile
from tools.evaluation.management.labelled import add_set_arguments, load_files, score_files
from tools.evaluation.rendering import figures_table

_LEAST_WIDTH = 200


@dataclass(frozen=True, slots=True)
class _Run:
    """One configuration; `parts` are those of the report, then those over several files."""

    parts: list[Part]
    report: report.Report


class Command(BaseCommand):
    help = (
        "Measure the verdicts on labelled answers: ranking with intervals, decisions at thresholds "
        "chosen on other data, baselines, phenomena, calibration, cost. Refuses rows that "
        "something was fitted on."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_set_arguments(parser)
        parser.add_argument(
            "--thresholds",
            type=Path,
            action="append",
            help="a file of fit_thresholds (with --compare one for each configuration); without "
            "it each file's thresholds are fitted on the other files",
        )
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
            "--by-task", action="store_true", help="thresholds of each task alone, where fitted"
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
        fits = _fits(options["thresholds"] or [], configurations)
        for prefix in options["group"]:
            if not any(file.name.startswith(prefix) for file in options["files"]):
                raise CommandError(f"--group {prefix}: no file's name begins so.")
        files = [
            _unseen(file, [fit for fit in fits if fit], configurations, options)
            for file in load_files(options, self.stderr)
        ]
        runs = [
            _run(files, configuration, fit_file, options)
            for configuration, fit_file in zip(configurations, fits, strict=True)
        ]
        comparisons = [_compared(*pair, options["rounds"]) for pair in pairwise(runs)]
        terminal = Console(file=cast(IO[str], self.stdout))
        out = Console(file=cast(IO[str], self.stdout), width=max(_LEAST_WIDTH, terminal.width))
        for run in runs:
            out.print(f"Configuration {run.report.configuration}", style="bold")
            for name, value in run.report.about.items():
                out.print(f"{name}: {value}", highlight=False, markup=False)
            for table in run.report.tables:
                out.print(_terminal_table(table))
        for table in report.side_by_side([run.report for run in runs], comparisons):
            out.print(_terminal_table(table))
        if options["out"]:
            folder = options["out"]
            try:
                paths = report.write(folder, [run.report for run in runs], comparisons)
            except OSError as error:
                raise CommandError(f"{folder} cannot be written: {error.strerror}.") from error
            self.stdout.write(f"Written to {folder}: {', '.join(path.name for path in paths)}")


def _fits(paths: list[Path], configurations: list[Configuration]) -> list[fit.FitFile | None]:
    if not paths:
        return [None] * len(configurations)
    try:
        fit_files = [(path, fit.read(path)) for path in paths]
    except fit.FitError as error:
        raise CommandError(str(error)) from error
    return [_fit_of(configuration, fit_files) for configuration in configurations]


def _fit_of(configuration: Configuration, fit_files: list[tuple[Path, fit.FitFile]]) -> fit.FitFile:
    ours = fit.identity(configuration)
    for _, item in fit_files:
        if item.configuration == ours:
            return item
    names = ", ".join(str(path) for path, _ in fit_files)
    raise CommandError(
        f"The thresholds of {names} were fitted under another configuration than "
        f"{configuration.name!r}: scores compare only under the same. Run fit_thresholds "
        f"--config {configuration.name}."
    )


def _unseen(
    file: LabelledFile,
    fits: Sequence[fit.FitFile],
    configurations: Sequence[Configuration],
    options: dict[str, Any],
) -> LabelledFile:
    try:
        for configuration in configurations:
            file = unseen(file, fits, configuration, drop=options["drop_fitted"])
    except FittedRowsError as error:
        raise CommandError(str(error)) from error
    return file


def _run(
    files: list[LabelledFile],
    configuration: Configuration,
    fit_file: fit.FitFile | None,
    options: dict[str, Any],
) -> _Run:
    scored_files = score_files(files, configuration, options)
    models = models_of(scored_files)
    if fit_file and set(fit_file.models) != set(models):
        raise CommandError(
            f"The thresholds were fitted on scores of {', '.join(fit_file.models)}; these are of "
            f"{', '.join(models)}. Run fit_thresholds again."
        )
    fits = thresholds_for(scored_files, fit_file.fit if fit_file else None)
    parts = [
        part
        for item, thresholds in zip(scored_files, fits, strict=True)
        for part in parts_of(item, thresholds, by_task=options["by_task"])
    ]
    everything = fit_file.fit.everything if fit_file else None
    pools = pools_of(scored_files, options["group"], everything)
    groups, pooled = ([part.group(options["rounds"]) for part in some] for some in (parts, pools))
    about = {
        "models": ", ".join(models),
        "engine": ENGINE_VERSION,
        "rows": f"split {options['split']}",
        "thresholds": _heading(fit_file, len(scored_files), by_task=options["by_task"]),
        "processes": options["processes"],
        "not scored": sum(group.without_score for group in groups if group.task == "all"),
    }
    phenomena = {
        item.file.name: phenomena_of(item.rows, options["rounds"])
        for item in scored_files
        if any(row.phenomenon for row in item.rows)
    }
    measurements = report.Report(configuration.name, about, groups, pooled, phenomena)
    return _Run([*parts, *pools], measurements)


def _heading(fit_file: fit.FitFile | None, files: int, *, by_task: bool) -> str:
    each = ", for each task" if by_task else ", one for all tasks"
    if fit_file:
        names = ", ".join(f"{name} ({count})" for name, count in fit_file.files.items())
        return f"fitted on {names}, split {fit_file.part}{each}"
    if files > 1:
        return f"for each file fitted on the other files{each}"
    return "none: a single file, and no --thresholds"


def _compared(before: _Run, after: _Run, rounds: int) -> report.Comparison:
    groups = ([*run.report.groups, *run.report.pooled] for run in (before, after))
    pairs = [
        Pair(first, second, gain_of(ours, theirs, rounds))
        for ours, theirs, first, second in zip(before.parts, after.parts, *groups, strict=True)
    ]
    return report.Comparison((before.report.configuration, after.report.configuration), pairs)


def _terminal_table(table: ReportTable) -> Table:
    return figures_table(table.title, table.headings, table.rows, labels=2)
