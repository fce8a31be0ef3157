"""From a model's name to an embedder that runs."""

from pathlib import Path

from inference.embedding import Embedder
from inference.errors import ModelError
from inference.onnx_embedder import OnnxEmbedder
from inference.prepare import ensure_model
from inference.store import model_folder, verified_manifest
from inference.torch_embedder import TorchEmbedder


def load(name: str, root: Path, *, threads: int, build: bool) -> Embedder:
    """Open the prepared model, its files verified; with `build`, prepare it where that fails."""
    folder = model_folder(root, name)
    try:
        return _open(folder, threads)
    except ModelError:
        if not build:
            raise
    ensure_model(name, root)
    return _open(folder, threads)


def _open(folder: Path, threads: int) -> Embedder:
    manifest = verified_manifest(folder)
    if manifest.runtime == "onnx":
        return OnnxEmbedder(folder, manifest, threads=threads)
    return TorchEmbedder(manifest, threads=threads)
