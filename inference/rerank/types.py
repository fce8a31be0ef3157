"""The interface of every reranker."""

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    """Scores passages against a query. Safe to share between threads.

    Every member raises `inference.errors.ModelError` if the model fails.
    """

    @property
    def model_id(self) -> str:
        """The name, hash of the weights and quantisation; only scores with the same id compare."""

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """Return the model's score of each passage, in order: higher is better, unbounded."""
