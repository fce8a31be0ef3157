"""Prepares the judge: `python -m inference.judge.build DIFFERENCES FOLDER`.

The child of inference.judge.preparing; it reports as inference.build does. The base is in the
folder `base` below FOLDER.

Outlier channels are smoothed before int8, so that one scale per token costs less: each input
channel of a product is divided by a factor and its weights are multiplied by it; the float graph
computes the same, its int8 form comes closer to it. Source: SmoothQuant, arXiv 2211.10438,
equation 4.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from inference.build import OPSET, Report, child, model_id
from inference.errors import ModelError
from inference.judge import graph
from inference.judge.bases import FOLDER, TOKENIZER
from inference.judge.onnx_judge import Files, OnnxJudge
from inference.judge.parameters import ENCODER, read_meta, read_parameters
from inference.judge.preparing import FORM, fingerprint, kind_of
from inference.judge.segments import Floats, Packed
from inference.judge.types import EVIDENCE_TOKENS
from inference.quantise import quantise_file
from inference.runtime import Numbers
from inference.store import Manifest, adopt, publish, scratch

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto, NodeProto


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
        table = parameters[f"{ENCODER}embeddings.word_embeddings.weight"]
        np.save(work / _TABLE, table.astype(np.float16))
        (work / TOKENIZER).write_bytes((folder / FOLDER / TOKENIZER).read_bytes())
        graph.write(parameters, work / _FLOAT)
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


SHARE = 0.5
"""The share of a channel's range that moves from activations to weights (decision 0515)."""
_SMALLEST = 1e-5

Ranges = dict[str, Floats]
"""The largest size of each channel that the input of a product had."""


class _Observer(OnnxJudge):
    """A judge that records some values of its graph, which must be among its outputs."""

    def __init__(self, files: Files, names: Sequence[str]) -> None:
        super().__init__(files, threads=1)
        self._names = names
        self.ranges: Ranges = {}

    def _run(
        self, packed: Packed, context: Any, positions: Numbers, numbers: Numbers, *outputs: str
    ) -> list[NDArray[Any]]:
        values = super()._run(packed, context, positions, numbers, *outputs, *self._names)
        for name, value in zip(self._names, values[len(outputs) :], strict=True):
            size = np.abs(value).max(axis=0)
            self.ranges[name] = np.maximum(self.ranges.get(name, size), size)
        return values[: len(outputs)]


def smooth(files: Files, samples: "Sequence[Sample]", target: Path) -> None:
    """Write the float graph of `files` with channels smoothed by the samples' values."""
    model = onnx.load(str(files.graph))
    inputs = list(dict.fromkeys(node.input[0] for node in _products(model.graph)))
    ranges = _ranges(model, files, inputs, samples, target)
    _smooth_channels(model.graph, ranges)
    onnx.save(model, str(target))


def _products(graph: "GraphProto") -> "list[NodeProto]":
    """Return the products with a constant matrix."""
    constants = {tensor.name for tensor in graph.initializer}
    return [node for node in graph.node if node.op_type == "MatMul" and node.input[1] in constants]


def _ranges(
    model: "ModelProto",
    files: Files,
    inputs: Sequence[str],
    samples: "Sequence[Sample]",
    work: Path,
) -> Ranges:
    """Return the ranges of the products' inputs on the samples; `work` has a temporary graph."""
    outputs = len(model.graph.output)
    for name in inputs:
        tensor = helper.make_tensor_value_info(name, TensorProto.FLOAT, None)
        model.graph.output.append(tensor)
    onnx.save(model, str(work))
    del model.graph.output[outputs:]
    observer = _Observer(Files(work, files.table, files.tokenizer, files.model_id), inputs)
    for sample in samples:
        observer.predict(sample.question, sample.evidence, sample.claims)
    return observer.ranges


def _smooth_channels(graph: "GraphProto", ranges: Mapping[str, Floats]) -> None:
    """Insert a division before the products of each input, and the factors into their weights."""
    constants = {tensor.name: tensor for tensor in graph.initializer}
    users: dict[str, list[NodeProto]] = {}
    for product in _products(graph):
        users.setdefault(product.input[0], []).append(product)
    dividers = {}
    for at, (name, products) in enumerate(users.items()):
        weights = [numpy_helper.to_array(constants[product.input[1]]) for product in products]
        top = np.max([np.abs(each).max(axis=1) for each in weights], axis=0)
        factors = np.maximum(ranges[name], _SMALLEST) ** SHARE
        factors = factors / np.maximum(top, _SMALLEST) ** (1 - SHARE)
        factors = np.asarray(factors / np.exp(np.log(factors).mean()), np.float32)
        inverse = numpy_helper.from_array(1 / factors, f"evening_{at}")
        graph.initializer.append(inverse)
        node = helper.make_node("Mul", [name, inverse.name], [f"even_{at}"])
        dividers[products[0].output[0]] = node
        for product, matrix in zip(products, weights, strict=True):
            evened = numpy_helper.from_array(matrix * factors[:, None], product.input[1])
            constants[product.input[1]].CopyFrom(evened)
            product.input[0] = f"even_{at}"
    _insert(graph, dividers)


def _insert(graph: "GraphProto", before: "Mapping[str, NodeProto]") -> None:
    """Insert each node before the one whose first output is its key."""
    nodes = []
    for node in graph.node:
        if node.output[0] in before:
            nodes.append(before[node.output[0]])
        nodes.append(node)
    del graph.node[:]
    graph.node.extend(nodes)


@dataclass(frozen=True, slots=True)
class Sample:
    """Claims of one answer with evidence and question."""

    question: str
    evidence: tuple[str, ...]
    claims: tuple[str, ...]


SAMPLES = (
    Sample(
        "How long do I have to return a kettle, and does the guarantee cover limescale?",
        (
            "Unopened goods may be returned within 30 days of delivery. Opened goods are taken "
            "back only when they are faulty. Refunds reach the original card within five business "
            "days. Gift cards and perishable goods are excluded from returns.",
            "The guarantee runs for two years from the date of purchase. It covers faults in "
            "material and workmanship. Damage by water, limescale or frost is excluded, unless "
            "the premium plan was bought together with the appliance.",
        ),
        (
            "You can send an unopened kettle back within a month.",
            "Limescale damage is covered by the standard guarantee.",
            "With the premium plan, limescale damage is covered.",
            "An opened kettle that works can be returned within 30 days.",
            "The refund arrives within five business days.",
            "Return shipping is free of charge.",
            "The guarantee lasts 24 months.",
            "Gift cards may be returned for a full refund.",
        ),
    ),
    Sample(
        "",
        (
            "The committee met on 3 May 2024 and approved the budget of 2.4 million euros. It "
            "asked for a second report on travel costs, which the treasurer will present in July. "
            "The bridge over the northern canal stays closed until its railing has been replaced, "
            "and cyclists are led past the old mill.",
        ),
        (
            "The committee approved the budget in May 2024.",
            "The committee rejected the budget of 2.4 million euros because of travel costs.",
            "The treasurer presented a report on travel costs in May.",
            "The bridge is open to cyclists.",
            "Until the railing is replaced, cyclists go past the old mill.",
            "The mill was built in 1830 by the mayor's father, who never saw it run.",
        ),
    ),
    Sample(
        "Which antibiotic can a patient with a penicillin allergy take, and how is it dosed?",
        (
            "Amoxicillin: 500 mg three times daily for seven days.",
            "A patient with a known allergy to penicillin must not be given amoxicillin. A "
            "macrolide may be given instead after the dose has been checked.",
            "Clarithromycin is a macrolide. Adults take 250 mg twice daily; in severe infection "
            "500 mg twice daily. The dose is halved where kidney function is poor.",
            "Store below 25 degrees. Keep out of the reach of children.",
            "Grapefruit juice does not change the effect of azithromycin. " * 12,
            "Patients on warfarin need their clotting checked within a week of starting. " * 9,
        ),
        (
            "Clarithromycin may be given to someone who is allergic to penicillin.",
            "Amoxicillin is safe for patients with a penicillin allergy.",
            "Adults take 250 mg of clarithromycin three times a day.",
            "In severe infection the dose of clarithromycin is 1 g a day in total.",
            "With poor kidney function the dose is doubled.",
            "Warfarin must be stopped before treatment.",
            "The medicine is kept in a fridge.",
            "No antibiotic is needed for a viral infection, since antibiotics act on bacteria "
            "alone, and taking them without need makes resistance more likely for everybody.",
        ),
    ),
    Sample(
        "Tell me about the restaurant.",
        (
            "The name is Harbour Table. The city is Leeds. The stars are 4.5. The opening hours on "
            "Monday are 9:00 to 17:00. The opening hours on Saturday are 9:00 to 20:00. The "
            "parking is street. Takes reservations: yes. Outdoor seating: no.",
        ),
        (
            "Harbour Table in Leeds is rated 4.5 stars.",
            "It is closed on Mondays.",
            "On Saturdays it stays open until 8 pm.",
            "Guests can sit outside.",
            "Reservations are not possible.",
            "There is a private car park.",
        ),
    ),
)
"""28 claims: right and wrong, with one passage or many, in short and in long evidence."""


if __name__ == "__main__":
    sys.exit(child(build, sys.argv[1], Path(sys.argv[2])))
