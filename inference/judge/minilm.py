"""The encoder that the small judge starts from: MiniLM, converted for the judge's code.

all-MiniLM-L6-v2 comes with an installed package, so that the small judge needs no download. Its
layers are those of BERT, the judge's those of MPNet, which differ in names and positions; BERT's
are MPNet's with a zero bias for relative positions. Converted are the names; the two special
tokens, which are swapped with the ids that MPNet has for them; and the position vectors, which
absorb those of token types: a claim has the second type.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from inference.judge.base import CONFIG, TOKENIZER, WEIGHTS
from inference.judge.segments import BEGIN, CLAIM_POSITION, END, OFFSET
from inference.judge.signature import Floats
from inference.sources import DEFAULT_MODEL, check_bundle, find_source

BUCKETS = 32
"""Of relative positions, as MPNet has them."""
_SPECIAL = {"[CLS]": BEGIN, "[SEP]": END}
_NAMES = {
    "attention.self.query": "attention.attn.q",
    "attention.self.key": "attention.attn.k",
    "attention.self.value": "attention.attn.v",
    "attention.output.dense": "attention.attn.o",
    "attention.output.LayerNorm": "attention.LayerNorm",
}

Arrays = dict[str, Floats]


def write_base(folder: Path) -> None:
    """Write the converted encoder's config, weights and tokenizer to `folder` (90 MB).

    Raises ModelError if the package is missing or contains other files.
    """
    from safetensors.numpy import load_file, save_file  # noqa: PLC0415 - serving needs none of it

    source = find_source(DEFAULT_MODEL)
    check_bundle(source)
    package = source.folder or Path()
    tokenizer = json.loads((package / TOKENIZER).read_text(encoding="utf-8"))
    swaps = {tokenizer["model"]["vocab"][token]: place for token, place in _SPECIAL.items()}
    folder.mkdir(parents=True, exist_ok=True)
    save_file(converted(load_file(package / WEIGHTS), swaps), folder / WEIGHTS)
    config = json.loads((package / CONFIG).read_text(encoding="utf-8"))
    (folder / CONFIG).write_text(json.dumps(converted_config(config)), encoding="utf-8")
    text = json.dumps(converted_tokenizer(tokenizer, swaps), ensure_ascii=False)
    (folder / TOKENIZER).write_text(text, encoding="utf-8")


def converted(weights: Arrays, swaps: dict[int, int]) -> Arrays:
    """Return BERT's parameters by MPNet's names. `swaps`: ids to exchange."""
    arrays = {_renamed(name): array for name, array in weights.items() if _used(name)}
    words = "embeddings.word_embeddings.weight"
    arrays[words] = _swapped(arrays[words], swaps)
    types = weights["embeddings.token_type_embeddings.weight"]
    places = "embeddings.position_embeddings.weight"
    arrays[places] = _places(weights[places], types)
    heads = weights["embeddings.LayerNorm.weight"].shape[0] // 32
    arrays["encoder.relative_attention_bias.weight"] = np.zeros((BUCKETS, heads), np.float32)
    return arrays


def _used(name: str) -> bool:
    return not name.startswith(("pooler.", "embeddings.token_type", "embeddings.position_ids"))


def _renamed(name: str) -> str:
    for old, new in _NAMES.items():
        name = name.replace(old, new)
    return name


def _swapped(table: Floats, swaps: dict[int, int]) -> Floats:
    order = np.arange(len(table))
    for one, other in swaps.items():
        order[[one, other]] = order[[other, one]]
    return np.ascontiguousarray(table[order])


def _places(positions: Floats, types: Floats) -> Floats:
    """Return MPNet's position vectors: for evidence tokens, and from 256 on for claims."""
    table = np.zeros((len(positions) + OFFSET, positions.shape[1]), np.float32)
    table[OFFSET:] = positions + types[0]
    begin = OFFSET + CLAIM_POSITION
    claim = positions[: len(table) - begin] + types[1]
    claim[0] = positions[0] + types[0]
    table[begin:] = claim
    return table


def converted_config(config: dict[str, Any]) -> dict[str, Any]:
    """Return the converted encoder's config for transformers."""
    sizes = ("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size")
    return {
        "model_type": "mpnet",
        "architectures": ["MPNetModel"],
        **{size: config[size] for size in sizes},
        "vocab_size": config["vocab_size"],
        "max_position_embeddings": config["max_position_embeddings"] + OFFSET,
        "relative_attention_num_buckets": BUCKETS,
        "layer_norm_eps": config["layer_norm_eps"],
        "hidden_act": config["hidden_act"],
        "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0,
    }


def converted_tokenizer(tokenizer: dict[str, Any], swaps: dict[int, int]) -> dict[str, Any]:
    """Return tokenizer.json with the same words, some of whose ids are exchanged."""
    both = swaps | {other: one for one, other in swaps.items()}
    vocabulary = tokenizer["model"]["vocab"]
    model = {
        **tokenizer["model"],
        "vocab": {word: both.get(number, number) for word, number in vocabulary.items()},
    }
    added = [{**each, "id": both.get(each["id"], each["id"])} for each in tokenizer["added_tokens"]]
    return {
        **tokenizer,
        "model": model,
        "added_tokens": added,
        "post_processor": None,
        "truncation": None,
        "padding": None,
    }
