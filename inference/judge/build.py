"""Prepares the judge: `python -m inference.judge.build DIFFERENCES FOLDER`.

The child of inference.judge.preparing; it reports as inference.build does. The base is in the
folder `base` below FOLDER.
"""

import sys
from dataclasses import replace
from importlib import metadata
from pathlib import Path

import numpy as np

from inference.build import Report, child, model_id
from inference.errors import ModelError
from inference.graph import OPSET
from inference.judge import graph
from inference.judge.base import FOLDER, TOKENIZER
from inference.judge.defaults import EVIDENCE_TOKENS
from inference.judge.kinds import kind_of
from inference.judge.onnx_judge import Files, OnnxJudge
from inference.judge.parameters import ENCODER, Parameters, read_meta, read_parameters
from inference.judge.preparing import FORM, fingerprint
from inference.judge.samples import SAMPLES
from inference.judge.signature import Floats
from inference.judge.smoothing import smooth
from inference.quantise import quantise_file
from inference.store import Manifest, adopt, publish, scratch

STEPS = ("read the weights", "write the graph", "even, quantise", "compare, store")
MOST_MEAN_CHANGE = 0.04
"""Of a label's probability by int8, on average over the samples; above, the judge is refused."""
MOST_CHANGE = 0.25
"""Of any single probability."""
_FLOAT, _EVEN, _SERVED, _TABLE = "float.onnx", "even.onnx", "judge.onnx", "table.npy"
_MAKERS = ("onnx", "onnxruntime", "tokenizers", "numpy")


def build(name: str, folder: Path, report: Report) -> Manifest:
    """Prepare the judge from the differences in `name` and make it current in `folder`."""
    differences = Path(name)
    manifest = _describe(folder, differences)
    with scratch(folder) as work:
        report(STEPS[0])
        parameters = read_parameters(folder / FOLDER, differences)
        report(STEPS[1])
        _write(parameters, folder / FOLDER, work)
        report(STEPS[2])
        smooth(_files(work, _FLOAT), SAMPLES, work / _EVEN)
        quantise_file(work / _EVEN, work / _SERVED)
        report(STEPS[3])
        manifest = replace(manifest, quality=compare(work))
        names = (_SERVED, _TABLE, TOKENIZER)
        manifest = replace(manifest, files=dict(adopt(folder, work / file) for file in names))
        publish(folder, manifest, work)
    return manifest


def _describe(folder: Path, differences: Path) -> Manifest:
    meta, digest = read_meta(differences), fingerprint(kind_of(folder), differences)
    return Manifest(
        name=str(meta["name"]),
        model_id=model_id(str(meta["name"]), digest, FORM),
        runtime="onnx",
        quantisation=FORM,
        dimensions=0,
        max_tokens=EVIDENCE_TOKENS,
        pad_id=1,
        source=str(differences),
        source_sha256=digest,
        package="",
        opset=OPSET,
        labels=("entail", "neutral", "contradict"),
        made_with={package: metadata.version(package) for package in _MAKERS},
    )


def _write(parameters: Parameters, base: Path, work: Path) -> None:
    table = parameters[f"{ENCODER}embeddings.word_embeddings.weight"]
    np.save(work / _TABLE, table.astype(np.float16))
    (work / TOKENIZER).write_bytes((base / TOKENIZER).read_bytes())
    graph.write(parameters, work / _FLOAT)


def compare(work: Path) -> dict[str, float]:
    """Return how far the served graph's probabilities are from the float graph's on the samples.

    Raises ModelError if they are too far.
    """
    change = np.abs(_probabilities(work, _SERVED) - _probabilities(work, _FLOAT))
    mean, most = float(change.mean()), float(change.max())
    if mean > MOST_MEAN_CHANGE or most > MOST_CHANGE:
        raise ModelError(
            f"In int8 the judge's probabilities change by {mean:.3f} on average, {most:.3f} at "
            f"most; {MOST_MEAN_CHANGE} and {MOST_CHANGE} are allowed.",
            "Reinstall the packages of requirements.txt, then run it again.",
        )
    return {"change_mean": mean, "change_max": most}


def _files(work: Path, file: str) -> Files:
    return Files(work / file, work / _TABLE, work / TOKENIZER, file)


def _probabilities(work: Path, file: str) -> Floats:
    judge = OnnxJudge(_files(work, file), threads=1)
    rows = []
    for sample in SAMPLES:
        for judgement in judge.predict(sample.question, sample.evidence, sample.claims):
            if judgement is not None:
                rows.append((judgement.entail, judgement.neutral, judgement.contradict))
    return np.array(rows, np.float32)


if __name__ == "__main__":
    sys.exit(child(build, sys.argv[1:]))
