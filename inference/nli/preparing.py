"""Have an entailment model prepared that the settings name."""

from pathlib import Path

from inference.prepare import Report, ensure_model
from inference.store import DEFAULT_FOLDER, Manifest, model_folder

_MAKER = "inference.nli.build"


def nli_folder(root: Path, name: str) -> Path:
    """Where the prepared model lives, apart from an embedding model of the same name."""
    return model_folder(_below(root), name)


def ensure_nli(
    name: str,
    root: Path = DEFAULT_FOLDER,
    *,
    force: bool = False,
    report: Report = lambda _step: None,
) -> Manifest:
    """Have the sequence-classification model `name` prepared; as `inference.prepare.ensure_model`.

    Raises ModelError also where the order of its labels cannot be told.
    """
    return ensure_model(name, _below(root), force=force, report=report, maker=_MAKER)


def _below(root: Path) -> Path:
    return root / "nli"
