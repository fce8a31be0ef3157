"""From a model's name to an entailment model that runs."""

from pathlib import Path

from inference.errors import ModelError
from inference.nli.embedded import embedded_folder, read_embedded
from inference.nli.labels import read_labels
from inference.nli.onnx_pairs import Graph, OnnxPairs
from inference.nli.preparing import ensure_nli, nli_folder
from inference.nli.torch_pairs import TorchPairs
from inference.nli.types import EntailmentModel
from inference.store import Manifest, verified_manifest


def load(name: str, root: Path, *, threads: int, build: bool) -> EntailmentModel:
    """Open a model, its files verified; with `build`, prepare a named one where that fails."""
    if comes_along := embedded_folder(name):
        return OnnxPairs(read_embedded(comes_along), threads=threads)
    folder = nli_folder(root, name)
    try:
        return _open(folder, threads)
    except ModelError as error:
        if not build:
            remedy = f"Run `python -m inference.export --nli --model {name}`, which repairs it."
            raise ModelError(error.problem, remedy) from error
    ensure_nli(name, root)
    return _open(folder, threads)


def _open(folder: Path, threads: int) -> EntailmentModel:
    manifest = verified_manifest(folder)
    if manifest.runtime == "onnx":
        return OnnxPairs(graph_of(folder, manifest), threads=threads)
    return TorchPairs(manifest, threads=threads)


def graph_of(folder: Path, manifest: Manifest) -> Graph:
    """The prepared graph as `OnnxPairs` reads it."""
    return Graph(
        file=folder / manifest.file(".onnx"),
        tokenizer=folder / manifest.file(".json"),
        model_id=manifest.model_id,
        labels=read_labels(manifest.labels),
        max_tokens=manifest.max_tokens,
        pad_id=manifest.pad_id,
    )
