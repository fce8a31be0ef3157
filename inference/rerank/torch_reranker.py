"""Scores from sentence-transformers itself, for cross-encoders that cannot be exported."""

import threading
from collections.abc import Sequence

from inference.errors import ModelError
from inference.store import Manifest
from inference.tokens import readable


class TorchReranker:
    """A `Reranker` that loads torch. One call at a time, behind a lock."""

    def __init__(self, manifest: Manifest, *, threads: int) -> None:
        import torch
        from sentence_transformers import CrossEncoder

        torch.set_num_threads(threads)
        self._manifest = manifest
        self._lock = threading.Lock()
        self._raw = torch.nn.Identity()
        try:
            self._model = CrossEncoder(manifest.source, device="cpu", local_files_only=True)
        except Exception as error:  # the libraries below raise what they like
            raise ModelError(
                f"sentence-transformers cannot load {manifest.source}: {error}",
                "Run `python -m inference.export --reranker --force`, or set another "
                "RERANKER_MODEL.",
            ) from error

    @property
    def model_id(self) -> str:
        return self._manifest.model_id

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        pairs = [(readable(query), readable(passage)) for passage in passages]
        with self._lock:
            scores = self._model.predict(pairs, activation_fn=self._raw, show_progress_bar=False)
        return [float(score) for score in scores.reshape(-1)]
