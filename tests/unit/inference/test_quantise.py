import numpy as np
import pytest

from inference.quantise import quantise_file, quantise_weights
from inference.runtime import open_session


def test_weights_use_seven_bits_and_one_scale_a_channel():
    weights = np.array([[1.0, -0.01, 0.0], [0.6, 0.005, 0.0]], np.float32)
    integers, scale = quantise_weights(weights)
    assert integers.tolist() == [[63, -63, 0], [38, 32, 0]]
    assert np.abs(integers * scale - weights).max() <= scale.max() / 2 + 1e-9


@pytest.fixture
def graph(tmp_path):
    """Return y = x @ W for x (rows, 16), W (16, 24)."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    weights = np.random.default_rng(1).normal(size=(16, 24)).astype(np.float32)
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"])],
        "product",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["rows", 16])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["rows", 24])],
        [numpy_helper.from_array(weights, "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, tmp_path / "float.onnx")
    assert quantise_file(tmp_path / "float.onnx", tmp_path / "int8.onnx") == 1
    return weights, open_session(tmp_path / "int8.onnx", threads=1)


def test_the_product_stays_close(graph):
    weights, session = graph
    rows = np.random.default_rng(2).normal(size=(50, 16)).astype(np.float32)
    (product,) = session.run(None, {"x": rows})
    exact = rows @ weights
    assert np.abs(product - exact).max() < 0.03 * np.abs(exact).max()


def test_a_large_row_does_not_touch_its_neighbour(graph):
    _, session = graph
    row = np.linspace(-1, 1, 16, dtype=np.float32)
    (alone,) = session.run(None, {"x": row[None]})
    (beside,) = session.run(None, {"x": np.stack([row * 1e4, row])})
    assert np.array_equal(alone[0], beside[1])


def test_zeros_give_zeros(graph):
    _, session = graph
    (product,) = session.run(None, {"x": np.zeros((2, 16), np.float32)})
    assert np.array_equal(product, np.zeros((2, 24), np.float32))
