"""Entailment by transformers itself, for models that cannot be exported."""

import threading
from collections.abc import Sequence
from dataclasses import replace

from inference.batching import batches
from inference.errors import ModelError
from inference.nli.labels import read_labels
from inference.nli.onnx_pairs import BATCH_TOKENS, entailment, softmax
from inference.nli.types import Entailment, Pair
from inference.store import Manifest
from inference.tokens import readable


class TorchPairs:
    """An `EntailmentModel` that loads torch. One batch at a time, behind a lock."""

    def __init__(self, manifest: Manifest, *, threads: int) -> None:
        import torch
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        torch.set_num_threads(threads)
        self._manifest = manifest
        self._labels = read_labels(manifest.labels)
        self._lock = threading.Lock()
        try:
            self._tokenizer = AutoTokenizer.from_pretrained(manifest.source, local_files_only=True)
            self._model = AutoModelForSequenceClassification.from_pretrained(
                manifest.source, local_files_only=True
            ).eval()
        except Exception as error:  # the libraries below raise what they like
            raise ModelError(
                f"transformers cannot load {manifest.source}: {error}",
                "Run `python -m inference.export --nli --force`, or set another NLI_MODEL.",
            ) from error

    @property
    def model_id(self) -> str:
        return self._manifest.model_id

    def score(self, pairs: Sequence[Pair]) -> list[Entailment]:
        texts = [(readable(window), readable(claim)) for window, claim in pairs]
        with self._lock:
            lengths = [len(self._tokenizer.encode(*text, verbose=False)) for text in texts]
            by_row: dict[int, Entailment] = {}
            read = [min(length, self._manifest.max_tokens) for length in lengths]
            for rows in batches(read, budget=BATCH_TOKENS):
                results = self._run([texts[row] for row in rows])
                by_row |= zip(rows, results, strict=True)
        return [
            replace(by_row[row], truncated=lengths[row] > self._manifest.max_tokens)
            for row in range(len(texts))
        ]

    def _run(self, texts: Sequence[Pair]) -> list[Entailment]:
        import torch

        windows, claims = zip(*texts, strict=True)
        with torch.inference_mode():
            feed = self._tokenizer(
                list(windows),
                list(claims),
                truncation="longest_first",
                max_length=self._manifest.max_tokens,
                padding=True,
                return_tensors="pt",
            )
            shares = softmax(self._model(**feed).logits.float().numpy())
        return [entailment(self._labels, row, truncated=False) for row in shares]
