"""Thresholds for one configuration, and the file they are kept in with what they saw."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from scoring.configuration import Configuration
from scoring.figures import fit, tasks_of
from scoring.scoring import ScoredAnswer
from scoring.thresholds import Thresholds

VERSION = 1


class FitError(ValueError):
    """A file of thresholds that cannot be used here, in words."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Thresholds over all tasks, and for each task alone."""

    everything: Thresholds
    by_task: dict[str, Thresholds]

    def of(self, task: str | None) -> Thresholds:
        """Those of the task; those over all where it is None or was not among the rows."""
        return self.everything if task is None else self.by_task.get(task, self.everything)


@dataclass(frozen=True, slots=True)
class FitFile:
    """A fit with its record: by what the scores were made, and hashes of all rows it saw."""

    configuration: dict[str, Any]
    models: tuple[str, ...]
    part: str
    fit: Fit
    files: dict[str, int]
    hashes: tuple[str, ...]


def fit_all(sets: Sequence[Sequence[ScoredAnswer]]) -> Fit:
    """Thresholds for the files over all tasks and for each task."""
    tasks = dict.fromkeys(row.task for rows in sets for row in rows)
    of_task = {task: [tasks_of(rows).get(task, []) for rows in sets] for task in tasks}
    return Fit(fit(sets), {task: fit(task_sets) for task, task_sets in of_task.items()})


def identity(configuration: Configuration) -> dict[str, Any]:
    """What decides the scores, beside the code: thresholds of one say nothing of another."""
    return {"settings": dict(configuration.settings), "policy": dict(configuration.policy)}


def write(path: Path, fit_file: FitFile) -> None:
    """Keep a fit. Raises OSError."""
    data = {
        "version": VERSION,
        "configuration": fit_file.configuration,
        "models": list(fit_file.models),
        "part": fit_file.part,
        "thresholds": asdict(fit_file.fit.everything),
        "thresholds_by_task": {task: asdict(item) for task, item in fit_file.fit.by_task.items()},
        "fitted_on": {"files": fit_file.files, "hashes": sorted(fit_file.hashes)},
    }
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def read(path: Path) -> FitFile:
    """A fit that `write` kept. Raises FitError."""
    try:
        return _parse(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise FitError(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FitError(f"{path} is no file of `manage.py fit_thresholds`: {error!r}") from error


def _parse(data: Mapping[str, Any]) -> FitFile:
    if data["version"] != VERSION:
        raise ValueError(f"version {data['version']}")
    by_task = {task: _thresholds(item) for task, item in data["thresholds_by_task"].items()}
    return FitFile(
        configuration=dict(data["configuration"]),
        models=tuple(data["models"]),
        part=data["part"],
        fit=Fit(_thresholds(data["thresholds"]), by_task),
        files=dict(data["fitted_on"]["files"]),
        hashes=tuple(data["fitted_on"]["hashes"]),
    )


def _thresholds(data: Mapping[str, Any]) -> Thresholds:
    return Thresholds(**{item.name: data[item.name] for item in fields(Thresholds)})
