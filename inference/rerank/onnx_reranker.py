"""Scores from an exported graph, with onnxruntime and tokenizers only."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from inference.batching import batches
from inference.errors import ModelError
from inference.rerank.pairs import IDS, MASK, TYPES, EncodedPair, PairTokenizer, padded
from inference.sessions import open_session
from inference.store import Manifest

if TYPE_CHECKING:
    from onnxruntime import InferenceSession  # type: ignore[import-untyped]

# Tokens in one call, padding included: measured, larger batches fall out of the caches.
_BATCH_TOKENS = 256


class OnnxReranker:
    """A `Reranker` over one session. Too long pairs lose the query's end first."""

    def __init__(self, folder: Path, manifest: Manifest, *, threads: int) -> None:
        self._manifest = manifest
        self._tokenizer = PairTokenizer(folder / manifest.file(".json"), manifest.max_tokens)
        self._session: InferenceSession = open_session(
            folder / manifest.file(".onnx"), threads=threads
        )
        self._inputs = {value.name for value in self._session.get_inputs()}

    @property
    def model_id(self) -> str:
        return self._manifest.model_id

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        encoded = [self._tokenizer.encode(query, passage) for passage in passages]
        by_row: dict[int, float] = {}
        for rows in batches([len(pair.ids) for pair in encoded], budget=_BATCH_TOKENS):
            by_row |= zip(rows, self._run([encoded[row] for row in rows]), strict=True)
        return [by_row[row] for row in range(len(encoded))]

    def _run(self, rows: list[EncodedPair]) -> list[float]:
        arrays = zip((IDS, MASK, TYPES), padded(rows, self._manifest.pad_id), strict=True)
        feed = {name: array for name, array in arrays if name in self._inputs}
        try:
            (logits,) = self._session.run(None, feed)
        except Exception as error:  # onnxruntime's exceptions have no common base of its own
            raise ModelError(
                f"{self.model_id} failed on {len(rows)} passages: {error}",
                "Retry; if it stays, run `python -m inference.export --reranker --force`.",
            ) from error
        return [float(row[0]) for row in logits]
