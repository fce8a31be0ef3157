"""The judge as one ONNX graph, written operator by operator without torch.

One graph serves both kinds of run. A window or a question runs without a context, and its keys and
values are outputs; claims run with the keys and values of the windows and the question as their
context. Only the `buckets` determine which token reads which: the index of the relative position,
or MASKED.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, checker, helper, numpy_helper, save

from inference.build import OPSET
from inference.judge.parameters import Parameters
from inference.judge.segments import (
    ATTENTION,
    BUCKETS,
    CONTEXT,
    FIRSTS,
    KEPT,
    KEYS_VALUES,
    KINDS,
    LOGITS,
    PLACES,
    VECTORS,
    WORD_LOGITS,
)  # fmt: skip

_MASK = -1e4
_CONTRIB = "com.microsoft"
_ATTENTION_LAYERS = slice(-4, -1)
"""The layers whose attention says which window a claim rests on; the last has kept tokens only."""


def write(parameters: Parameters, target: Path) -> None:
    """Write the graph in float32.

    Inputs: word vectors (tokens, size), places and kinds (tokens,), buckets (tokens, context and
    tokens), context as float16 (2 x layers, heads, context, width), kept and firsts (indices of
    tokens). Outputs: logits (firsts, 3) of entail, neutral, contradict; word logits (kept,) that
    nothing supports the token; keys and values alternately as float16 (2 x layers, heads, tokens,
    width); attention (tokens, context and tokens), the mean over heads and some high layers.
    """
    _Writer(parameters).save(target)


class _Writer:
    """Builds the nodes; each method returns the name of its output."""

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        self.size = parameters["enc.embeddings.LayerNorm.weight"].shape[0]
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.keys_values: list[str] = []
        self.attention: list[str] = []

    def save(self, target: Path) -> None:
        self._body()
        graph = helper.make_graph(
            self.nodes, "judge", self._inputs(), self._outputs(), initializer=self.constants
        )
        domains = [helper.make_opsetid("", OPSET), helper.make_opsetid(_CONTRIB, 1)]
        model = helper.make_model(graph, opset_imports=domains)
        model.ir_version = 8  # what onnxruntime reads since 1.14
        checker.check_model(model)
        save(model, str(target))

    def _inputs(self) -> list[Any]:
        heads, layers = self.parameters.heads, self.parameters.layers
        info, numbers = helper.make_tensor_value_info, TensorProto.INT64
        context = [2 * layers, heads, "context", self.size // heads]
        return [
            info(VECTORS, TensorProto.FLOAT, ["tokens", self.size]),
            info(PLACES, numbers, ["tokens"]),
            info(KINDS, numbers, ["tokens"]),
            info(BUCKETS, TensorProto.INT32, ["tokens", "keys"]),
            info(CONTEXT, TensorProto.FLOAT16, context),
            info(KEPT, numbers, ["kept"]),
            info(FIRSTS, numbers, ["claims"]),
        ]

    def _outputs(self) -> list[Any]:
        heads, layers = self.parameters.heads, self.parameters.layers
        info = helper.make_tensor_value_info
        pairs = [2 * layers, heads, "tokens", self.size // heads]
        return [
            info(LOGITS, TensorProto.FLOAT, ["claims", 3]),
            info(WORD_LOGITS, TensorProto.FLOAT, ["kept"]),
            info(KEYS_VALUES, TensorProto.FLOAT16, pairs),
            info(ATTENTION, TensorProto.FLOAT, ["tokens", "keys"]),
        ]

    def _body(self) -> None:
        states = self._embedded()
        bias = self._bias()
        context = self._layers_of_context()
        for number in range(self.parameters.layers):
            states = self._layer(number, states, bias, context[number])
        self._heads(states)
        self._node("Concat", self.keys_values, KEYS_VALUES, axis=0)
        mean = self._node("Sum", self.attention)
        share = self._constant(np.array(1 / len(self.attention), np.float32))
        self._node("Mul", [mean, share], ATTENTION)

    def _embedded(self) -> str:
        tables = "enc.embeddings"
        places = self._parameter(f"{tables}.position_embeddings.weight")
        at_place = self._node("Gather", [places, PLACES])
        of_kind = self._node("Gather", [self._parameter("seg.weight"), KINDS])
        both = self._node("Add", [VECTORS, at_place])
        # The segment's vector is added behind the normalisation, as in training.
        return self._node("Add", [self._normal(f"{tables}.LayerNorm", both), of_kind])

    def _bias(self) -> str:
        """Add each head's bias, (heads, tokens, keys), by relative position, or the mask."""
        table = self.parameters["enc.encoder.relative_attention_bias.weight"]
        masked = np.full((1, table.shape[1]), _MASK, np.float32)
        columns = self._constant(np.concatenate([table, masked]).T)
        return self._node("Gather", [columns, BUCKETS], axis=1)

    def _layers_of_context(self) -> list[tuple[str, str]]:
        """Add keys and values (heads, context, width) of each layer, as float32."""
        names = [f"context_{number}" for number in range(2 * self.parameters.layers)]
        self.nodes.append(helper.make_node("Split", [CONTEXT], names, axis=0))
        axis = self._constant(np.array([0], np.int64))
        thawed = []
        for name in names:
            single = self._node("Squeeze", [name, axis])
            thawed.append(self._node("Cast", [single], to=TensorProto.FLOAT))
        return list(zip(thawed[::2], thawed[1::2], strict=True))

    def _layer(self, number: int, states: str, bias: str, context: tuple[str, str]) -> str:
        name, last = f"enc.encoder.layer.{number}", number == self.parameters.layers - 1
        attention = f"{name}.attention.attn"
        if last:
            rows = self._node("Gather", [states, KEPT])
            bias = self._node("Gather", [bias, KEPT], axis=1)
            query = self._product([f"{attention}.q"], rows)
            key, value = self._split(self._product([f"{attention}.k", f"{attention}.v"], states), 2)
        else:
            rows = states
            parts = [f"{attention}.{part}" for part in "qkv"]
            query, key, value = self._split(self._product(parts, states), 3)
        heads = (self._by_head(query), self._by_head(key), self._by_head(value))
        mixed = self._attended(number, heads, bias, context)
        output = self._product([f"{attention}.o"], mixed)
        rows = self._normal(f"{name}.attention.LayerNorm", self._node("Add", [output, rows]))
        wide = self._product([f"{name}.intermediate.dense"], rows)
        wide = self._node("Gelu", [wide], domain=_CONTRIB)
        narrow = self._product([f"{name}.output.dense"], wide)
        return self._normal(f"{name}.output.LayerNorm", self._node("Add", [narrow, rows]))

    def _attended(
        self, number: int, heads: tuple[str, str, str], bias: str, context: tuple[str, str]
    ) -> str:
        """Add the attention of the queries to context and tokens, (queries, size)."""
        query, key, value = heads
        self._keep(key, value)
        keys = self._node("Concat", [context[0], key], axis=1)
        values = self._node("Concat", [context[1], value], axis=1)
        width = self.size // self.parameters.heads
        scores = self._node(
            "FusedMatMul", [query, keys], domain=_CONTRIB, transB=1,
            alpha=width**-0.5,
        )  # fmt: skip
        shares = self._node("Softmax", [self._node("Add", [scores, bias])], axis=-1)
        if number in range(self.parameters.layers)[_ATTENTION_LAYERS]:
            self.attention.append(self._node("ReduceMean", [shares], axes=[0], keepdims=0))
        mixed = self._node("MatMul", [shares, values])
        return self._reshape(self._node("Transpose", [mixed], perm=[1, 0, 2]), [0, self.size])

    def _keep(self, key: str, value: str) -> None:
        """Add a layer's keys and values, each (1, heads, tokens, width), to the outputs."""
        axis = self._constant(np.array([0], np.int64))
        for part in (key, value):
            frozen = self._node("Cast", [part], to=TensorProto.FLOAT16)
            self.keys_values.append(self._node("Unsqueeze", [frozen, axis]))

    def _heads(self, states: str) -> None:
        """Add the three labels from the first tokens, one logit from each; in float32 (Gemm)."""
        first = self._node("Gather", [states, FIRSTS])
        hidden = self._node("Tanh", [self._exact("head.0", first)])
        self._exact("head.2", hidden, LOGITS)
        axis = self._constant(np.array([-1], np.int64))
        self._node("Squeeze", [self._exact("word", states), axis], WORD_LOGITS)

    def _exact(self, name: str, value: str, output: str = "") -> str:
        ends = [self._parameter(f"{name}.weight"), self._parameter(f"{name}.bias")]
        return self._node("Gemm", [value, *ends], output, transB=1)

    def _by_head(self, value: str) -> str:
        """Reshape (tokens, size) to (heads, tokens, width)."""
        heads = self.parameters.heads
        parted = self._reshape(value, [0, heads, self.size // heads])
        return self._node("Transpose", [parted], perm=[1, 0, 2])

    def _product(self, names: list[str], value: str) -> str:
        """Add several products of one input side by side: (tokens, size) @ W + b."""
        weights = np.concatenate([self.parameters[f"{name}.weight"] for name in names]).T
        bias = np.concatenate([self.parameters[f"{name}.bias"] for name in names])
        product = self._node("MatMul", [value, self._constant(weights)])
        return self._node("Add", [product, self._constant(bias)])

    def _normal(self, name: str, value: str) -> str:
        ends = [self._parameter(f"{name}.weight"), self._parameter(f"{name}.bias")]
        return self._node(
            "LayerNormalization", [value, *ends], axis=-1, epsilon=self.parameters.epsilon
        )

    def _reshape(self, value: str, shape: list[int]) -> str:
        return self._node("Reshape", [value, self._constant(np.array(shape, np.int64))])

    def _split(self, value: str, parts: int) -> list[str]:
        names = [f"part_{len(self.nodes)}_{at}" for at in range(parts)]
        self.nodes.append(helper.make_node("Split", [value], names, axis=-1))
        return names

    def _parameter(self, name: str) -> str:
        return self._constant(self.parameters[name])

    def _constant(self, value: NDArray[Any]) -> str:
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(value, order="C"), name))
        return name

    def _node(self, kind: str, inputs: list[str], output: str = "", **attributes: Any) -> str:
        name = output or f"value_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name
