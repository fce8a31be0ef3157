"""The model as the graph that is served: one pair a run, whole operators, int8 products.

A trace of the model spends more time between its products than in them. Here attention is one
operator, so is each product with its quantisation, and the last layer follows only the tokens
that are asked for: [CLS] and the claim. One pair a run needs neither padding nor a mask, and
makes one scale for all its activations as good as one for each token, once the channels that
stand out are evened (SmoothQuant, arXiv 2211.10438, equation 4). Figures: decision 0524.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from onnx import TensorProto, checker, helper, numpy_helper, save
from torch import Tensor, nn

from inference.graph import OPSET
from inference.nli.onnx_pairs import CLAIM_START, LOGITS, TOKEN_LOGITS, TYPES, VECTORS
from inference.quantise import quantise_weights
from training.model import LABELS, PairModel

QUANTISATION = "int8-per-pair-1"
EVENED = 0.8
"""How much of a channel's range moves from the activations to the weights: of 0.5, 0.65, 0.8, 0.9
and 1 the one that came closest to the float model on 400 pairs."""
_SMALLEST = 1e-5
_CONTRIB = "com.microsoft"
_END = 2**31
Floats = NDArray[np.float32]
Ranges = dict[nn.Module, Floats]
"""The largest size of each input channel that a product saw."""


def write(model: PairModel, pairs: Sequence[tuple[Tensor, Tensor, Tensor]], target: Path) -> None:
    """Write the graph; `pairs` (ids, mask, types), each (1, tokens), show how large inputs get.

    Inputs: word vectors (1, tokens, dimensions), token types (1, tokens) and where the claim
    starts, (1,). Outputs: logits (1, labels), token logits of the claim (1, tokens of the claim).
    """
    _Writer(model, _ranges(model, pairs)).save(target)


def _ranges(model: PairModel, pairs: Sequence[tuple[Tensor, Tensor, Tensor]]) -> Ranges:
    ranges: Ranges = {}

    def see(module: nn.Module, tensors: tuple[Tensor, ...], _: Tensor) -> None:
        size = tensors[0].abs().flatten(0, -2).amax(0).numpy()
        ranges[module] = np.maximum(ranges.get(module, size), size)

    products = [module for module in model.encoder.modules() if isinstance(module, nn.Linear)]
    hooks = [item.register_forward_hook(see) for item in products]
    with torch.inference_mode():
        for pair in pairs:
            model(*pair)
    for hook in hooks:
        hook.remove()
    return ranges


class _Writer:
    """Puts the nodes together; each method returns the name of what it computes."""

    def __init__(self, model: PairModel, ranges: Ranges) -> None:
        self.model = model
        self.ranges = ranges
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def save(self, target: Path) -> None:
        self._body()
        graph = helper.make_graph(self.nodes, "pair", *self._ends(), initializer=self.constants)
        domains = [helper.make_opsetid("", OPSET), helper.make_opsetid(_CONTRIB, 1)]
        model = helper.make_model(graph, opset_imports=domains)
        model.ir_version = 8  # what onnxruntime reads since 1.14
        checker.check_model(model)
        save(model, str(target))

    def _ends(self) -> tuple[list[Any], list[Any]]:
        width = self.model.encoder.config.hidden_size
        tensor_info = helper.make_tensor_value_info
        inputs = [
            tensor_info(VECTORS, TensorProto.FLOAT, [1, "tokens", width]),
            tensor_info(TYPES, TensorProto.INT64, [1, "tokens"]),
            tensor_info(CLAIM_START, TensorProto.INT64, [1]),
        ]
        outputs = [
            tensor_info(LOGITS, TensorProto.FLOAT, [1, len(LABELS)]),
            tensor_info(TOKEN_LOGITS, TensorProto.FLOAT, [1, "claim"]),
        ]
        return inputs, outputs

    def _body(self) -> None:
        states = self._embedded()
        layers = list(self.model.encoder.encoder.layer)
        for layer in layers:
            states = self._layer(layer, states, of_claim=layer is layers[-1])
        first = self._node("Gather", [states, self._constant(np.array(0))], axis=1)
        self._float_product(self.model.head, first, LOGITS)
        claim = self._slice(states, self._number(1), _END)
        tokens = self._float_product(self.model.token_head, claim)
        self._node("Squeeze", [tokens, self._number(-1)], TOKEN_LOGITS)

    def _embedded(self) -> str:
        tables = self.model.encoder.embeddings
        kinds = self._constant(_array(tables.token_type_embeddings.weight))
        places = self._constant(_array(tables.position_embeddings.weight))
        length = self._node("Shape", [TYPES], start=1, end=2)
        zero = self._number(0)
        of_places = self._node("Slice", [places, zero, length, zero])
        both = self._node("Add", [VECTORS, self._node("Gather", [kinds, TYPES])])
        return self._normal(tables.LayerNorm, self._node("Add", [both, of_places]))

    def _layer(self, layer: Any, states: str, *, of_claim: bool) -> str:
        """One layer; with `of_claim`, only [CLS] and the claim go on behind its attention."""
        attention, own = layer.attention, layer.attention.self
        rows = self._asked_states(states) if of_claim else states
        attended = self._node(
            "MultiHeadAttention",
            self._heads(own, states, rows),
            domain=_CONTRIB,
            num_heads=own.num_attention_heads,
        )
        added = self._node("Add", [rows, self._product([attention.output.dense], attended)])
        rows = self._normal(attention.output.LayerNorm, added)
        wide = self._product([layer.intermediate.dense], rows)
        wide = self._node("Gelu", [wide], domain=_CONTRIB)
        added = self._node("Add", [rows, self._product([layer.output.dense], wide)])
        return self._normal(layer.output.LayerNorm, added)

    def _asked_states(self, states: str) -> str:
        parts = [self._slice(states, self._number(0), 1), self._slice(states, CLAIM_START, _END)]
        return self._node("Concat", parts, axis=1)

    def _heads(self, own: Any, states: str, rows: str) -> list[str]:
        """Queries of what is kept, keys and values of all, in as few products as possible."""
        if rows == states:
            return self._split(self._product([own.query, own.key, own.value], states), 3)
        return [
            self._product([own.query], rows),
            *self._split(self._product([own.key, own.value], states), 2),
        ]

    def _product(self, products: list[Any], source: str) -> str:
        """Several products of one input, side by side, in int8 and evened."""
        weights = np.concatenate([_array(item.weight) for item in products]).T
        factors = self._evened(np.abs(weights).max(axis=1), self.ranges[products[0]])
        quantised, scale = quantise_weights(weights * factors[:, None])
        bias = np.concatenate([_array(item.bias) for item in products])
        even = self._node("Mul", [source, self._constant(1 / factors)])
        inputs = [even, self._constant(quantised), self._constant(scale), "", self._constant(bias)]
        return self._node("DynamicQuantizeMatMul", inputs, domain=_CONTRIB)

    @staticmethod
    def _evened(of_weights: Floats, of_inputs: Floats) -> Floats:
        most = np.maximum(of_inputs, _SMALLEST) ** EVENED
        factors = most / np.maximum(of_weights, _SMALLEST) ** (1 - EVENED)
        return np.asarray(factors / np.exp(np.log(factors).mean()), np.float32)

    def _float_product(self, product: nn.Linear, source: str, name: str = "") -> str:
        weights = self._constant(_array(product.weight).T)
        output = self._node("MatMul", [source, weights])
        return self._node("Add", [output, self._constant(_array(product.bias))], name)

    def _normal(self, norm: Any, source: str) -> str:
        ends = [self._constant(_array(norm.weight)), self._constant(_array(norm.bias))]
        return self._node("LayerNormalization", [source, *ends], axis=-1, epsilon=norm.eps)

    def _slice(self, source: str, start: str, end: int) -> str:
        """Of the tokens, the second axis."""
        return self._node("Slice", [source, start, self._number(end), self._number(1)])

    def _split(self, source: str, parts: int) -> list[str]:
        names = [f"part_{len(self.nodes)}_{at}" for at in range(parts)]
        self.nodes.append(helper.make_node("Split", [source], names, axis=-1))
        return names

    def _number(self, value: int) -> str:
        return self._constant(np.array([value], np.int64))

    def _constant(self, value: NDArray[Any]) -> str:
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(value, order="C"), name))
        return name

    def _node(self, kind: str, inputs: list[str], name: str = "", **attributes: Any) -> str:
        output = name or f"value_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output


def _array(tensor: Tensor) -> Floats:
    return np.asarray(tensor.detach().numpy(), np.float32)
