"""Embeddings from an exported graph, with onnxruntime and tokenizers only."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from inference.batching import batches
from inference.embedder import Embeddings, Role, Vectors
from inference.errors import ModelError
from inference.sessions import open_session
from inference.store import Manifest
from inference.tokens import TextTokenizer, Tokens

if TYPE_CHECKING:
    from onnxruntime import InferenceSession  # type: ignore[import-untyped]

# Tokens in one call, padding included: measured, larger batches fall out of the caches.
BATCH_TOKENS = 256
INPUTS = ("input_ids", "attention_mask")

Matrix = NDArray[np.int64]


class OnnxEmbedder:
    """An `Embedder` over a graph that includes pooling and normalisation."""

    def __init__(self, folder: Path, manifest: Manifest, *, threads: int) -> None:
        self._manifest = manifest
        self._tokenizer = TextTokenizer(folder / manifest.file(".json"), manifest.max_tokens)
        self._session: InferenceSession = open_session(
            folder / manifest.file(".onnx"), threads=threads
        )

    @property
    def model_id(self) -> str:
        return self._manifest.model_id

    @property
    def dimensions(self) -> int:
        return self._manifest.dimensions

    def embed(self, texts: Sequence[str], *, role: Role = "document") -> Vectors:
        return self.embed_reported(texts, role=role).vectors

    def embed_reported(self, texts: Sequence[str], *, role: Role = "document") -> Embeddings:
        prompt = self._manifest.prompts.get(role, "")
        tokens = list(self._tokenizer.encode([prompt + text for text in texts]))
        vectors = np.empty((len(tokens), self.dimensions), np.float32)
        for rows in batches([len(token.ids) for token in tokens], budget=BATCH_TOKENS):
            vectors[rows] = self._run([tokens[row] for row in rows])
        return Embeddings(vectors, [token.truncated for token in tokens])

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self._tokenizer.counts(texts)

    def _run(self, rows: list[Tokens]) -> Vectors:
        """Return the vectors (rows, dimensions) of one batch."""
        inputs = dict(zip(INPUTS, padded(rows, self._manifest.pad_id), strict=True))
        try:
            (vectors,) = self._session.run(None, inputs)
        except Exception as error:  # onnxruntime's exceptions have no common base of its own
            raise ModelError(
                f"{self.model_id} failed on {len(rows)} texts: {error}",
                "Retry; if it stays, run `python -m inference.export --force`.",
            ) from error
        result: Vectors = vectors
        return result


def padded(rows: Sequence[Tokens], pad_id: int) -> tuple[Matrix, Matrix]:
    """Return ids and attention mask, both int64 (rows, longest row)."""
    longest = max(len(row.ids) for row in rows)
    ids = np.full((len(rows), longest), pad_id, np.int64)
    mask = np.zeros_like(ids)
    for at, row in enumerate(rows):
        ids[at, : len(row.ids)] = row.ids
        mask[at, : len(row.ids)] = 1
    return ids, mask
