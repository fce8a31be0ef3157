"""From a cross-encoder's name to a reranker that runs."""

from functools import partial
from pathlib import Path

from inference.prepare import Report, ensure_model
from inference.rerank.onnx_reranker import OnnxReranker
from inference.rerank.torch_reranker import TorchReranker
from inference.rerank.types import Reranker
from inference.store import Manifest, model_folder, open_prepared

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
