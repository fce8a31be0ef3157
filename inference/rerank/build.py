"""Prepares one cross-encoder: `python -m inference.rerank.build NAME FOLDER`.

The child of inference.rerank.loading; it reports as inference.build does.
"""

import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib import metadata
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from inference.build import Report, as_onnx, child, choose_graph, located, model_id, store
from inference.errors import ModelError
from inference.graph import NotExportableError
from inference.quantise import QUANTISATION, quantise_file
from inference.rerank import graph
from inference.rerank.onnx_reranker import OnnxReranker
from inference.rerank.pairs import PairTokenizer
from inference.rerank.samples import SAMPLE_PAIRS
from inference.sources import ModelSource, find_source, folder_hash
from inference.store import Manifest, scratch

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

STEPS = ("look for the model", "load it with torch", "export to ONNX", "quantise", "compare, store")
LEAST_FLOAT_KEPT = 0.9999
"""Of the scores' variance, by the export; below, sentence-transformers serves the model."""
LEAST_INT8_KEPT = 0.98
"""Of the scores' variance, by int8; below, the float form is kept."""
ORGANISATION = "cross-encoder"
_MAKERS = ("torch", "onnx", "onnxruntime", "sentence-transformers", "transformers", "tokenizers")
_DEFAULT_WINDOW = 512

Pair = tuple[str, str]
Scores = NDArray[np.float64]


def build(name: str, folder: Path, report: Report) -> Manifest:
    """Prepare the cross-encoder `name` in `folder` and make it the current one there."""
    report(STEPS[0])
    source = located(find_source(name), ORGANISATION)
    report(STEPS[1])
    model = _load(source)
    with scratch(folder) as work:
        manifest = _describe(source, model)
        try:
            manifest = _exported(model, manifest, work, report)
        except NotExportableError as error:
            manifest = replace(manifest, reason=str(error))
        report(STEPS[4])
        return store(folder, work, manifest)


def _load(source: ModelSource) -> "CrossEncoder":
    from sentence_transformers import CrossEncoder

    try:
        model: CrossEncoder = CrossEncoder(
            str(source.folder),
            device="cpu",
            local_files_only=True,
            model_kwargs={"attn_implementation": "eager"},
        )
    except Exception as error:  # the libraries below raise what they like
        raise ModelError(
            f"sentence-transformers cannot load {source.folder} as a cross-encoder: {error}",
            "Give the folder of a cross-encoder (config.json, weights, tokenizer).",
        ) from error
    if model.num_labels != 1:
        raise ModelError(
            f"{source.name} gives {model.num_labels} scores; reranking needs one.",
            "Set RERANKER_MODEL to a cross-encoder made for ranking.",
        )
    model.eval()
    return model


def _describe(source: ModelSource, model: "CrossEncoder") -> Manifest:
    """Return the manifest of the model as sentence-transformers would serve it."""
    folder = source.folder or Path()
    digest = folder_hash(folder)
    return Manifest(
        name=source.name,
        model_id=model_id(source.name, digest, "sentence-transformers"),
        runtime="sentence-transformers",
        quantisation="none",
        dimensions=1,
        max_tokens=model.max_seq_length or _DEFAULT_WINDOW,
        pad_id=getattr(model.tokenizer, "pad_token_id", 0) or 0,
        source=str(folder),
        source_sha256=digest,
        package=source.package,
        opset=None,
        made_with={package: metadata.version(package) for package in _MAKERS},
    )


def _exported(model: "CrossEncoder", manifest: Manifest, work: Path, report: Report) -> Manifest:
    """Export and quantise into `work`; use the form that stays close enough to the original."""
    report(STEPS[2])
    _check(model)
    graph.export(model[0].auto_model, model.tokenizer, work / "float.onnx", work / "tokenizer.json")
    pairs = _samples(PairTokenizer(work / "tokenizer.json", manifest.max_tokens))
    exact, original = as_onnx(manifest, "float32"), _original(model, pairs)
    try:
        share = variance_kept(original, _trial(exact, work, "float.onnx", pairs))
    except ModelError as error:
        raise NotExportableError(f"the export does not run: {error.problem}") from error
    if not share >= LEAST_FLOAT_KEPT:  # also where it is not a number
        raise NotExportableError(f"the export keeps {share:.4f} of the scores' variance")
    report(STEPS[3])
    if quantise_file(work / "float.onnx", work / "int8.onnx") == 0:
        return choose_graph(exact, work, "float.onnx", "no matrix product to quantise")
    small = as_onnx(manifest, QUANTISATION)
    share = variance_kept(original, _trial(small, work, "int8.onnx", pairs))
    if not share >= LEAST_INT8_KEPT:
        return choose_graph(exact, work, "float.onnx", f"int8 keeps {share:.4f} of the variance")
    return choose_graph(replace(small, quality={"variance_kept": share}), work, "int8.onnx", "")


def _check(model: "CrossEncoder") -> None:
    kinds = [type(module).__name__ for module in model]
    if kinds != ["Transformer"] or not type(model[0].auto_model).__name__.endswith(
        "ForSequenceClassification"
    ):
        raise NotExportableError(f"it is made of {', '.join(kinds)}")
    if model.default_prompt_name is not None:
        raise NotExportableError("it puts a prompt before the texts")


def variance_kept(original: Scores, ours: Scores) -> float:
    """Return 1 - squared error / squared spread: 1 if all agree, whatever the scores' scale."""
    spread = float(((original - original.mean()) ** 2).sum())
    return 1 - float(((ours - original) ** 2).sum()) / max(spread, np.finfo(np.float64).tiny)


def _original(model: "CrossEncoder", pairs: Sequence[Pair]) -> Scores:
    import torch

    scores = model.predict(list(pairs), activation_fn=torch.nn.Identity())
    return np.asarray(scores, np.float64).reshape(-1)


def _trial(manifest: Manifest, work: Path, file: str, pairs: Sequence[Pair]) -> Scores:
    """Return the scores of serving the pairs with this file, one query at a time."""
    trial = replace(manifest, files={file: "", "tokenizer.json": ""})
    reranker = OnnxReranker(work, trial, threads=1)
    groups = [(query, list(group)) for query, group in groupby(pairs, key=itemgetter(0))]
    scores = [reranker.score(query, [passage for _, passage in group]) for query, group in groups]
    return np.array([score for group_scores in scores for score in group_scores])


def _samples(tokenizer: PairTokenizer) -> list[Pair]:
    """Return the samples' claims as queries, without pairs that the original would truncate."""
    pairs = sorted((claim, window) for window, claim in SAMPLE_PAIRS)
    return [pair for pair in pairs if not tokenizer.encode(*pair).truncated]


if __name__ == "__main__":
    sys.exit(child(build, sys.argv[1:]))
