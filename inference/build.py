"""Prepares one model: `python -m inference.build NAME FOLDER`, the child of inference.prepare.

It runs in a separate process, so that torch's memory never stays in a server. It reports its steps
as JSON lines on stdout, the last being {"done": true} or {"problem": ..., "remedy": ...}.
"""

import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from inference import graph
from inference.errors import ModelError
from inference.onnx_embedder import OnnxEmbedder
from inference.quantise import QUANTISATION, quantise_file
from inference.samples import SAMPLES
from inference.sources import ModelSource, check_bundle, find_source, folder_hash, hub_names
from inference.store import Manifest, adopt, publish, scratch

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

STEPS = ("check the source", "load it with torch", "export to ONNX", "quantise", "compare, store")
LEAST_FLOAT_COSINE = 0.9999
LEAST_INT8_COSINE = 0.99
_MAKERS = ("torch", "onnx", "onnxruntime", "sentence-transformers", "transformers", "tokenizers")
_ID_CHARS = 80
ORGANISATION = "sentence-transformers"

Report = Callable[[str], None]
Build = Callable[[str, Path, Report], Manifest]


def build(name: str, folder: Path, report: Report) -> Manifest:
    """Prepare the model `name` in `folder` and make it the current one there."""
    report(STEPS[0])
    source = located(find_source(name))
    check_bundle(source)
    report(STEPS[1])
    model = _load(source)
    with scratch(folder) as work:
        manifest = _describe(source, model)
        try:
            manifest = _exported(model, manifest, work, report)
        except graph.NotExportableError as error:
            if source.bundled:
                raise ModelError(f"{name} could not be exported: {error}", _REPORT_IT) from error
            manifest = replace(manifest, reason=str(error))
        report(STEPS[4])
        return store(folder, work, manifest)


_REPORT_IT = "Reinstall the packages of requirements.txt; if it stays, tell us with this text."


_GIVE_FOLDER = "Check the name and the network, or copy the model here and give its folder."


def located(
    source: ModelSource, organisation: str = ORGANISATION, remedy: str = _GIVE_FOLDER
) -> ModelSource:
    """Return the source with a folder: a hub name is downloaded, or found in the hub's cache.

    `organisation` is the default owner of a name without one.
    """
    if source.folder is not None:
        return source
    problems = []
    for name in hub_names(source.name, organisation):
        try:
            return replace(source, folder=_fetched(name))
        except Exception as error:  # noqa: BLE001 - the hub's client raises many kinds
            problems.append(str(error))
    raise ModelError(
        f"{source.name} is no folder here and could not be fetched from the hub: {problems[0]}",
        remedy,
    )


def _fetched(name: str) -> Path:
    from huggingface_hub import snapshot_download  # noqa: PLC0415 - only for models by hub name

    return Path(snapshot_download(name))


def _load(source: ModelSource) -> "SentenceTransformer":
    from sentence_transformers import SentenceTransformer

    try:
        return SentenceTransformer(
            str(source.folder),
            device="cpu",
            local_files_only=True,
            model_kwargs={"attn_implementation": "eager"},
        ).eval()
    except Exception as error:  # the libraries below raise what they like
        raise ModelError(
            f"sentence-transformers cannot load {source.folder}: {error}",
            "Give the folder of a sentence-transformers model (modules.json, config.json, ...).",
        ) from error


def _describe(source: ModelSource, model: "SentenceTransformer") -> Manifest:
    """Return the manifest of the model as sentence-transformers would serve it."""
    folder = source.folder or Path()
    digest = folder_hash(folder)
    return Manifest(
        name=source.name,
        model_id=model_id(source.name, digest, "sentence-transformers"),
        runtime="sentence-transformers",
        quantisation="none",
        dimensions=model.get_embedding_dimension() or 0,
        max_tokens=graph.window(model),
        pad_id=graph.pad_id(model),
        source=str(folder),
        source_sha256=digest,
        package=source.package,
        opset=None,
        prompts=_prompts(model),
        made_with={package: metadata.version(package) for package in _MAKERS},
    )


def model_id(name: str, digest: str, how: str) -> str:
    """Return the model's own name, its source's hash and the processing applied."""
    return f"{name.rstrip('/').rsplit('/', 1)[-1][:_ID_CHARS]}@{digest[:8]}+{how}"


def _prompts(model: "SentenceTransformer") -> dict[str, str]:
    """Return the model's prefixes for queries and documents, if it has any."""
    prompts = model.prompts
    default = prompts.get(model.default_prompt_name or "", "")
    by_role = {
        "query": prompts.get("query") or default,
        "document": prompts.get("document") or prompts.get("passage") or default,
    }
    return {role: prompt for role, prompt in by_role.items() if prompt}


def _exported(
    model: "SentenceTransformer", manifest: Manifest, work: Path, report: Report
) -> Manifest:
    """Export and quantise into `work`; use the form that stays close enough to the original."""
    report(STEPS[2])
    graph.export(model, work / "float.onnx", work / "tokenizer.json")
    exact = as_onnx(manifest, "float32")
    cosines = _compare(model, exact, work, "float.onnx")
    if cosines.min() < LEAST_FLOAT_COSINE:
        raise graph.NotExportableError(f"the export differs: cosine {cosines.min():.4f}")
    report(STEPS[3])
    if quantise_file(work / "float.onnx", work / "int8.onnx") == 0:
        return choose_graph(exact, work, "float.onnx", "no matrix product to quantise")
    small = as_onnx(manifest, QUANTISATION)
    cosines = _compare(model, small, work, "int8.onnx")
    if cosines.mean() < LEAST_INT8_COSINE:
        return choose_graph(exact, work, "float.onnx", f"int8 loses too much: {cosines.mean():.4f}")
    quality = {"cosine_mean": float(cosines.mean()), "cosine_min": float(cosines.min())}
    return choose_graph(replace(small, quality=quality), work, "int8.onnx", "")


def as_onnx(manifest: Manifest, quantisation: str) -> Manifest:
    """Return the manifest of the exported graph with this quantisation."""
    return replace(
        manifest,
        model_id=model_id(manifest.name, manifest.source_sha256, quantisation),
        runtime="onnx",
        quantisation=quantisation,
        opset=graph.OPSET,
    )


def choose_graph(manifest: Manifest, work: Path, file: str, reason: str) -> Manifest:
    """Use one of the graphs in `work` as the model's; `reason` says why not the smaller one."""
    (work / file).replace(work / "model.onnx")
    return replace(manifest, reason=reason)


def _compare(
    model: "SentenceTransformer", manifest: Manifest, work: Path, file: str
) -> "np.ndarray[tuple[int], np.dtype[np.float32]]":
    """Return each sample's cosine between the original and an exported form, as served."""
    trial = replace(manifest, files={file: "", "tokenizer.json": ""}, prompts={})
    ours = OnnxEmbedder(work, trial, threads=1).embed(SAMPLES)
    original = model.encode(list(SAMPLES), normalize_embeddings=True, prompt="")
    cosines: np.ndarray[tuple[int], np.dtype[np.float32]] = (ours * original).sum(axis=1)
    return cosines


def store(folder: Path, work: Path, manifest: Manifest) -> Manifest:
    """Make the content of `work` the current model of the folder; return its complete manifest."""
    files = [work / "model.onnx", work / "tokenizer.json"] if manifest.runtime == "onnx" else []
    manifest = replace(manifest, files=dict(adopt(folder, file) for file in files))
    publish(folder, manifest, work)
    return manifest


def _say(**event: object) -> None:
    print(json.dumps(event), flush=True)


def child(build: Build, arguments: list[str]) -> int:
    """Build the model and folder in the arguments; report the result in the last line."""
    name, folder = arguments
    try:
        manifest = build(name, Path(folder), lambda step: _say(step=step))
    except ModelError as error:
        _say(problem=error.problem, remedy=error.remedy)
        return 1
    except OSError as error:
        free = shutil.disk_usage(folder).free / 1e9
        remedy = f"{free:.1f} GB are free there; a model needs 0.3 GB, and the right to write."
        _say(problem=f"{folder} could not be written: {error}", remedy=remedy)
        return 1
    _say(done=True, model_id=manifest.model_id)
    return 0


if __name__ == "__main__":
    sys.exit(child(build, sys.argv[1:]))
