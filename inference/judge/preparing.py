"""Have the judge prepared, and say whether it is."""

import hashlib
from pathlib import Path

from filelock import FileLock, Timeout

from inference.errors import ModelError
from inference.judge.base import FOLDER, SHA256, is_whole, provide
from inference.prepare import WAIT_S, Report, run_maker
from inference.quantise import QUANTISATION
from inference.sources import sha256
from inference.store import DEFAULT_FOLDER, Manifest, read_manifest, verify

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
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{folder}.lock", timeout=WAIT_S):
            current = None if force else _current(folder, differences)
            return current or _build_model(folder, differences, report)
    except Timeout as error:
        raise ModelError(
            f"Another process has been preparing the judge for {WAIT_S} s.",
            "End it, then run the same command again.",
        ) from error
    except OSError as error:
        raise ModelError(
            f"{folder} cannot be written: {error}", "Set MODEL_DIR to a folder of this user's own."
        ) from error


def fingerprint(differences: Path) -> str:
    """A hash of all that the prepared judge is made from."""
    parts = (SHA256.items(), sha256(differences), FORM)
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _current(folder: Path, differences: Path) -> Manifest | None:
    try:
        manifest = read_manifest(folder)
        verify(folder, manifest)
    except ModelError:
        return None
    return manifest if manifest.source_sha256 == fingerprint(differences) else None


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
