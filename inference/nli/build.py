"""Prepare one classifier: `python -m inference.nli.build NAME FOLDER`.

The child of inference.nli.preparing; it speaks as inference.build does.
"""

import sys
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from inference.build import Report, as_onnx, child, choose_graph, located, model_id, store
from inference.errors import ModelError
from inference.graph import NotExportableError
from inference.nli import graph
from inference.nli.labels import label_order
from inference.nli.loading import graph_of
from inference.nli.onnx_pairs import OnnxPairs
from inference.nli.samples import SAMPLE_PAIRS
from inference.nli.torch_pairs import TorchPairs
from inference.nli.types import EntailmentModel
from inference.quantise import QUANTISATION, quantise_file
from inference.sources import find_source, folder_hash
from inference.store import Manifest, scratch

STEPS = ("look for the model", "load it with torch", "export to ONNX", "quantise", "compare, store")
MOST_FLOAT_CHANGE = 0.001
"""Of a probability, by the export; above, transformers itself serves the model."""
MOST_INT8_CHANGE = 0.02
"""Of a probability, on average, by int8; above, the float form is kept."""
_REMEDY = (
    "Set NLI_MODEL to base, small or lexical, or to the folder or the hub name of a model of "
    "entailment."
)
_MAKERS = ("torch", "onnx", "onnxruntime", "transformers", "tokenizers")


def build(name: str, folder: Path, report: Report) -> Manifest:
    """Prepare the classifier `name` in `folder` and make it the current one there."""
    report(STEPS[0])
    source = located(find_source(name), remedy=_REMEDY).folder or Path()
    report(STEPS[1])
    model, tokenizer = _load(source)
    manifest = _describe(name, source, model, tokenizer)
    with scratch(folder) as work:
        try:
            manifest = _exported(model, tokenizer, manifest, work, report)
        except NotExportableError as error:
            manifest = replace(manifest, reason=str(error))
        report(STEPS[4])
        return store(folder, work, manifest)


def _load(folder: Path) -> tuple[Any, Any]:
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
        model = AutoModelForSequenceClassification.from_pretrained(
            str(folder), local_files_only=True, attn_implementation="eager"
        )
    except Exception as error:  # the libraries below raise what they like
        raise ModelError(
            f"transformers cannot load {folder}: {error}",
            "Give the folder of a sequence-classification model (config.json, weights, tokenizer).",
        ) from error
    return model.float().eval(), tokenizer


def _describe(name: str, source: Path, model: Any, tokenizer: Any) -> Manifest:
    """The manifest of the model as transformers would serve it."""
    digest = folder_hash(source)
    return Manifest(
        name=name,
        model_id=model_id(name, digest, "transformers"),
        runtime="transformers",
        quantisation="none",
        dimensions=0,
        max_tokens=graph.window(model, tokenizer),
        pad_id=tokenizer.pad_token_id or 0,
        source=str(source),
        source_sha256=digest,
        package="",
        opset=None,
        labels=label_order(model.config.to_dict()),
        made_with={package: metadata.version(package) for package in _MAKERS},
    )


def _exported(
    model: Any, tokenizer: Any, manifest: Manifest, work: Path, report: Report
) -> Manifest:
    """Export and quantise into `work`; the form that stays close enough to the original wins."""
    report(STEPS[2])
    graph.export(model, tokenizer, work / "float.onnx", work / "tokenizer.json")
    exact = as_onnx(manifest, "float32")
    original = _shares(TorchPairs(manifest, threads=1))
    change = np.abs(_trial(exact, work, "float.onnx") - original)
    if change.max() > MOST_FLOAT_CHANGE:
        raise NotExportableError(f"the export differs by {change.max():.4f}")
    report(STEPS[3])
    if quantise_file(work / "float.onnx", work / "int8.onnx") == 0:
        return choose_graph(exact, work, "float.onnx", "no matrix product to quantise")
    small = as_onnx(manifest, QUANTISATION)
    change = np.abs(_trial(small, work, "int8.onnx") - original)
    if change.mean() > MOST_INT8_CHANGE:
        return choose_graph(exact, work, "float.onnx", f"int8 loses too much: {change.mean():.4f}")
    quality = {"change_mean": float(change.mean()), "change_max": float(change.max())}
    return choose_graph(replace(small, quality=quality), work, "int8.onnx", "")


def _trial(manifest: Manifest, work: Path, file: str) -> "np.ndarray[Any, np.dtype[np.float64]]":
    """What serving would make of the sample pairs; NotExportableError where it cannot run it."""
    trial = replace(manifest, files={file: "", "tokenizer.json": ""})
    try:
        return _shares(OnnxPairs(graph_of(work, trial), threads=1))
    except ModelError as error:
        raise NotExportableError(f"the export does not run: {error.problem[:300]}") from error


def _shares(model: EntailmentModel) -> "np.ndarray[Any, np.dtype[np.float64]]":
    score = model.score(SAMPLE_PAIRS)
    return np.array([(item.entail, item.contradict, item.neutral) for item in score])


if __name__ == "__main__":
    sys.exit(child(build, sys.argv[1:]))
