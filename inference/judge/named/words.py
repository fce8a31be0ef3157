"""Token classifiers of the LettuceDetect kind: mark words that nothing supports.

Kovács and Recski 2025, arXiv 2502.17125: one sequence of question, passages and answer; the second
label of a token means unsupported.
"""

import threading
from collections.abc import Sequence
from typing import Any

from inference.errors import ModelError
from inference.judge.named.loading import load_pretrained, tokenizer_of
from inference.judge.types import ClaimJudgement, EvidenceWindow, Word
from inference.tokens import readable

MOST_TOKENS = 4096
_QUESTION = (
    "Briefly answer the following question:\n{question}\n"
    "Bear in mind that your response should be strictly based on the following {count} passages:\n"
    "{passages}\nIn case the passages do not contain the necessary information to answer the "
    'question, please reply with: "Unable to answer based on given passages."\noutput:'
)
_SUMMARY = "Summarize the following text:\n{passages}\noutput:"
"""The models were trained on these two, word for word (LettuceDetect, after RAGTruth)."""
_UNSUPPORTED = 1


class WordsJudge:
    """A `Judge` over one token classifier. Reads one answer at a time, behind a lock."""

    def __init__(self, source: str, name: str, threads: int) -> None:
        import torch
        from transformers import AutoModelForTokenClassification

        torch.set_num_threads(threads)
        self._name, self._lock = name, threading.Lock()
        self._tokenizer = tokenizer_of(source)
        self._model = load_pretrained(AutoModelForTokenClassification, source)
        if self._model.config.num_labels != 2:
            raise ModelError(f"{source} does not tell two kinds of words.", "Name another model.")

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
        """Predict like `Judge.predict`.

        All claims are read in one run, so `seconds` cuts nothing off.

        A claim is as unsupported as its most doubted word.
        """
        answer = " ".join(readable(claim) for claim in claims)
        prompt = _prompt(question, [readable(text) for text in evidence])
        doubts, unread = self._doubts(prompt, answer)
        coverage = 1.0 if not unread else max(0.0, 1 - unread / len(prompt))
        spans = tuple(EvidenceWindow(at, 0, len(text), 1.0) for at, text in enumerate(evidence))
        results: list[ClaimJudgement | None] = []
        start = 0
        for claim in claims:
            end = start + len(readable(claim))
            results.append(_judgement(doubts, start, end, spans, coverage))
            start = end + 1
        return tuple(results)

    def _doubts(self, prompt: str, answer: str) -> tuple[list[Word], int]:
        """Return the answer's tokens with their doubts, and how much of the prompt was left out."""
        import torch

        with self._lock, torch.inference_mode():
            feed = self._tokenizer(
                prompt, answer, truncation="only_first", max_length=MOST_TOKENS,
                return_offsets_mapping=True, return_tensors="pt",
            )  # fmt: skip
            offsets = feed.pop("offset_mapping")[0].tolist()
            parts = feed.sequence_ids(0)
            shares = self._model(**feed).logits[0].float().softmax(-1)[:, _UNSUPPORTED].tolist()
        rows: list[tuple[Any, tuple[int, int], float]] = list(
            zip(parts, offsets, shares, strict=True)
        )
        doubts = [(a, b, share) for part, (a, b), share in rows if part == 1 and b > a]
        read = max((b for part, (_, b), _ in rows if part == 0), default=0)
        return doubts, len(prompt.rstrip()) - read


def _prompt(question: str, evidence: Sequence[str]) -> str:
    passages = "\n".join(f"passage {at}: {text}" for at, text in enumerate(evidence, start=1))
    if not question.strip():
        return _SUMMARY.format(passages="\n".join(evidence))
    return _QUESTION.format(question=question, count=len(evidence), passages=passages)


def _judgement(
    doubts: Sequence[Word],
    start: int,
    end: int,
    windows: tuple[EvidenceWindow, ...],
    coverage: float,
) -> ClaimJudgement:
    inside = [
        (max(a, start) - start, min(b, end) - start, share)
        for a, b, share in doubts
        if a < end and start < b
    ]
    doubt = max((share for _, _, share in inside), default=1.0)
    return ClaimJudgement(1 - doubt, doubt, 0.0, tuple(inside), windows, coverage, not inside)
