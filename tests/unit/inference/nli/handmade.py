"""A model whose answers are known: it counts words of the claim.

"yes" in the claim pulls towards entailment, "no" towards contradiction; "loud" in the window pulls
towards entailment too, so that both sides are seen to be read.
"""

from pathlib import Path

import numpy as np

from inference.nli.onnx_pairs import Graph

WORDS = [
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]"),
    *("yes", "no", "bad", "loud", "a", "b", "un", "##bad", "##a", "。", "会", ".", "🙂"),
]
LABELS = ("neutral", "entail", "contradict")
STRENGTH = 3.0


def tokenizer_file(folder: Path) -> Path:
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import TemplateProcessing

    tokenizer = Tokenizer(WordPiece({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    tokenizer.enable_padding(length=40)
    tokenizer.enable_truncation(4)
    file = folder / "tokenizer.json"
    tokenizer.save(str(file))
    return file


def graph_file(folder: Path, extra: str = "") -> Path:
    """logits (n, 3) in the order of LABELS. `extra`: an input that nobody gives."""
    import onnx
    from onnx import helper, numpy_helper

    parts = [
        _word_count("yes", "yes", "claim"),
        _word_count("no", "no", "claim"),
        _word_count("loud", "loud", "window"),
    ]
    nodes = _nodes([node for part, _ in parts for node in part])
    constants = [
        *(constant for _, constant in parts),
        numpy_helper.from_array(np.array([1], np.int64), "axis"),
        numpy_helper.from_array(np.array(STRENGTH, np.float32), "strength"),
    ]
    graph = helper.make_graph(nodes, "handmade", *_ends(extra), constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    file = folder / "model.onnx"
    onnx.save(model, str(file))
    return file


def _word_count(name: str, word: str, side: str) -> tuple[list, object]:
    """Nodes that count a word on one side, and the constant that they need."""
    from onnx import TensorProto, helper, numpy_helper

    return [
        helper.make_node("Equal", ["input_ids", f"{name}_id"], [f"{name}_is"]),
        helper.make_node("Cast", [f"{name}_is"], [f"{name}_one"], to=TensorProto.FLOAT),
        helper.make_node("Mul", [f"{name}_one", side], [f"{name}_there"]),
        helper.make_node("ReduceSum", [f"{name}_there", "axis"], [f"{name}_n"], keepdims=1),
    ], numpy_helper.from_array(np.array(WORDS.index(word), np.int64), f"{name}_id")


def _nodes(counting: list) -> list:
    from onnx import TensorProto, helper

    return [
        helper.make_node("Cast", ["token_type_ids"], ["typed"], to=TensorProto.FLOAT),
        helper.make_node("Cast", ["attention_mask"], ["read"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["typed", "read"], ["claim"]),
        helper.make_node("Sub", ["read", "claim"], ["window"]),
        *counting,
        helper.make_node("Add", ["yes_n", "loud_n"], ["for_n"]),
        helper.make_node("Sub", ["for_n", "for_n"], ["zero"]),
        helper.make_node("Concat", ["zero", "for_n", "no_n"], ["counts"], axis=1),
        helper.make_node("Mul", ["counts", "strength"], ["logits"]),
    ]


def _ends(extra: str) -> tuple[list, list]:
    """Inputs and outputs."""
    from onnx import TensorProto, helper

    tensor_info = helper.make_tensor_value_info
    names = ("input_ids", "attention_mask", "token_type_ids", *([extra] if extra else []))
    inputs = [tensor_info(name, TensorProto.INT64, ["n", "t"]) for name in names]
    return inputs, [tensor_info("logits", TensorProto.FLOAT, ["n", 3])]


def graph(folder: Path, *, max_tokens: int = 24, extra: str = "") -> Graph:
    return Graph(
        file=graph_file(folder, extra),
        tokenizer=tokenizer_file(folder),
        model_id="handmade@0+float32",
        labels=LABELS,
        max_tokens=max_tokens,
        pad_id=0,
    )
