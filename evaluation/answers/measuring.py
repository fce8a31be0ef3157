"""Files of labelled answers to figures: thresholds from other data, groups, comparisons."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.conf import settings

from evaluation.answers import fitted
from evaluation.answers.fit import Fit, FitFile, fit_all
from evaluation.answers.sets import LabelledFile
from evaluation.answers.tables import Pair
from scoring.configuration import Configuration
from scoring.figures import EVERYTHING, Group, group, tasks_of
from scoring.scoring import Scored, ScoringError, score_rows
from stats.bootstrap import difference_interval


@dataclass(frozen=True, slots=True)
class Measured:
    """A file and its scored answers."""

    file: LabelledFile
    rows: list[Scored]


class FittedRowsError(ValueError):
    """Rows that something was fitted on: a figure over them would flatter."""


def score_file(
    file: LabelledFile,
    configuration: Configuration,
    processes: int,
    time_limit: float,
    advance: Callable[[], None],
) -> Measured:
    """Check every answer. Raises ScoringError, PoolError."""
    found = []
    try:
        for row in score_rows(file.rows, configuration, processes, time_limit):
            found.append(row)
            advance()
    except ScoringError as error:
        raise ScoringError(f"{file.name}, {error}") from error
    return Measured(file, found)


def unseen(
    file: LabelledFile, fits: Sequence[FitFile], configuration: Configuration, *, drop: bool
) -> LabelledFile:
    """The file, where nothing that takes part was fitted on its rows.

    Raises FittedRowsError otherwise; with `drop` those rows are left out instead.
    """
    for what, known in _fitted(fits, configuration):
        marked = fitted.seen(file.hashes, known)
        if any(marked) and not drop:
            raise FittedRowsError(
                f"{file.name}: {sum(marked)} of {len(marked)} rows were used to fit {what}. Report "
                "on other rows (--split report where it was fitted with --split tune), leave the "
                "file out, or leave these rows out (--drop-fitted)."
            )
        file = file.without(marked)
    if not file.rows:
        raise FittedRowsError(f"{file.name}: every row was used to fit something.")
    return file


def _fitted(
    fits: Sequence[FitFile], configuration: Configuration
) -> list[tuple[str, tuple[str, ...]]]:
    def setting(name: str) -> object:
        return configuration.settings.get(name, getattr(settings, name, None))

    shipped = fitted.manifests(fitted.SHIPPED, setting)
    ours = [("these thresholds", one.hashes) for one in fits]
    return ours + [(one.what, one.hashes) for one in shipped]


def thresholds_for(measured: Sequence[Measured], given: Fit | None) -> list[Fit | None]:
    """For each file the thresholds to judge it by: those given, else fitted on the other files.

    What rests on a source of the file itself is left out of its fit. None for a single file
    without given thresholds: there is no other data.
    """
    if given is not None:
        return [given] * len(measured)
    if len(measured) < 2:
        return [None] * len(measured)
    return [_fit_without(one, measured) for one in measured]


def _fit_without(one: Measured, measured: Sequence[Measured]) -> Fit:
    own = {row.source for row in one.rows}
    others = [
        [row for row in other.rows if row.source not in own]
        for other in measured
        if other is not one
    ]
    return fit_all([rows for rows in others if rows])


def groups_of(one: Measured, found: Fit | None, *, by_task: bool, rounds: int) -> list[Group]:
    """The figures of a file, and where it holds several tasks of each of them."""
    tasks = tasks_of(one.rows)
    alone = next(iter(tasks)) if len(tasks) == 1 else None

    def made(name: str, rows: Sequence[Scored], task: str | None) -> Group:
        thresholds = found.of(task if by_task else None) if found else None
        return group(one.file.name, name, rows, thresholds, rounds)

    whole = made(EVERYTHING, one.rows, alone)
    if alone is not None:
        return [whole]
    return [whole, *(made(task or "none", rows, task) for task, rows in tasks.items())]


def pairs_of(
    one: Measured, two: Measured, groups: tuple[Sequence[Group], Sequence[Group]], rounds: int
) -> list[Pair]:
    """The groups of one file under two configurations, with the gain of the second."""
    tasks = tasks_of(one.rows)
    sets = [list(range(len(one.rows)))]
    if len(tasks) > 1:
        sets += [[at for at, row in enumerate(one.rows) if row.task == task] for task in tasks]
    found = []
    for first, second, places in zip(*groups, sets, strict=True):
        ours, theirs = [one.rows[at] for at in places], [two.rows[at] for at in places]
        gain = difference_interval(
            [row.label for row in ours],
            [row.ranked for row in theirs],
            [row.ranked for row in ours],
            [row.source for row in ours],
            rounds=rounds,
        )
        found.append(Pair(first, second, gain))
    return found


def models_of(measured: Sequence[Measured]) -> tuple[str, ...]:
    """All models that took part."""
    return tuple(sorted({model for one in measured for row in one.rows for model in row.models}))
