"""From a cross-encoder's name to a reranker that runs."""

from pathlib import Path

from inference.errors import ModelError
from inference.prepare import Report, ensure_model
from inference.rerank import Reranker
from inference.rerank.onnx_reranker import OnnxReranker
from inference.rerank.torch_reranker import TorchReranker
from inference.store import Manifest, model_folder, verified_manifest

_MAKER = "inference.rerank.build"


def reranker_folder(root: Path, name: str) -> Path:
    """Where the prepared model lives, apart from other kinds of model of the same name."""
    return model_folder(_below(root), name)


def ensure_reranker(
    name: str, root: Path, *, force: bool = False, report: Report = lambda _step: None
) -> Manifest:
    """Have the cross-encoder `name` prepared; as `inference.prepare.ensure_model`.

    Raises ModelError also where it gives more than one score.
    """
    return ensure_model(name, _below(root), force=force, report=report, maker=_MAKER)


def load(name: str, root: Path, *, threads: int, build: bool) -> Reranker:
    """Open a model, its files verified; with `build`, prepare it where that fails."""
    folder = reranker_folder(root, name)
    try:
        return _open(folder, threads)
    except ModelError as error:
        if not build:
            remedy = f"Run `python -m inference.export --reranker --model {name}`."
            raise ModelError(error.problem, remedy) from error
    ensure_reranker(name, root)
    return _open(folder, threads)


def _open(folder: Path, threads: int) -> Reranker:
    manifest = verified_manifest(folder)
    if manifest.runtime == "onnx":
        return OnnxReranker(folder, manifest, threads=threads)
    return TorchReranker(manifest, threads=threads)


def _below(root: Path) -> Path:
    return root / "rerankers"
