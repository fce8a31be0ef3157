"""Have the judge prepared, and say whether it is."""

import hashlib
from pathlib import Path

from inference.errors import ModelError
from inference.judge.base import FOLDER, SHA256, is_whole, provide
from inference.prepare import Report, ensure_prepared, run_maker
from inference.quantise import QUANTISATION
from inference.sources import sha256
from inference.store import DEFAULT_FOLDER, Manifest

DIFFERENCES = Path(__file__).resolve().parent / "weights.npz"
"""What training changed in the base; the file that ships with this repository."""
FORM = f"{QUANTISATION}-even-1"
"""How the graph is written from the weights; another name has every judge prepared again."""
REMEDY = "Run `python -m inference.export --judge`, which repairs it."
_MAKER = "inference.judge.build"


def judge_folder(root: Path) -> Path:
    """Where the prepared judge lives below the folder of models."""
    return root / "judge"


def ensure_judge(
    root: Path = DEFAULT_FOLDER,
    *,
    force: bool = False,
    report: Report = lambda _step: None,
    differences: Path = DIFFERENCES,
) -> Manifest:
    """Have the judge prepared below `root`; returns its manifest.

    Downloads the base encoder where it is missing (400 MB), then a child process exports it with
    the trained differences. Nothing is done where the judge is whole and up to date; of two
    processes one works, the other waits. Raises ModelError; what was there before still is.
    """
    folder = judge_folder(root)
    return ensure_prepared(
        folder,
        "the judge",
        lambda manifest: manifest.source_sha256 == fingerprint(differences),
        lambda: _build_model(folder, differences, report),
        force=force,
    )


def fingerprint(differences: Path) -> str:
    """A hash of all that the prepared judge is made from."""
    parts = (SHA256.items(), sha256(differences), FORM)
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _build_model(folder: Path, differences: Path, report: Report) -> Manifest:
    if not differences.is_file():
        raise ModelError(
            f"The judge's trained weights are missing: {differences}.",
            "Restore them (`git checkout -- inference/judge`).",
        )
    if not is_whole(folder / FOLDER):
        report("download the base")
        provide(folder / FOLDER)
    return run_maker(str(differences), folder, report, _MAKER, offline=True)
