"""Models of pairs: each claim with each window of evidence; the best window counts.

Binary grounders of the MiniCheck kind (Tang et al. 2024, arXiv 2404.10774) and of the HHEM kind
(Vectara, hallucination_evaluation_model), and cross-encoders for entailment.
"""

import threading
import time
from collections.abc import Sequence
from typing import Any, Protocol

from inference.errors import ModelError
from inference.judge import windows
from inference.judge.named.labels import label_order
from inference.judge.named.loading import load_pretrained, tokenizer_of
from inference.judge.types import ClaimJudgement, EvidenceWindow
from inference.tokens import readable

WINDOW_TOKENS, EVIDENCE_TOKENS = 350, 1800
MOST_TOKENS = 512
_BATCH = 8
_QUESTION = (
    "<pad> Determine if the hypothesis is true given the premise?\n\n"
    "Premise: {document}\n\nHypothesis: {claim}"
)
"""Of HHEM-2.1-open, word for word: it was trained on it."""
_NO, _YES = 3, 209
"""T5's ids of "0" and "1", which MiniCheck's T5 answers with."""


Shares = tuple[float, float]
"""Probabilities (0-1) that a document supports and that it contradicts a claim."""


class Pairs(Protocol):
    """Reads pairs of a document and a claim; a grounder reports no contradiction (0)."""

    @property
    def tokenizer(self) -> Any: ...
    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Shares]: ...


class Classifier:
    """MiniCheck's encoders: document, end of sequence, claim; the second label is support."""

    def __init__(self, source: str) -> None:
        from transformers import AutoModelForSequenceClassification

        self.tokenizer = tokenizer_of(source)
        self._model = load_pretrained(AutoModelForSequenceClassification, source)
        if self._model.config.num_labels != 2:
            raise ModelError(
                f"{source} has {self._model.config.num_labels} labels; MiniCheck's models have 2.",
                "Name a model of entailment as entailment:FOLDER.",
            )

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Shares]:
        end = self.tokenizer.eos_token or self.tokenizer.sep_token or ""
        feed = encoded(self.tokenizer, [f"{text}{end}{claim}" for text, claim in pairs])
        return _support(self._model(**feed).logits)


class Generator:
    """MiniCheck's T5: prompted to predict, it begins its answer with 0 or 1."""

    def __init__(self, source: str) -> None:
        from transformers import T5ForConditionalGeneration

        self.tokenizer = tokenizer_of(source)
        self._model = load_pretrained(T5ForConditionalGeneration, source)

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Shares]:
        import torch

        end = self.tokenizer.eos_token or ""
        feed = encoded(self.tokenizer, [f"predict: {text}{end}{claim}" for text, claim in pairs])
        start = self._model.config.decoder_start_token_id
        decoder_ids = torch.full((len(pairs), 1), start, dtype=torch.long)
        logits = self._model(**feed, decoder_input_ids=decoder_ids).logits[:, 0, [_NO, _YES]]
        return _support(logits)


class Hhem:
    """HHEM-2.1-open: a T5 token classifier; the second label of the first token."""

    def __init__(self, source: str) -> None:
        from transformers import T5ForTokenClassification

        self.tokenizer = tokenizer_of(source)
        self._model = load_pretrained(T5ForTokenClassification, source)

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Shares]:
        texts = [_QUESTION.format(document=text, claim=claim) for text, claim in pairs]
        logits = self._model(**encoded(self.tokenizer, texts)).logits[:, 0]
        return _support(logits)


class CrossEncoder:
    """A cross-encoder for entailment; its config names its labels."""

    def __init__(self, source: str) -> None:
        from transformers import AutoModelForSequenceClassification

        self.tokenizer = tokenizer_of(source)
        self._model = load_pretrained(AutoModelForSequenceClassification, source)
        labels = label_order(self._model.config.to_dict())
        self._for = labels.index("entail")
        self._against = labels.index("contradict") if "contradict" in labels else None

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Shares]:
        texts, claims = zip(*pairs, strict=True)
        logits = self._model(**encoded(self.tokenizer, texts, claims)).logits
        rows: list[list[float]] = logits.float().softmax(-1).tolist()
        return [
            (row[self._for], 0.0 if self._against is None else row[self._against]) for row in rows
        ]


def _support(logits: Any) -> list[Shares]:
    """Return shares from two labels per pair, the second of which means supported."""
    return [(share, 0.0) for share in logits.float().softmax(-1)[:, 1].tolist()]


def minicheck(source: str) -> Pairs:
    """Load a model of the MiniCheck kind: its T5, or one of its encoders. Raises ModelError."""
    from transformers import AutoConfig

    try:
        kind = AutoConfig.from_pretrained(source, trust_remote_code=False).model_type
    except Exception as error:  # the libraries below raise what they like
        raise ModelError(f"transformers cannot read {source}: {error}", "") from error
    return Generator(source) if kind == "t5" else Classifier(source)


KINDS = {"minicheck": minicheck, "hhem": Hhem, "entailment": CrossEncoder}


def encoded(tokenizer: Any, texts: Sequence[str], claims: Sequence[str] | None = None) -> Any:
    """Encode texts, or (text, claim) pairs, as one padded batch of at most MOST_TOKENS."""
    return tokenizer(
        list(texts),
        claims and list(claims),
        truncation=True,
        max_length=MOST_TOKENS,
        padding=True,
        return_tensors="pt",
    )


class GroundingJudge:
    """A `Judge` over pairs. Runs one batch at a time, behind a lock."""

    def __init__(self, pairs: Pairs, name: str, threads: int) -> None:
        import torch

        torch.set_num_threads(threads)
        self._pairs, self._name = pairs, name
        self._lock = threading.Lock()

    @property
    def model_id(self) -> str:
        return self._name

    def predict(
        self,
        question: str,
        evidence: Sequence[str],
        claims: Sequence[str],
        *,
        before: Sequence[str] = (),
        seconds: float | None = None,
    ) -> tuple[ClaimJudgement | None, ...]:
        """Predict like `Judge.predict`; unsupported claims of a grounder are not contradicted."""
        until = None if seconds is None else time.monotonic() + seconds
        texts = [readable(text) for text in evidence]
        candidates = windows.cut(texts, self._ids, WINDOW_TOKENS)
        queries = [self._ids(claim) for claim in claims]
        selection = windows.select(candidates, queries, EVIDENCE_TOKENS)
        total = sum(len(each.ids) for each in candidates)
        coverage = sum(len(each.ids) for each in selection) / total if total else 1.0
        results: list[ClaimJudgement | None] = []
        for claim in claims:
            late = until is not None and time.monotonic() >= until
            results.append(None if late else self._judge(claim, texts, selection, coverage))
        return tuple(results)

    def _judge(
        self,
        claim: str,
        texts: Sequence[str],
        windows: Sequence[windows.Window],
        coverage: float,
    ) -> ClaimJudgement:
        pairs = [(texts[each.source][each.start : each.end], readable(claim)) for each in windows]
        shares = self._read(pairs) or [(0.0, 0.0)]
        support = [share for share, _ in shares]
        entail = max(support)
        contradict = min(max(share for _, share in shares), 1 - entail)
        weights = [share / (sum(support) or 1.0) for share in support]
        read = tuple(
            EvidenceWindow(each.source, each.start, each.end, weight)
            for each, weight in zip(windows, weights, strict=False)
        )
        words = ((0, len(claim), 1 - entail),)
        neutral = 1 - entail - contradict
        return ClaimJudgement(entail, neutral, contradict, words, read, coverage)

    def _read(self, pairs: Sequence[tuple[str, str]]) -> list[Shares]:
        import torch

        shares: list[Shares] = []
        with self._lock, torch.inference_mode():
            for start in range(0, len(pairs), _BATCH):
                shares += self._pairs.read(pairs[start : start + _BATCH])
        return shares

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self._pairs.tokenizer.encode(
            readable(text), add_special_tokens=False, verbose=False
        )
        return ids
