"""`python -m tests.integration.inference.tiny_judge FOLDER`: a small random judge of 2 layers.

Writes the base in FOLDER/base, differences.npz by `tools.training.judge.pack`, and judged.json:
what torch makes of ANSWERS with the packed parameters.
"""

import json
import sys
from pathlib import Path

from tests.integration.inference.tiny import WORDS

LONG = "the bank of the city closed in year ten . water boils at five . " * 40
ANSWERS = [
    ("is the bank open ?", ["the bank closed in year ten .", "water boils at five ."],
     ["the bank is open .", "water boils at ten", "the dog is quick ."]),
    ("", [LONG, "the school opened . the river is green ."],
     ["the school closed .", "the quick brown fox is not a dog . " * 20]),
    ("is it blue ?", [], ["it is blue"]),
]  # fmt: skip
BUDGET = 300


def make(folder: Path) -> None:
    import numpy as np
    import torch
    from transformers import MPNetConfig, MPNetModel

    from tools.training.judge import pack
    from tools.training.judge.model import JudgeNetwork

    torch.manual_seed(3)
    base = folder / "base"
    config = MPNetConfig(
        vocab_size=len(_vocabulary()), hidden_size=64, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=512, max_position_embeddings=514, pad_token_id=1,
    )  # fmt: skip
    MPNetModel(config).save_pretrained(base)
    _tokenizer().save(str(base / "tokenizer.json"))
    model = JudgeNetwork(base)
    with torch.no_grad():  # fresh weights are so small that every claim gets the same labels
        for name, weights in model.named_parameters():
            if "word_embeddings" in name or "position_embeddings" in name:
                continue
            weights += torch.randn_like(weights) * (0.12 if weights.dim() > 1 else 0.1)
    trained = {name: weights.numpy() for name, weights in model.state_dict().items()}
    np.savez(folder / "differences.npz", **pack.pack(base, trained, 8, "tiny"))
    torch.save({"model": model.state_dict()}, folder / "trained.pt")
    (folder / "judged.json").write_text(json.dumps(_judged(base, folder / "differences.npz")))


def _judged(base: Path, differences: Path) -> list[dict[str, list]]:
    """Return for each answer the labels' probabilities and, of all claims' tokens, the words'."""
    import numpy as np
    import torch

    from inference.judge.parameters import read_parameters
    from tools.training.judge.data import Block, LabelledClaim
    from tools.training.judge.model import JudgeNetwork
    from tools.training.judge.train import Encoder

    arrays = read_parameters(base, differences).arrays
    model = JudgeNetwork(base)
    model.load_state_dict({name: torch.from_numpy(np.array(arrays[name])) for name in arrays})
    model.eval()
    judged = []
    with torch.inference_mode():
        for question, evidence, claims in ANSWERS:
            block = Block(
                tuple(evidence), question, tuple(LabelledClaim(each, (), 0) for each in claims)
            )
            packed = Encoder(base).pack(block, BUDGET)
            labels, words = model(packed)
            judged.append({
                "labels": labels.softmax(-1).tolist(),
                "words": words.sigmoid()[packed.marks >= 0].tolist(),
            })  # fmt: skip
    return judged


def _vocabulary() -> list[str]:
    return ["<s>", "<pad>", "</s>", "[UNK]", *dict.fromkeys(WORDS.split())]


def _tokenizer():
    """Return a tokenizer with a limit of 128 tokens and padding, as the real base's file has."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    vocabulary = {word: at for at, word in enumerate(_vocabulary())}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.enable_truncation(128)
    tokenizer.enable_padding(length=128, pad_id=1, pad_token="<pad>")
    return tokenizer


if __name__ == "__main__":
    make(Path(sys.argv[1]))
