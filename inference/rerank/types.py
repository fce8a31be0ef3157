"""The interface of every reranker."""

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    """Scores passages against a query. Safe to share between threads.

    Every member raises `inference.errors.ModelError` where the model fails.
    """

    @property
    def model_id(self) -> str:
        """Name, hash of the weights and quantisation; scores compare only under the same id."""

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """The model's own score of each passage, in order: higher is better, without bounds."""
