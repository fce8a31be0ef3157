"""Small random classifiers.

KIND: three, two (labels), unnamed (LABEL_0 …), roberta, traceless (gives other scores when it is
exported). Beside the folder stands FOLDER.npy, what transformers makes of PAIRS,
and `models` with what is prepared of them.
"""

from pathlib import Path

from tests.integration.inference.tiny import WORDS

PAIRS = [
    ("the bank closed in the year ten", "the bank is open"),
    ("water boils at five", "price rose"),
    ("", "a quick brown fox"),
    ("the river is blue " * 3, "un ##s zzz"),
    ("the school of the city opened " * 30, "the school closed"),
]
LABELS = {
    "three": ("contradiction", "entailment", "neutral"),
    "two": ("entailment", "not_entailment"),
    "unnamed": ("LABEL_0", "LABEL_1", "LABEL_2"),
    "roberta": ("entailment", "neutral", "contradiction"),
    "traceless": ("entailment", "neutral", "contradiction"),
}


def make(kind: str, folder: Path) -> None:
    """Write a classifier of 2 layers and 32 dimensions with its tokenizer."""
    import torch
    from transformers import AutoModelForSequenceClassification

    torch.manual_seed(5)
    names = LABELS[kind]
    config = _config(kind)(
        vocab_size=len(_vocabulary()),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=64,
        pad_token_id=0,
        id2label=dict(enumerate(names)),
        label2id={name: at for at, name in enumerate(names)},
        **({"attention_window": [8, 8]} if kind == "traceless" else {}),
    )
    model = AutoModelForSequenceClassification.from_config(config)
    with torch.no_grad():  # fresh weights are so small that every pair gets the same scores
        for weights in model.parameters():
            if weights.dim() > 1:
                weights.mul_(8)
    model.save_pretrained(folder)
    _tokenizer().save_pretrained(folder)
    reference(folder, Path(f"{folder}.npy"))


def _config(kind: str):
    import transformers

    other = {"roberta": "RobertaConfig", "traceless": "LongformerConfig"}
    return getattr(transformers, other.get(kind, "BertConfig"))


def _vocabulary() -> list[str]:
    return ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *dict.fromkeys(WORDS.split())]


def _tokenizer():
    from transformers import BertTokenizerFast

    vocabulary = {word: at for at, word in enumerate(_vocabulary())}
    return BertTokenizerFast(vocab=vocabulary, model_max_length=48)


def reference(folder: Path, target: Path) -> None:
    """What transformers makes of PAIRS, one at a time, the window cut: (pairs, labels)."""
    import numpy as np
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    rows = []
    with torch.inference_mode():
        for window, claim in PAIRS:
            cut = {"truncation": "only_first" if window else False, "max_length": 48}
            feed = tokenizer(window, claim, return_tensors="pt", **cut)
            rows.append(torch.softmax(model(**feed).logits, -1)[0].numpy())
    np.save(target, np.array(rows))
