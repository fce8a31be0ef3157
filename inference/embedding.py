"""Gives this process's embedder."""

from functools import partial
from pathlib import Path

from inference.embedder import Embedder, Embeddings, Role, Vectors
from inference.lazy import Lazy
from inference.sources import DEFAULT_MODEL
from inference.store import DEFAULT_FOLDER

__all__ = ["Embedder", "Embeddings", "Role", "Vectors", "get_embedder"]

_shared: dict[tuple[str, Path, int, bool], Lazy[Embedder]] = {}


def get_embedder(
    name: str = DEFAULT_MODEL,
    folder: Path = DEFAULT_FOLDER,
    *,
    threads: int = 1,
    build: bool = False,
) -> Embedder:
    """Return this process's embedder for these settings.

    There is one model in memory, loaded when first used, also after a fork. Raises ModelError.

    `name`: a bundled model, a folder, or a sentence-transformers name. `folder`: where prepared
    models are (MODEL_DIR). `threads` work inside one call. `build`: prepare a missing or broken
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
