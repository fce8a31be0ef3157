"""The interface of every embedder, and what it returns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
Role = Literal["document", "query"]


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Vectors (texts, dimensions) with rows of length 1, and which texts were only read in part."""

    vectors: Vectors
    truncated: list[bool]


class Embedder(Protocol):
    """Turns texts into vectors. Safe to share between threads.

    Every member raises `inference.errors.ModelError` if the model fails.
    """

    @property
    def model_id(self) -> str:
        """The name, source hash and quantisation; only vectors with the same id compare."""

    @property
    def dimensions(self) -> int:
        """The length of a vector."""

    def embed(self, texts: Sequence[str], *, role: Role = "document") -> Vectors:
        """Return float32 (texts, dimensions), each row of length 1, in the order of `texts`."""

    def embed_reported(self, texts: Sequence[str], *, role: Role = "document") -> Embeddings:
        """Embed like `embed`, and also return for each text whether its end was left unread."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the tokens of each whole text, special tokens included, however long it is."""
