"""Embeddings from sentence-transformers itself, for models that cannot be exported."""

import threading
from collections.abc import Sequence

import numpy as np

from inference.embedder import Embeddings, Role, Vectors
from inference.errors import ModelError
from inference.store import Manifest
from inference.tokens import readable


class TorchEmbedder:
    """An `Embedder` that loads torch. Embeds one batch at a time, behind a lock."""

    def __init__(self, manifest: Manifest, *, threads: int) -> None:
        import torch
        from sentence_transformers import SentenceTransformer

        torch.set_num_threads(threads)
        self._manifest = manifest
        self._lock = threading.Lock()
        try:
            self._model = SentenceTransformer(manifest.source, device="cpu", local_files_only=True)
        except Exception as error:  # the libraries below raise what they like
            raise ModelError(
                f"sentence-transformers cannot load {manifest.source}: {error}",
                "Run `python -m inference.export --force`, or set another EMBEDDING_MODEL.",
            ) from error

    @property
    def model_id(self) -> str:
        return self._manifest.model_id

    @property
    def dimensions(self) -> int:
        return self._manifest.dimensions

    def embed(self, texts: Sequence[str], *, role: Role = "document") -> Vectors:
        prompt = self._manifest.prompts.get(role, "")
        with self._lock:
            vectors = self._model.encode(
                [prompt + readable(text) for text in texts],
                normalize_embeddings=True,
                show_progress_bar=False,
                prompt="",
            )
        return np.asarray(vectors, np.float32).reshape(len(texts), self.dimensions)

    def embed_reported(self, texts: Sequence[str], *, role: Role = "document") -> Embeddings:
        prompt = self._manifest.prompts.get(role, "")
        counts = self.count_tokens([prompt + text for text in texts])
        truncated = [count > self._manifest.max_tokens for count in counts]
        return Embeddings(self.embed(texts, role=role), truncated)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        with self._lock:
            tokenize = self._model.tokenizer
            return [
                len(tokenize(readable(text), truncation=False, verbose=False)["input_ids"])
                for text in texts
            ]
