"""`python -m tests.integration.inference.tiny_named FOLDER`: small random judges.

Writes one model of each real architecture, asks our adapters and transformers itself, and prints
both as JSON.
"""

import json
import sys
from pathlib import Path
from typing import Any

EVIDENCE = [
    "the bank closed in the year ten. water boils at five.",
    "the school of the city opened",
]
CLAIMS = ["the bank closed", "the river is blue"]
QUESTION = "is the bank open ?"


def main(folder: Path) -> None:
    """Make the judges, ask them, and print their answers."""
    import torch

    torch.manual_seed(5)
    answers = {kind: ask(kind, make(kind, folder / kind)) for kind in MAKERS}
    print(json.dumps(answers))


def make(kind: str, folder: Path) -> Path:
    import torch

    model, tokenizer = MAKERS[kind]()
    with torch.no_grad():  # fresh weights are so small that every pair gets the same scores
        for weights in model.parameters():
            if weights.dim() > 1:
                weights.mul_(6)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _tokenizer(**special: str) -> Any:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    from tests.integration.inference.tiny import WORDS

    # T5's ids of "0" and "1" are 3 and 209: the vocabulary has to reach so far.
    words = ["<pad>", "</s>", "<unk>", *dict.fromkeys(WORDS.split())]
    words += [f"<extra{at}>" for at in range(len(words), 256)]
    tokenizer = Tokenizer(models.WordLevel({word: at for at, word in enumerate(words)}, "<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", pair="$A </s> $B:1 </s>:1", special_tokens=[("</s>", 1)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="<unk>",
        sep_token="</s>", cls_token="</s>", **special,
    )  # fmt: skip


def _roberta() -> Any:
    from transformers import RobertaConfig, RobertaForSequenceClassification

    config = RobertaConfig(
        vocab_size=256, hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=64, max_position_embeddings=600, pad_token_id=0, num_labels=2,
    )  # fmt: skip
    return RobertaForSequenceClassification(config), _tokenizer()


ENTAILMENT = ("contradiction", "entailment", "neutral")


def _deberta() -> Any:
    from transformers import DebertaV2Config, DebertaV2ForSequenceClassification

    config = DebertaV2Config(
        vocab_size=256, hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=64, max_position_embeddings=600, pad_token_id=0, type_vocab_size=0,
        relative_attention=True, position_biased_input=False, pos_att_type=["p2c", "c2p"],
        id2label=dict(enumerate(ENTAILMENT)), label2id={n: at for at, n in enumerate(ENTAILMENT)},
    )  # fmt: skip
    return DebertaV2ForSequenceClassification(config), _tokenizer()


def _t5(kind: str) -> Any:
    import transformers

    config = transformers.T5Config(
        vocab_size=256, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, num_labels=2,
        decoder_start_token_id=0,
    )  # fmt: skip
    return getattr(transformers, kind)(config), _tokenizer()


def _modernbert() -> Any:
    from transformers import ModernBertConfig, ModernBertForTokenClassification

    config = ModernBertConfig(
        vocab_size=256, hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=64, max_position_embeddings=4200, pad_token_id=0, eos_token_id=1,
        bos_token_id=1, cls_token_id=1, sep_token_id=1, num_labels=2,
    )  # fmt: skip
    return ModernBertForTokenClassification(config), _tokenizer()


MAKERS = {
    "minicheck": _roberta,
    "minicheck-t5": lambda: _t5("T5ForConditionalGeneration"),
    "hhem": lambda: _t5("T5ForTokenClassification"),
    "lettucedetect": _modernbert,
    "entailment": _deberta,
}


def ask(kind: str, folder: Path) -> dict[str, Any]:
    """Return our adapter's answers, and transformers' own for the first claim."""
    from inference.judge.named_judges import named_judge

    judge = named_judge(f"{kind.removesuffix('-t5')}:{folder}", folder)
    read = judge.predict(QUESTION, EVIDENCE, CLAIMS)
    claims = [
        {"entail": each.entail, "neutral": each.neutral, "contradict": each.contradict,
         "words": each.words, "windows": [(w.source, w.start, w.end) for w in each.windows]}
        for each in read if each
    ]  # fmt: skip
    return {"id": judge.model_id, "claims": claims, "reference": REFERENCES[kind](folder)}


def _best(score: Any) -> list[float]:
    """Return the best of both sources, each one window, for each claim."""
    import torch

    with torch.inference_mode():
        return [max(score(text, claim) for text in EVIDENCE) for claim in CLAIMS]


def _of_roberta(folder: Path) -> list[float]:
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    return _best(
        lambda text, claim: float(
            model(**tokenizer(f"{text}</s>{claim}", return_tensors="pt")).logits.softmax(-1)[0, 1]
        )
    )


def _of_deberta(folder: Path) -> list[float]:
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    at = ENTAILMENT.index("entailment")
    return _best(
        lambda text, claim: float(
            model(**tokenizer(text, claim, return_tensors="pt")).logits.softmax(-1)[0, at]
        )
    )


def _of_t5(folder: Path) -> list[float]:
    import torch
    from transformers import AutoTokenizer, T5ForConditionalGeneration

    model = T5ForConditionalGeneration.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)

    def score(text: str, claim: str) -> float:
        feed = tokenizer(f"predict: {text}</s>{claim}", return_tensors="pt")
        logits = model(**feed, decoder_input_ids=torch.tensor([[0]])).logits[0, 0]
        return float(torch.softmax(logits[[3, 209]], -1)[1])

    return _best(score)


def _of_hhem(folder: Path) -> list[float]:
    from transformers import AutoTokenizer, T5ForTokenClassification

    model = T5ForTokenClassification.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)

    def score(text: str, claim: str) -> float:
        prompt = (
            "<pad> Determine if the hypothesis is true given the premise?\n\n"
            f"Premise: {text}\n\nHypothesis: {claim}"
        )
        return float(model(**tokenizer(prompt, return_tensors="pt")).logits[0, 0].softmax(-1)[1])

    return _best(score)


def _of_modernbert(folder: Path) -> list[float]:
    import torch
    from transformers import AutoModelForTokenClassification, AutoTokenizer

    model = AutoModelForTokenClassification.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    passages = "\n".join(f"passage {at}: {text}" for at, text in enumerate(EVIDENCE, start=1))
    prompt = (
        f"Briefly answer the following question:\n{QUESTION}\nBear in mind that your response "
        f"should be strictly based on the following 2 passages:\n{passages}\nIn case the passages "
        "do not contain the necessary information to answer the question, please reply with: "
        '"Unable to answer based on given passages."\noutput:'
    )
    ids = tokenizer(prompt, add_special_tokens=False)["input_ids"]
    answers = [tokenizer(claim, add_special_tokens=False)["input_ids"] for claim in CLAIMS]
    sequence = [*ids, 1, *answers[0], *answers[1], 1]
    with torch.inference_mode():
        shares = model(torch.tensor([sequence])).logits[0].softmax(-1)[:, 1].tolist()
    first = len(ids) + 1
    second = first + len(answers[0])
    return [1 - max(shares[first:second]), 1 - max(shares[second : second + len(answers[1])])]


REFERENCES = {
    "minicheck": _of_roberta, "minicheck-t5": _of_t5, "hhem": _of_hhem,
    "lettucedetect": _of_modernbert, "entailment": _of_deberta,
}  # fmt: skip

if __name__ == "__main__":
    main(Path(sys.argv[1]))
