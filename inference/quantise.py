"""Int8 for the matrix products of an ONNX graph, with a scale for each token.

onnxruntime's own dynamic quantisation uses one scale for the whole batch: the same text then embeds
differently beside other texts (up to 0.04 per component was measured). Here each row of
activations, one token, has its own scale, and each output channel of the weights has one; so rows
never influence each other (docs/decisions/0430).

Source: per-token activation and per-channel weight scales as in SmoothQuant, arXiv 2211.10438.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from onnx import GraphProto, NodeProto, TensorProto

QUANTISATION = "int8-per-token-2"
_ONNXRUNTIME = "com.microsoft"  # fused: integer product, scale of the channel, to float
# 7 bits for the weights: two products of u8 x s8 then fit the 16 bits that processors without
# VNNI add them up in, so each processor gives the same vectors.
_WEIGHT_TOP = 63
_ACTIVATION_TOP = 127
_ZERO = 128
_SMALLEST = 1e-9


def quantise_weights(
    weights: NDArray[np.float32],
) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return (inputs, outputs) float weights as int8 and one scale for each output."""
    scale = np.maximum(np.abs(weights).max(axis=0), _SMALLEST) / _WEIGHT_TOP
    return np.rint(weights / scale).astype(np.int8), scale.astype(np.float32)


def quantise_file(source: Path, target: Path) -> int:
    """Write `source` with int8 MatMul nodes to `target`; return how many were replaced."""
    import onnx  # noqa: PLC0415 - only set-up needs it, serving never

    model = onnx.load(str(source))
    rewrite = _Rewrite(model.graph)
    count = rewrite.apply()
    if all(opset.domain != _ONNXRUNTIME for opset in model.opset_import):
        model.opset_import.append(onnx.helper.make_opsetid(_ONNXRUNTIME, 1))
    onnx.checker.check_model(model)
    onnx.save(model, str(target))
    return count


class _Rewrite:
    """Replaces each MatMul by a constant matrix in one graph."""

    def __init__(self, graph: "GraphProto") -> None:
        self.graph = graph
        self.constants = {tensor.name: tensor for tensor in graph.initializer}
        self.nodes: list[NodeProto] = []
        self.added: list[TensorProto] = []
        self.scaled: dict[str, tuple[str, str]] = {}
        self.count = 0

    def apply(self) -> int:
        self._constant("q_top", np.array(_ACTIVATION_TOP, np.float32))
        self._constant("q_one", np.array(1, np.float32))
        self._constant("q_zero", np.array(_ZERO, np.uint8))
        self._constant("q_smallest", np.array(_SMALLEST, np.float32))
        for node in self.graph.node:
            weights = self.constants.get(node.input[1]) if node.op_type == "MatMul" else None
            if weights is not None and len(weights.dims) == 2:
                self._replace(node)
            else:
                self.nodes.append(node)
        del self.graph.node[:]
        self.graph.node.extend(self.nodes)
        inputs = {name for node in self.nodes for name in node.input}
        constants = [t for t in (*self.constants.values(), *self.added) if t.name in inputs]
        del self.graph.initializer[:]
        self.graph.initializer.extend(constants)
        return self.count

    def _constant(self, name: str, value: NDArray[np.generic]) -> str:
        from onnx import numpy_helper  # noqa: PLC0415 - as above

        self.added.append(numpy_helper.from_array(value, name))
        return name

    def _node(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        from onnx import helper  # noqa: PLC0415 - as above

        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def _replace(self, node: "NodeProto") -> None:
        """Replace x @ W by (x_int8 @ W_int8 * channel scale) * token scale."""
        from onnx import numpy_helper  # noqa: PLC0415 - as above

        at = f"q_matmul_{self.count}"
        self.count += 1
        rows, row_scale = self._activation(node.input[0])
        weights, scale = quantise_weights(numpy_helper.to_array(self.constants[node.input[1]]))
        matrix = self._constant(f"{at}_weights", weights)
        factors = self._constant(f"{at}_scale", scale)
        product = self._node(
            "MatMulIntegerToFloat",
            [rows, matrix, "q_one", factors, "q_zero"],
            f"{at}_product",
            domain=_ONNXRUNTIME,
        )
        self._node("Mul", [product, row_scale], node.output[0])

    def _activation(self, name: str) -> tuple[str, str]:
        """Return the uint8 form (zero at 128) and scales of an input, created once for all."""
        if name in self.scaled:
            return self.scaled[name]
        at = f"q_rows_{len(self.scaled)}"
        size = self._node("Abs", [name], f"{at}_size")
        most = self._node("ReduceMax", [size], f"{at}_most", axes=[-1], keepdims=1)
        safe = self._node("Max", [most, "q_smallest"], f"{at}_safe")
        scale = self._node("Div", [safe, "q_top"], f"{at}_scale")
        ratio = self._node("Div", [name, scale], f"{at}_ratio")
        rows = self._node("QuantizeLinear", [ratio, "q_one", "q_zero"], f"{at}_rows")
        self.scaled[name] = (rows, scale)
        return self.scaled[name]
