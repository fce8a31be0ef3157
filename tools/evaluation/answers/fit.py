"""Thresholds for one configuration, and the file that keeps them with what they were fitted on."""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
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


# Hashes of the rows that something was fitted on, so that no report is made on those rows.
#
# What ships fitted (a model, a policy) keeps its rows in a file of `fitted_on/`:
# `{"what": "…", "settings": {"NLI_MODEL": "small"}, "hashes": […]}`. It counts where the named
# settings have these values; a list names several.

SHIPPED = Path(__file__).parent / "fitted_on"
LENGTH = 16
"""Hexadecimal digits stored: among a million rows a collision has odds of 1 to 18 million."""


def hashes(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Return hashes of a row's identity (where it names its set and an id) and of its texts.

    The texts are question, context and answer, apart from case and spacing; so neither a new id nor
    a touched text makes a row that was seen a new one.
    """
    context = row.get("context")
    texts = [str(row.get("query") or ""), str(context), str(row.get("response"))]
    digests = [_hash("says", *(" ".join(part.casefold().split()) for part in texts))]
    if row.get("dataset") and row.get("id") is not None:
        digests.append(_hash("is", str(row["dataset"]), str(row["id"])))
    return tuple(digests)


def fitted_rows(rows: Iterable[tuple[str, ...]], fitted_on: Collection[str]) -> list[bool]:
    """Return for each row (its hashes) whether something was fitted on it."""
    known_hashes = frozenset(fitted_on)
    return [not known_hashes.isdisjoint(row) for row in rows]


@dataclass(frozen=True, slots=True)
class Manifest:
    """Something that ships fitted: its name, the settings under which it is used, and its rows."""

    what: str
    settings: dict[str, Any]
    hashes: tuple[str, ...]


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Store a manifest; training calls this with `hashes` of every row it used. Raises OSError."""
    data = asdict(manifest) | {"hashes": sorted(set(manifest.hashes))}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=0) + "\n", encoding="utf-8")


def manifests(folder: Path, setting: Callable[[str], Any]) -> list[Manifest]:
    """Return the manifests in the folder that apply; `setting` gives the value of a setting."""
    manifests = [Manifest(**json.loads(file.read_text())) for file in sorted(folder.glob("*.json"))]
    return [
        item
        for item in manifests
        if all(_is(setting(name), value) for name, value in item.settings.items())
    ]


def _is(value: Any, expected: Any) -> bool:
    return value in expected if isinstance(expected, list) else bool(value == expected)


def _hash(*parts: str) -> str:
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()[:LENGTH]
