"""Turns files of labelled answers into figures: groups, pools, comparisons."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings

from desk.scoring.configuration import Configuration
from desk.scoring.figures import EVERYTHING, Group, group, tasks_of
from desk.scoring.scoring import ScoredAnswer
from lib.stats.bootstrap import Interval, difference_interval
from tools.evaluation.answers import fit
from tools.evaluation.answers.sets import LabelledFile

ALL_ANSWERS = "all answers"


@dataclass(frozen=True, slots=True)
class MeasuredFile:
    file: LabelledFile
    rows: list[ScoredAnswer]


class FittedRowsError(ValueError):
    """Raised for rows that something was fitted on: figures over them would flatter."""


def unseen(file: LabelledFile, configuration: Configuration, *, drop: bool) -> LabelledFile:
    """Return the file if nothing that takes part was fitted on its rows.

    Raises FittedRowsError otherwise; with `drop` those rows are left out instead.
    """

    def setting(name: str) -> object:
        return configuration.settings.get(name, getattr(settings, name, None))

    for manifest in fit.manifests(fit.SHIPPED, setting):
        marks = fit.fitted_rows(file.hashes, manifest.hashes)
        if any(marks) and not drop:
            raise FittedRowsError(
                f"{file.name}: {sum(marks)} of {len(marks)} rows were used to fit {manifest.what}. "
                "Report on other rows (--split report where it was fitted with --split tune), "
                "leave the file out, or leave these rows out (--drop-fitted)."
            )
        file = file.without(marks)
    if not file.rows:
        raise FittedRowsError(f"{file.name}: every row was used to fit something.")
    return file


@dataclass(frozen=True, slots=True)
class Part:
    """Answers that get figures together: of one file, of one task in it, or of several files."""

    name: str
    task: str
    rows: list[ScoredAnswer]

    def group(self, rounds: int) -> Group:
        return group(self.name, self.task, self.rows, rounds)


def parts_of(file: MeasuredFile) -> list[Part]:
    """Return the whole of a file, and where it has several tasks each task."""
    tasks = tasks_of(file.rows)
    parts = {EVERYTHING: file.rows}
    if len(tasks) > 1:
        parts |= {task or "none": rows for task, rows in tasks.items()}
    return [Part(file.file.name, task, rows) for task, rows in parts.items()]


def pools_of(files: Sequence[MeasuredFile], prefixes: Sequence[str]) -> list[Part]:
    """Return for each prefix the files whose names begin with it, as one; then all files as one."""
    pools = [
        (f"{prefix}*", [item for item in files if item.file.name.startswith(prefix)])
        for prefix in prefixes
    ]
    if len(files) > 1:
        pools.append((ALL_ANSWERS, list(files)))
    return [
        Part(name, EVERYTHING, [row for item in members for row in item.rows])
        for name, members in pools
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
