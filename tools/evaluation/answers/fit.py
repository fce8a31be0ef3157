"""Thresholds for one configuration, and the file that keeps them with what they were fitted on."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analysis.engine.codec import decode_text, encode
from desk.scoring.configuration import Configuration
from desk.scoring.figures import fit, tasks_of
from desk.scoring.scoring import ScoredAnswer
from desk.scoring.thresholds import Thresholds

VERSION = 2


class FitError(ValueError):
    """Raised for a file of thresholds that cannot be used here; the message says why."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Thresholds over all tasks, and for each task alone."""

    everything: Thresholds
    by_task: dict[str, Thresholds]

    def of(self, task: str | None) -> Thresholds:
        """Return the thresholds of the task; those over all for None and for an unknown task."""
        return self.everything if task is None else self.by_task.get(task, self.everything)


@dataclass(frozen=True, slots=True)
class FitFile:
    """A fit with its record: what made the scores, and hashes of all rows it was fitted on."""

    configuration: dict[str, Any]
    models: tuple[str, ...]
    part: str
    fit: Fit
    files: dict[str, int]
    hashes: tuple[str, ...]
    version: int = VERSION


def fit_all(sets: Sequence[Sequence[ScoredAnswer]]) -> Fit:
    """Return thresholds for the files over all tasks and for each task."""
    tasks = dict.fromkeys(row.task for rows in sets for row in rows)
    of_task = {task: [tasks_of(rows).get(task, []) for rows in sets] for task in tasks}
    return Fit(fit(sets), {task: fit(task_sets) for task, task_sets in of_task.items()})


def identity(configuration: Configuration) -> dict[str, Any]:
    """Return what determines the scores beside the code, and so what thresholds hold for."""
    return {"settings": dict(configuration.settings), "policy": dict(configuration.policy)}


def write(path: Path, fit_file: FitFile) -> None:
    """Store a fit. Raises OSError."""
    data = encode(replace(fit_file, hashes=tuple(sorted(fit_file.hashes))))
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def read(path: Path) -> FitFile:
    """Return a fit that `write` stored. Raises FitError."""
    try:
        fit_file = decode_text(FitFile, path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FitError(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise FitError(f"{path} is no file of `manage.py fit_thresholds`: {error}") from error
    if fit_file.version != VERSION:
        raise FitError(f"{path} has version {fit_file.version}; {VERSION} is read.")
    return fit_file
