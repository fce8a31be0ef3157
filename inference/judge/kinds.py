"""The judges in this repository: their folders, and the files they are made from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from inference.judge import base, minilm
from inference.judge.defaults import BASE, FOLDERS, SMALL
from inference.sources import MINILM

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


KINDS = {
    BASE: Kind(
        folder=FOLDERS[BASE],
        differences=_HERE / "weights.npz",
        provide=base.provide,
        is_whole=base.is_whole,
        sha256=base.SHA256,
        step="download the base",
    ),
    SMALL: Kind(
        folder=FOLDERS[SMALL],
        differences=_HERE / "small.npz",
        provide=minilm.write_base,
        is_whole=lambda _folder: False,  # converting it again takes a second
        sha256=MINILM.sha256,
        step="convert MiniLM",
    ),
}


def kind_of(folder: Path) -> Kind:
    return next((kind for kind in KINDS.values() if kind.folder == folder.name), KINDS[BASE])
