"""Reranking: scores how well a passage answers a query, through `get_reranker`.

    get_reranker("cross-encoder/ms-marco-MiniLM-L6-v2").score("wind limit", ["…", "…"])

Any cross-encoder that sentence-transformers reads and that gives one score. Nothing is loaded
before the first call, and no model library on import.
"""

from functools import partial
from pathlib import Path

from inference.lazy import Lazy
from inference.rerank.types import Reranker
from inference.store import DEFAULT_FOLDER

__all__ = ["Reranker", "get_reranker"]

_shared: dict[tuple[str, Path, int, bool], Lazy[Reranker]] = {}


def get_reranker(
    name: str, folder: Path = DEFAULT_FOLDER, *, threads: int = 1, build: bool = False
) -> Reranker:
    """Return this process's reranker for these settings, loaded on first use.

    `name`: a folder, or a sentence-transformers name. `folder`: where prepared models are
    (MODEL_DIR). `threads` work inside one call. `build`: prepare a missing or broken model in a
    child process (a minute) instead of raising ModelError.
    """
    if threads < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    key = (name, folder.resolve(), threads, build)
    # No lock that a fork could leave taken: two threads may both make one, and get the first.
    lazy = _shared.get(key) or _shared.setdefault(key, Lazy(partial(_open, *key)))
    return lazy.get()


def _open(name: str, folder: Path, threads: int, build: bool) -> Reranker:
    from inference.rerank.loading import load  # noqa: PLC0415 - models come with the first use

    return load(name, folder, threads=threads, build=build)
