"""Embeddings: the interface, and the door to the embedder of this process."""

import ctypes
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

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

    Every member raises `inference.errors.ModelError` where the model is missing or broken.
    """

    @property
    def model_id(self) -> str:
        """Name, source hash and quantisation; vectors compare only under the same id."""

    @property
    def dimensions(self) -> int:
        """Length of a vector."""

    @property
    def max_tokens(self) -> int:
        """Tokens the model reads of a text, special tokens included."""

    def embed(self, texts: Sequence[str], *, role: Role = "document") -> Vectors:
        """float32 (texts, dimensions), each row of length 1, in the order of `texts`."""

    def embed_reported(self, texts: Sequence[str], *, role: Role = "document") -> Embeddings:
        """As `embed`, and for each text whether its end was left unread."""

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each whole text, special tokens included, however long it is."""

    def is_truncated(self, texts: Sequence[str]) -> list[bool]:
        """Whether `embed` would leave the end of each text unread."""


class LazyEmbedder:
    """Loads the model when it is first used, once a process, also after a fork."""

    def __init__(self, name: str, folder: Path, threads: int, build: bool) -> None:
        self._settings = (name, folder, threads, build)
        self.forget()

    def forget(self) -> None:
        """Start anew: a forked child has neither the threads nor the lock's owner of its parent."""
        self._lock = threading.Lock()
        self._loaded: Embedder | None = None

    def forget_after_fork(self) -> None:
        """As `forget`, and never end the parent's session: it would wait for its lost threads."""
        if self._loaded is not None:
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._loaded))
        self.forget()

    def _model(self) -> Embedder:
        if self._loaded is None:
            with self._lock:
                if self._loaded is None:
                    self._loaded = self._load()
        return self._loaded

    def _load(self) -> Embedder:
        from inference.loading import load  # noqa: PLC0415 - the models come with the first use

        name, folder, threads, build = self._settings
        return load(name, folder, threads=threads, build=build)

    @property
    def model_id(self) -> str:
        return self._model().model_id

    @property
    def dimensions(self) -> int:
        return self._model().dimensions

    @property
    def max_tokens(self) -> int:
        return self._model().max_tokens

    def embed(self, texts: Sequence[str], *, role: Role = "document") -> Vectors:
        return self._model().embed(texts, role=role)

    def embed_reported(self, texts: Sequence[str], *, role: Role = "document") -> Embeddings:
        return self._model().embed_reported(texts, role=role)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self._model().count_tokens(texts)

    def is_truncated(self, texts: Sequence[str]) -> list[bool]:
        return self._model().is_truncated(texts)


_shared: dict[tuple[str, Path, int, bool], LazyEmbedder] = {}
_shared_lock = threading.Lock()


def get_embedder(
    name: str = DEFAULT_MODEL,
    folder: Path = DEFAULT_FOLDER,
    *,
    threads: int = 1,
    build: bool = False,
) -> Embedder:
    """The embedder of this process for these settings: one model in memory, loaded on first use.

    `name`: a bundled model, a folder, or a sentence-transformers name. `folder`: where prepared
    models live (MODEL_DIR). `threads` work inside one call. `build`: prepare a missing or broken
    model in a child process (half a minute) instead of raising ModelError.
    """
    if threads < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    key = (name, folder.resolve(), threads, build)
    with _shared_lock:
        return _shared.setdefault(key, LazyEmbedder(*key))


def _forget_after_fork() -> None:
    global _shared_lock  # noqa: PLW0603 - another thread may have held it during the fork
    _shared_lock = threading.Lock()
    for embedder in _shared.values():
        embedder.forget_after_fork()


os.register_at_fork(after_in_child=_forget_after_fork)
