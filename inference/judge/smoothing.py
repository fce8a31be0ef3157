"""Smooths outlier channels before int8, so that one scale per token costs less.

Each input channel of a product is divided by a factor and its weights are multiplied by it; the
float graph computes the same, its int8 form comes closer to it. Source: SmoothQuant, arXiv
2211.10438, equation 4.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from inference.judge.onnx_judge import Files, OnnxJudge
from inference.judge.samples import Sample
from inference.judge.segments import Numbers, Packed
from inference.judge.signature import Floats

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto, NodeProto

SHARE = 0.5
"""How much of a channel's range moves from the activations to the weights (decision 0515)."""
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


def smooth(files: Files, samples: Sequence[Sample], target: Path) -> None:
    """Write the float graph of `files` with channels smoothed by the samples' values."""
    model = onnx.load(str(files.graph))
    inputs = list(dict.fromkeys(node.input[0] for node in _products(model.graph)))
    ranges = _ranges(model, files, inputs, samples, target)
    _even(model.graph, ranges)
    onnx.save(model, str(target))


def _products(graph: "GraphProto") -> "list[NodeProto]":
    """Return the products with a constant matrix."""
    constants = {tensor.name for tensor in graph.initializer}
    return [node for node in graph.node if node.op_type == "MatMul" and node.input[1] in constants]


def _ranges(
    model: "ModelProto",
    files: Files,
    inputs: Sequence[str],
    samples: Sequence[Sample],
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


def _even(graph: "GraphProto", ranges: Mapping[str, Floats]) -> None:
    """Insert a division before the products of each input, and the factors into their weights."""
    constants = {tensor.name: tensor for tensor in graph.initializer}
    users: dict[str, list[NodeProto]] = {}
    for product in _products(graph):
        users.setdefault(product.input[0], []).append(product)
    dividers = {}
    for at, (name, products) in enumerate(users.items()):
        weights = [numpy_helper.to_array(constants[product.input[1]]) for product in products]
        factors = _factors(ranges[name], np.max([np.abs(each).max(axis=1) for each in weights], 0))
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


def _factors(of_inputs: Floats, of_weights: Floats) -> Floats:
    inputs = np.maximum(of_inputs, _SMALLEST) ** SHARE
    factors = inputs / np.maximum(of_weights, _SMALLEST) ** (1 - SHARE)
    return np.asarray(factors / np.exp(np.log(factors).mean()), np.float32)
