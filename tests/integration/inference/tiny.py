"""Small random models of embedding.

KIND: mean, cls, prompts (mean with prompts), dense (a layer that cannot be exported), bare (an
encoder like RoBERTa, with 66 positions of which two are of padding, and no word on its length).
Beside the folder stands FOLDER.npy, what the model makes of texts.json (not of the last).
"""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from inference.build import Report
from inference.store import Manifest

WORDS = """
the a of and to in is was not it for on with by at from this that water boils price rose fell city
school closed opened year ten five two bank river green blue quick brown fox dog un ##s ##ed ##ing
e o i . , ? ! : - ( )
"""


def make(kind: str, folder: Path) -> None:
    """Write a sentence-transformers model of 2 layers and 32 dimensions."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import Dense, Normalize, Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizerFast, RobertaConfig, RobertaModel

    torch.manual_seed(3)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *dict.fromkeys(WORDS.split())]
    base = folder if kind == "bare" else folder.with_name(folder.name + "-base")
    base.mkdir()
    (base / "vocab.txt").write_text("\n".join(words))
    sizes = {
        "vocab_size": len(words),
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": 64,
    }
    tokenizer = BertTokenizerFast(vocab={word: at for at, word in enumerate(words)})
    tokenizer.save_pretrained(base)
    if kind == "bare":
        config = RobertaConfig(**sizes, max_position_embeddings=66, pad_token_id=1)
        RobertaModel(config).save_pretrained(base)
        return
    BertModel(BertConfig(**sizes, max_position_embeddings=64)).save_pretrained(base)
    body = Transformer(str(base), max_seq_length=32)
    pooling = Pooling(32, pooling_mode="cls" if kind == "cls" else "mean")
    modules = [body, pooling, *([Dense(32, 16)] if kind == "dense" else []), Normalize()]
    prompts = {"query": "water : ", "document": "city : "} if kind == "prompts" else None
    SentenceTransformer(modules=modules, prompts=prompts, device="cpu").save(str(folder))
    texts = json.loads(Path(__file__).with_name("texts.json").read_text())
    np.save(f"{folder}.npy", vectors(str(folder), texts))


def vectors(source: str, texts: list[str]) -> NDArray[np.float32]:
    """Return the vectors that sentence-transformers makes of texts."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(source, device="cpu", local_files_only=True)
    return np.asarray(model.encode(texts, normalize_embeddings=True, prompt=""), np.float32)


def prepare(
    build: Callable[[str, Path, Report], Manifest],
    source: Path,
    folder_of: Callable[[Path, str], Path],
) -> None:
    """Do in this process what a child of the product does for a model."""
    folder = folder_of(source.parent / "models", str(source))
    folder.mkdir(parents=True)
    build(str(source), folder, lambda _step: None)
