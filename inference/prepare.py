"""Prepares models: checks whether one is there, and otherwise runs a child process."""

import json
import os
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO, Any

from filelock import FileLock, Timeout

from inference.errors import ModelError
from inference.quantise import QUANTISATION
from inference.sources import DEFAULT_MODEL, ModelSource, find_source, folder_hash
from inference.store import DEFAULT_FOLDER, Manifest, model_folder, read_manifest, verify

WAIT_S = 900
_CHECKOUT = Path(__file__).resolve().parent.parent
_TAIL_LINES = 8
_KNOWN = (QUANTISATION, "float32")

Report = Callable[[str], None]


def ensure_model(
    name: str = DEFAULT_MODEL,
    root: Path = DEFAULT_FOLDER,
    *,
    force: bool = False,
    report: Report = lambda _step: None,
    kind: str = "embedding",
) -> Manifest:
    """Ensure that the model `name` is prepared below `root`; return its manifest.

    `kind`: of `inference.build`, which a child process runs. Does nothing if it is there, complete
    and up to date. Two processes may call this at once: one works, the other waits. Raises
    ModelError; then the previous one is intact.
    """
    source = find_source(name)
    folder = model_folder(root, name)

    def make() -> Manifest:
        offline = source.folder is not None
        return run_maker(("inference.build", kind), name, folder, report, offline=offline)

    return ensure_prepared(folder, name, partial(_made_from, source), make, force=force)


def ensure_prepared(
    folder: Path,
    name: str,
    is_current: Callable[[Manifest], bool],
    make: Callable[[], Manifest],
    *,
    force: bool,
) -> Manifest:
    """Return the manifest in `folder`, by `make` unless the model there is complete and current.

    Of two processes one works, the other waits. Raises ModelError.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{folder}.lock", timeout=WAIT_S):
            manifest = None if force else _whole(folder)
            return manifest if manifest and is_current(manifest) else make()
    except Timeout as error:
        raise ModelError(
            f"Another process has been preparing {name} for {WAIT_S} s.",
            "End it, then run the same command again.",
        ) from error
    except OSError as error:
        raise ModelError(
            f"{folder} cannot be written: {error}", "Set MODEL_DIR to a folder of this user's own."
        ) from error


def _whole(folder: Path) -> Manifest | None:
    try:
        manifest = read_manifest(folder)
        verify(folder, manifest)
    except ModelError:
        return None
    return manifest


def _made_from(source: ModelSource, manifest: Manifest) -> bool:
    same = manifest.package == source.package and manifest.quantisation in _KNOWN
    if same and source.folder is not None and not source.bundled:
        return folder_hash(source.folder) == manifest.source_sha256
    return same


def run_maker(
    maker: tuple[str, ...], name: str, folder: Path, report: Report, *, offline: bool
) -> Manifest:
    """Run `maker`, a module and its first arguments, as a child with the name and the folder.

    Its steps are reported. `offline`: it needs no hub. Returns the manifest; raises ModelError.
    """
    command = [sys.executable, "-m", *maker, name, str(folder)]
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors,
        subprocess.Popen(  # noqa: S603 - a list of our own making, never a shell
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=_environment(offline=offline),
        ) as child,
    ):
        try:
            last = _follow(child.stdout, report)
            status = child.wait(WAIT_S)
        except BaseException:
            child.kill()
            raise
        if status != 0 or not last.get("done"):
            raise _failure(name, status, last, errors)
    return read_manifest(folder)


def _follow(lines: IO[str] | None, report: Report) -> dict[str, Any]:
    """Report each step; return the child's last event. Ignore lines of libraries."""
    last: dict[str, Any] = {}
    for line in lines or ():
        if not line.startswith("{"):
            continue
        last = json.loads(line)
        if "step" in last:
            report(last["step"])
    return last


def _failure(name: str, status: int, last: dict[str, Any], errors: IO[str]) -> ModelError:
    if "problem" in last:
        return ModelError(last["problem"], last["remedy"])
    errors.seek(0)
    tail = "".join(deque(errors, _TAIL_LINES)).strip()
    if status < 0:
        return ModelError(
            f"Preparing {name} was ended by signal {-status}. {tail}",
            "It needs about 1.5 GB of memory for a moment; free some, then run it again.",
        )
    return ModelError(
        f"Preparing {name} failed with status {status}: {tail}",
        "Reinstall the packages of requirements.txt, then run it again.",
    )


def _environment(*, offline: bool) -> dict[str, str]:
    """Return the child's environment: no accelerator, checkout importable, offline if possible."""
    path = os.pathsep.join(filter(None, (str(_CHECKOUT), os.environ.get("PYTHONPATH", ""))))
    variables = {**os.environ, "PYTHONPATH": path, "CUDA_VISIBLE_DEVICES": ""}
    variables["TOKENIZERS_PARALLELISM"] = "false"
    if offline:
        variables["HF_HUB_OFFLINE"] = "1"
    return variables
