"""Prepares the judges of this repository if necessary."""

import hashlib
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from inference.errors import ModelError
from inference.judge import ANSWERS, BASE, FOLDERS, SMALL, bases, judge_folder
from inference.judge.bases import FOLDER
from inference.prepare import Report, ensure_prepared, run_maker
from inference.quantise import QUANTISATION
from inference.sources import MINILM, sha256
from inference.store import DEFAULT_FOLDER, Manifest

_HERE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Kind:
    """A judge. `folder`: below MODEL_DIR. `differences`: what training changed in the encoder.

    `provide` ensures that the encoder is in a folder, `is_whole` says whether it is there already.
    `sha256`: of the files that the encoder comes from. `step`: what `provide` does, for people to
    see.
    """

    folder: str
    differences: Path
    provide: Callable[[Path], None]
    is_whole: Callable[[Path], bool]
    sha256: Mapping[str, str]
    step: str


def share_base(folder: Path) -> None:
    """Ensure that the base judge's encoder is in `folder` too, if possible without a second copy.

    What is there already is replaced.
    """
    base = judge_folder(folder.parents[1]) / FOLDER
    bases.provide(base)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(base, folder, copy_function=_link)


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # a file system without hard links
        shutil.copyfile(source, target)


KINDS = {
    BASE: Kind(
        folder=FOLDERS[BASE],
        differences=_HERE / "weights.npz",
        provide=bases.provide,
        is_whole=bases.is_whole,
        sha256=bases.SHA256,
        step="download the base",
    ),
    SMALL: Kind(
        folder=FOLDERS[SMALL],
        differences=_HERE / "small.npz",
        provide=bases.write_minilm,
        is_whole=lambda _folder: False,  # converting it again takes a second
        sha256=MINILM.sha256,
        step="convert MiniLM",
    ),
    ANSWERS: Kind(
        folder=FOLDERS[ANSWERS],
        differences=_HERE / "answers.npz",
        provide=share_base,
        is_whole=bases.is_whole,
        sha256=bases.SHA256,
        step="share the base",
    ),
}


def kind_of(folder: Path) -> Kind:
    return next((kind for kind in KINDS.values() if kind.folder == folder.name), KINDS[BASE])


FORM = f"{QUANTISATION}-even-1"
"""The format of the graph; changing it has every judge prepared again."""
_MAKER = ("inference.judge.build",)


def ensure_judge(
    root: Path = DEFAULT_FOLDER,
    name: str = BASE,
    *,
    force: bool = False,
    report: Report = lambda _step: None,
    differences: Path | None = None,
) -> Manifest:
    """Ensure that the judge `name` is prepared below `root`; return its manifest.

    Downloads the base encoder if it is named and missing (400 MB), then a child process exports it
    with the trained differences. Does nothing if the judge is complete and up to date; of two
    processes one works, the other waits. Raises ModelError; then the previous one is intact.
    """
    folder, kind = judge_folder(root, name), KINDS[name]
    weights = differences or kind.differences
    return ensure_prepared(
        folder,
        f"the {name} judge",
        lambda manifest: manifest.source_sha256 == fingerprint(kind, weights),
        lambda: _build_model(folder, kind, weights, report),
        force=force,
    )


def fingerprint(kind: Kind, differences: Path) -> str:
    """Return a hash of everything that the prepared judge is made from."""
    parts = (sorted(kind.sha256.items()), sha256(differences), FORM)
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _build_model(folder: Path, kind: Kind, differences: Path, report: Report) -> Manifest:
    if not differences.is_file():
        raise ModelError(
            f"The judge's trained weights are missing: {differences}.",
            "Restore them (`git checkout -- inference/judge`).",
        )
    if not kind.is_whole(folder / FOLDER):
        report(kind.step)
        kind.provide(folder / FOLDER)
    return run_maker(_MAKER, str(differences), folder, report, offline=True)
