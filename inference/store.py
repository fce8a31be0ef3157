"""Prepared models on disk: content-named files, and a manifest that lists them.

The manifest is replaced last and atomically, so a reader finds the old model or the new one.
"""

import contextlib
import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from inference.errors import ModelError
from inference.sources import sha256

FORMAT = 1
MANIFEST = "manifest.json"
SCRATCH = ".making-"
REBUILD = "Run `python -m inference.export`, which repairs it."
DEFAULT_FOLDER = Path(__file__).resolve().parent.parent / ".data" / "models"
_SLUG_CHARS = 60

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The identity of a prepared model and how it was made. `files` maps name to SHA-256.

    `labels` are the outputs of a judge, in order; an embedding model has none.
    """

    format: int = FORMAT
    name: str
    model_id: str
    runtime: str = "onnx"
    quantisation: str
    dimensions: int
    max_tokens: int
    pad_id: int
    source: str
    source_sha256: str
    package: str
    opset: int | None
    files: dict[str, str] = field(default_factory=dict)
    prompts: dict[str, str] = field(default_factory=dict)
    labels: tuple[str, ...] = ()
    made_with: dict[str, str] = field(default_factory=dict)
    quality: dict[str, float] = field(default_factory=dict)
    reason: str = ""

    def file(self, suffix: str) -> str:
        """Return the name of the file that ends in `suffix`."""
        return next(name for name in self.files if name.endswith(suffix))


def model_folder(root: Path, name: str) -> Path:
    """Return the folder of the model `name` below `root`; different names never collide."""
    slug = re.sub(r"[^A-Za-z0-9.-]+", "-", name).strip("-.")[-_SLUG_CHARS:]
    return root / f"{slug}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def read_manifest(folder: Path) -> Manifest:
    """Return a prepared model's manifest. Raises ModelError if it is missing or damaged."""
    try:
        fields: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if fields["format"] != FORMAT or fields["runtime"] != "onnx":
            raise ModelError(f"{folder} was prepared by another version.", REBUILD)
        return Manifest(**{**fields, "labels": tuple(fields.get("labels", ()))})
    except FileNotFoundError as error:
        raise ModelError(f"No model is prepared in {folder}.", REBUILD) from error
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise ModelError(f"{folder / MANIFEST} is damaged: {error}", REBUILD) from error


def verify(folder: Path, manifest: Manifest) -> None:
    """Raise ModelError unless each file has the SHA-256 in its manifest (58 MB: 0.1 s)."""
    for name, expected in manifest.files.items():
        try:
            digest = sha256(folder / name)
        except OSError as error:
            raise ModelError(f"{folder / name} cannot be read: {error}", REBUILD) from error
        if digest != expected:
            raise ModelError(f"{folder / name} is damaged (its SHA-256 differs).", REBUILD)


def verified_manifest(folder: Path) -> Manifest:
    """Return the manifest of a prepared model after verifying its files. Raises ModelError."""
    manifest = read_manifest(folder)
    try:
        verify(folder, manifest)
    except ModelError:
        # Another process may just have replaced the model: then the manifest names new files.
        manifest = read_manifest(folder)
        verify(folder, manifest)
    return manifest


def open_prepared(
    folder: Path,
    open_model: Callable[[Path, Manifest], T],
    *,
    prepare: Callable[[], object] | None = None,
    remedy: str = "",
) -> T:
    """Load the model in `folder` after verifying its files; `prepare` it if that fails.

    Raises ModelError, with `remedy` if the error's own does not fit.
    """
    try:
        return open_model(folder, verified_manifest(folder))
    except ModelError as error:
        if prepare is None:
            raise ModelError(error.problem, remedy or error.remedy) from error
    prepare()
    return open_model(folder, verified_manifest(folder))


@contextlib.contextmanager
def scratch(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder beside the model's files; leftovers of a crash are deleted first."""
    for leftover in folder.glob(f"{SCRATCH}*"):
        shutil.rmtree(leftover, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=SCRATCH, dir=folder) as name:
        yield Path(name)


def adopt(folder: Path, file: Path) -> tuple[str, str]:
    """Move a finished file in under a name from its content; return its name and SHA-256."""
    digest = sha256(file)
    name = f"{file.stem}-{digest[:16]}{file.suffix}"
    _flush(file)
    file.replace(folder / name)
    return name, digest


def publish(folder: Path, manifest: Manifest, work: Path) -> None:
    """Make `manifest` the current one, then delete the files of older ones."""
    new = work / MANIFEST
    new.write_text(json.dumps(asdict(manifest), indent=2, ensure_ascii=False), encoding="utf-8")
    _flush(new)
    new.replace(folder / MANIFEST)
    keep = {MANIFEST, *manifest.files}
    for old in folder.iterdir():
        if old.is_file() and old.name not in keep:
            old.unlink(missing_ok=True)


def _flush(file: Path) -> None:
    with file.open("rb") as handle:
        os.fsync(handle.fileno())
