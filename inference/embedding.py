"""Embeddings: the interface, and the door to the embedder of this process."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from inference.lazy import Lazy
from inference.sources import DEFAULT_MODEL
from inference.store import DEFAULT_FOLDER

Vectors = NDArray[np.float32]
Role = Literal["document", "query"]


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Vectors (texts, dimensions), rows of length 1, and which texts were read in part only."""

    vectors: Vectors
    truncated: list[bool]


class Embedder(Protocol):
    """Turns texts into vectors. Safe to share between threads.

    Every member raises `inference.errors.ModelError` where the model fails.
    """

    @property
    def model_id(self) -> str:
        """Name, source hash and quantisation; vectors compare only under the same id."""

    @property
    def dimensions(self) -> int:
        """Length of a vector."""

    def embed(self, texts: Sequence[str], *, role: Role = "document") -> Vectors:
        """float32 (texts, dimensions), each row of length 1, in the order of `texts`."""

    def embed_reported(self, texts: Sequence[str], *, role: Role = "document") -> Embeddings:
        """As `embed`, and for each text whether its end was left unread."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each whole text, special tokens included, however long it is."""


_shared: dict[tuple[str, Path, int, bool], Lazy[Embedder]] = {}


def get_embedder(
    name: str = DEFAULT_MODEL,
    folder: Path = DEFAULT_FOLDER,
    *,
    threads: int = 1,
    build: bool = False,
) -> Embedder:
    """The embedder of this process for these settings: one model in memory, opened when it is
    first asked for, also after a fork. Raises ModelError.

    `name`: a bundled model, a folder, or a sentence-transformers name. `folder`: where prepared
    models live (MODEL_DIR). `threads` work inside one call. `build`: prepare a missing or broken
    model in a child process (half a minute) instead of raising ModelError.
    """
    if threads < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    key = (name, folder.resolve(), threads, build)
    # No lock that a fork could leave taken: two threads may both make one, and get the first.
    lazy = _shared.get(key) or _shared.setdefault(key, Lazy(partial(_open, *key)))
    return lazy.get()


def _open(name: str, folder: Path, threads: int, build: bool) -> Embedder:
    from inference.loading import load  # noqa: PLC0415 - models come with the first use

    return load(name, folder, threads=threads, build=build)
