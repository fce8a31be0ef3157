"""From a model's name to an entailment model that runs."""

from functools import partial
from pathlib import Path

from inference.nli.labels import read_labels
from inference.nli.onnx_pairs import Graph, OnnxPairs
from inference.nli.preparing import ensure_nli, nli_folder
from inference.nli.torch_pairs import TorchPairs
from inference.nli.types import EntailmentModel
from inference.store import Manifest, open_prepared


def load(name: str, root: Path, *, threads: int, build: bool) -> EntailmentModel:
    """Open a model, its files verified; with `build`, prepare it where that fails."""

    def open_model(folder: Path, manifest: Manifest) -> EntailmentModel:
        if manifest.runtime == "onnx":
            return OnnxPairs(graph_of(folder, manifest), threads=threads)
        return TorchPairs(manifest, threads=threads)

    return open_prepared(
        nli_folder(root, name),
        open_model,
        prepare=partial(ensure_nli, name, root) if build else None,
        remedy=f"Run `python -m inference.export --nli --model {name}`, which repairs it, or set "
        "NLI_MODEL to base, small or lexical.",
    )


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
