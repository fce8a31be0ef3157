"""Small random cross-encoders.

KIND: bert, roberta (knows no token types), decoder (GPT-2, scores its last token), three (three
scores), traceless (gives other scores when it is exported).
Beside the folder stands FOLDER.npy, what sentence-transformers makes of QUERY and PASSAGES,
and `models` with what is prepared of them.
"""

from pathlib import Path

from tests.integration.inference.tiny import WORDS

QUERY = "when was the school closed ?"
PASSAGES = [
    "the school in the city was closed for ten year",
    "water boiled",
    "",
    "green river bank",
    "the price rose by five . " * 3,
]


def make(kind: str, folder: Path) -> None:
    """Write a cross-encoder of 2 layers and 32 dimensions with its tokenizer."""
    import torch
    import transformers

    torch.manual_seed(9)
    names = {"roberta": "Roberta", "decoder": "GPT2", "traceless": "Longformer"}
    name = names.get(kind, "Bert")
    config = getattr(transformers, f"{name}Config")(
        vocab_size=len(_vocabulary()),
        num_labels=3 if kind == "three" else 1,
        pad_token_id=0,
        **_sizes(kind),
    )
    model = getattr(transformers, f"{name}ForSequenceClassification")(config)
    with torch.no_grad():  # fresh weights are so small that every pair gets the same score
        for weights in model.parameters():
            if weights.dim() > 1:
                weights.mul_(8)
    model.save_pretrained(folder)
    names = ["input_ids", "attention_mask", *(["token_type_ids"] if name == "Bert" else [])]
    vocabulary = {word: at for at, word in enumerate(_vocabulary())}
    transformers.BertTokenizerFast(
        vocab=vocabulary, model_max_length=48, model_input_names=names
    ).save_pretrained(folder)
    reference(folder, Path(f"{folder}.npy"))


def _vocabulary() -> list[str]:
    return ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *dict.fromkeys(WORDS.split())]


def _sizes(kind: str) -> dict[str, object]:
    if kind == "decoder":
        return {"n_embd": 32, "n_layer": 1, "n_head": 4, "n_positions": 64}
    return {
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": 64,
        "max_position_embeddings": 64,
        "type_vocab_size": 1 if kind in ("roberta", "traceless") else 2,
        **({"attention_window": [8, 8]} if kind == "traceless" else {}),
    }


def reference(folder: Path, target: Path) -> None:
    """Store the scores that sentence-transformers gives the pairs, before any activation."""
    import numpy as np
    import torch
    from sentence_transformers import CrossEncoder

    model = CrossEncoder(str(folder), device="cpu", local_files_only=True)
    pairs = [(QUERY, passage) for passage in PASSAGES]
    np.save(target, np.asarray(model.predict(pairs, activation_fn=torch.nn.Identity())))
