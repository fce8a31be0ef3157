"""Turns files of labelled answers into figures: thresholds of other data, groups, comparisons."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.conf import settings

from desk.scoring.configuration import Configuration
from desk.scoring.figures import EVERYTHING, Group, group, tasks_of
from desk.scoring.scoring import ScoredAnswer, ScoringError, score_rows
from desk.scoring.thresholds import Thresholds
from lib.stats.bootstrap import Interval, difference_interval
from tools.evaluation.answers import fit
from tools.evaluation.answers.fit import Fit, FitFile, fit_all
from tools.evaluation.answers.sets import LabelledFile

ALL_ANSWERS = "all answers"


@dataclass(frozen=True, slots=True)
class MeasuredFile:
    file: LabelledFile
    rows: list[ScoredAnswer]


class FittedRowsError(ValueError):
    """Raised for rows that something was fitted on: figures over them would flatter."""


def score_file(
    file: LabelledFile,
    configuration: Configuration,
    processes: int,
    time_limit: float,
    advance: Callable[[], None],
) -> MeasuredFile:
    """Check every answer. Raises ScoringError, PoolError."""
    rows = []
    try:
        for row in score_rows(file.rows, configuration, processes, time_limit):
            rows.append(row)
            advance()
    except ScoringError as error:
        raise ScoringError(f"{file.name}, {error}") from error
    return MeasuredFile(file, rows)


def unseen(
    file: LabelledFile, fits: Sequence[FitFile], configuration: Configuration, *, drop: bool
) -> LabelledFile:
    """Return the file if nothing that takes part was fitted on its rows.

    Raises FittedRowsError otherwise; with `drop` those rows are left out instead.
    """
    for what, known_hashes in _fitted(fits, configuration):
        marks = fit.fitted_rows(file.hashes, known_hashes)
        if any(marks) and not drop:
            raise FittedRowsError(
                f"{file.name}: {sum(marks)} of {len(marks)} rows were used to fit {what}. Report "
                "on other rows (--split report where it was fitted with --split tune), leave the "
                "file out, or leave these rows out (--drop-fit)."
            )
        file = file.without(marks)
    if not file.rows:
        raise FittedRowsError(f"{file.name}: every row was used to fit something.")
    return file


def _fitted(
    fits: Sequence[FitFile], configuration: Configuration
) -> list[tuple[str, tuple[str, ...]]]:
    def setting(name: str) -> object:
        return configuration.settings.get(name, getattr(settings, name, None))

    shipped = fit.manifests(fit.SHIPPED, setting)
    ours = [("these thresholds", fit.hashes) for fit in fits]
    return ours + [(item.what, item.hashes) for item in shipped]


def thresholds_for(files: Sequence[MeasuredFile], fit: Fit | None) -> list[Fit | None]:
    """Return for each file the thresholds to judge it by: given ones, or fitted on the other files.

    Rows that share a source with the file are left out of its fit. None for a single file without
    given thresholds: there is no other data.
    """
    if fit is not None:
        return [fit] * len(files)
    if len(files) < 2:
        return [None] * len(files)
    return [_fit_without(item, files) for item in files]


def _fit_without(file: MeasuredFile, files: Sequence[MeasuredFile]) -> Fit:
    own = {row.source for row in file.rows}
    others = [
        [row for row in other.rows if row.source not in own] for other in files if other is not file
    ]
    return fit_all([rows for rows in others if rows])


@dataclass(frozen=True, slots=True)
class Part:
    """Answers that get figures together: of one file, of one task in it, or of several files."""

    name: str
    task: str
    rows: list[ScoredAnswer]
    thresholds: Thresholds | None

    def group(self, rounds: int) -> Group:
        return group(self.name, self.task, self.rows, self.thresholds, rounds)


def parts_of(file: MeasuredFile, fit: Fit | None, *, by_task: bool) -> list[Part]:
    """Return the whole of a file, and where it has several tasks each task."""
    tasks = tasks_of(file.rows)
    alone = next(iter(tasks)) if len(tasks) == 1 else None
    parts = [(EVERYTHING, file.rows, alone)]
    if alone is None:
        parts += [(task or "none", rows, task) for task, rows in tasks.items()]
    return [
        Part(file.file.name, name, rows, fit.of(task if by_task else None) if fit else None)
        for name, rows, task in parts
    ]


def pools_of(
    files: Sequence[MeasuredFile], prefixes: Sequence[str], thresholds: Thresholds | None
) -> list[Part]:
    """Return for each prefix the files whose names begin with it, as one; then all files as one."""
    pools = [
        (f"{prefix}*", [item for item in files if item.file.name.startswith(prefix)])
        for prefix in prefixes
    ]
    everything = [(ALL_ANSWERS, list(files))] if len(files) > 1 else []
    return [
        Part(name, EVERYTHING, [row for item in members for row in item.rows], thresholds)
        for name, members in (*pools, *everything)
    ]


def gain_of(ours: Part, theirs: Part, rounds: int) -> Interval:
    """Return by how much the second configuration ranks the same answers better."""
    return difference_interval(
        [row.label for row in ours.rows],
        [row.ranked for row in theirs.rows],
        [row.ranked for row in ours.rows],
        [row.source for row in ours.rows],
        rounds=rounds,
    )


def models_of(files: Sequence[MeasuredFile]) -> tuple[str, ...]:
    return tuple(sorted({model for item in files for row in item.rows for model in row.models}))
