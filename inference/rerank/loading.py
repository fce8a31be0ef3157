"""Loads a reranker by its cross-encoder's name."""

from functools import partial
from pathlib import Path

from inference.prepare import Report, ensure_model
from inference.rerank.onnx_reranker import OnnxReranker
from inference.rerank.torch_reranker import TorchReranker
from inference.rerank.types import Reranker
from inference.store import Manifest, model_folder, open_prepared

_MAKER = "inference.rerank.build"


def reranker_folder(root: Path, name: str) -> Path:
    """Return the prepared model's folder, apart from other kinds of model of the same name."""
    return model_folder(_below(root), name)


def ensure_reranker(
    name: str, root: Path, *, force: bool = False, report: Report = lambda _step: None
) -> Manifest:
    """Ensure that the cross-encoder `name` is prepared, like `inference.prepare.ensure_model`.

    Also raises ModelError if it returns more than one score.
    """
    return ensure_model(name, _below(root), force=force, report=report, maker=_MAKER)


def load(name: str, root: Path, *, threads: int, build: bool) -> Reranker:
    """Load a model after verifying its files; with `build`, prepare it if that fails."""

    def open_model(folder: Path, manifest: Manifest) -> Reranker:
        if manifest.runtime == "onnx":
            return OnnxReranker(folder, manifest, threads=threads)
        return TorchReranker(manifest, threads=threads)

    return open_prepared(
        reranker_folder(root, name),
        open_model,
        prepare=partial(ensure_reranker, name, root) if build else None,
        remedy=f"Run `python -m inference.export --reranker --model {name}`.",
    )


def _below(root: Path) -> Path:
    return root / "rerankers"
