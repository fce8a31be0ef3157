"""Loads an embedder by its model's name."""

from functools import partial
from pathlib import Path

from inference.embedder import Embedder
from inference.onnx_embedder import OnnxEmbedder
from inference.prepare import ensure_model
from inference.store import Manifest, model_folder, open_prepared
from inference.torch_embedder import TorchEmbedder


def load(name: str, root: Path, *, threads: int, build: bool) -> Embedder:
    """Load the prepared model after verifying its files; with `build`, prepare it if that fails."""

    def open_model(folder: Path, manifest: Manifest) -> Embedder:
        if manifest.runtime == "onnx":
            return OnnxEmbedder(folder, manifest, threads=threads)
        return TorchEmbedder(manifest, threads=threads)

    prepare = partial(ensure_model, name, root) if build else None
    return open_prepared(model_folder(root, name), open_model, prepare=prepare)
