"""Turns files of labelled answers into figures: thresholds of other data, groups, comparisons."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.conf import settings

from desk.scoring.configuration import Configuration
from desk.scoring.figures import EVERYTHING, Group, group, tasks_of
from desk.scoring.scoring import ScoredAnswer, ScoringError, score_rows
from desk.scoring.thresholds import Thresholds
from lib.stats.bootstrap import difference_interval
from tools.evaluation.answers import fit
from tools.evaluation.answers.fit import Fit, FitFile, fit_all
from tools.evaluation.answers.report import Pair
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


def groups_of(file: MeasuredFile, fit: Fit | None, *, by_task: bool, rounds: int) -> list[Group]:
    """Return the figures of a file, and where it has several tasks of each task."""
    tasks = tasks_of(file.rows)
    alone = next(iter(tasks)) if len(tasks) == 1 else None

    def part(name: str, rows: Sequence[ScoredAnswer], task: str | None) -> Group:
        thresholds = fit.of(task if by_task else None) if fit else None
        return group(file.file.name, name, rows, thresholds, rounds)

    everything = part(EVERYTHING, file.rows, alone)
    if alone is not None:
        return [everything]
    return [everything, *(part(task or "none", rows, task) for task, rows in tasks.items())]


def pools_of(files: Sequence[MeasuredFile], prefixes: Sequence[str]) -> list[MeasuredFile]:
    """Return for each prefix the files whose names begin with it, as one; then all files as one."""
    groups = [
        (f"{prefix}*", [item for item in files if item.file.name.startswith(prefix)])
        for prefix in prefixes
    ]
    everything = [(ALL_ANSWERS, files)] if len(files) > 1 else []
    return [
        MeasuredFile(
            LabelledFile(name, tuple(row for item in members for row in item.file.rows)),
            [row for item in members for row in item.rows],
        )
        for name, members in (*groups, *everything)
    ]


def group_of(pool: MeasuredFile, thresholds: Thresholds | None, rounds: int) -> Group:
    """Return the figures over all answers of a pool."""
    return group(pool.file.name, EVERYTHING, pool.rows, thresholds, rounds)


def pairs_of(
    file: MeasuredFile,
    other: MeasuredFile,
    groups: tuple[Sequence[Group], Sequence[Group]],
    rounds: int,
) -> list[Pair]:
    """Return the groups of one file under two configurations, with the gain of the second."""
    tasks = tasks_of(file.rows)
    sets = [list(range(len(file.rows)))]
    if len(tasks) > 1:
        sets += [[at for at, row in enumerate(file.rows) if row.task == task] for task in tasks]
    return [
        pair_of(
            [file.rows[at] for at in places],
            [other.rows[at] for at in places],
            (first, second),
            rounds,
        )
        for first, second, places in zip(*groups, sets, strict=True)
    ]


def pair_of(
    ours: Sequence[ScoredAnswer],
    theirs: Sequence[ScoredAnswer],
    groups: tuple[Group, Group],
    rounds: int,
) -> Pair:
    """Return the same answers under two configurations, with the gain of the second."""
    gain = difference_interval(
        [row.label for row in ours],
        [row.ranked for row in theirs],
        [row.ranked for row in ours],
        [row.source for row in ours],
        rounds=rounds,
    )
    return Pair(*groups, gain)


def models_of(files: Sequence[MeasuredFile]) -> tuple[str, ...]:
    return tuple(sorted({model for item in files for row in item.rows for model in row.models}))
