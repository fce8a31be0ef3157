"""Entailment: does a window of evidence support a claim? `get_nli` is the door.

    model = get_nli("cross-encoder/nli-deberta-v3-xsmall")    # None for "lexical"
    model.score([("Refunds take 14 days.", "Refunds take 30 days.")])

Nothing is loaded before the first call, and no model library on import.
"""

from pathlib import Path

from inference.lazy import Lazy
from inference.nli.cache import DEFAULT_PAIRS, CachedModel
from inference.nli.types import Entailment, EntailmentModel, Pair
from inference.store import DEFAULT_FOLDER

__all__ = ["LEXICAL", "Entailment", "EntailmentModel", "Pair", "get_nli"]

LEXICAL = "lexical"
"""No model: the scores by rules stand."""

_shared: dict[tuple[str, Path, int, int, bool], EntailmentModel] = {}


def get_nli(
    name: str,
    folder: Path = DEFAULT_FOLDER,
    *,
    threads: int = 1,
    cache_pairs: int = DEFAULT_PAIRS,
    build: bool = False,
) -> EntailmentModel | None:
    """The model of entailment of this process for these settings, or None for "lexical".

    `name`: "lexical", or a sequence-classification model as a folder or a name on the hub.
    `folder`: where prepared models live (MODEL_DIR). `threads` work inside one call. `cache_pairs`
    results are remembered. `build`: prepare a model that is missing (a minute, in a child process)
    instead of raising ModelError. One model is kept in memory, opened by the first call, also after
    a fork.
    """
    if threads < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    if name == LEXICAL:
        return None
    key = (name, folder.resolve(), threads, cache_pairs, build)
    # No lock that a fork could leave taken: two threads may both make one, and get the first.
    return _shared.get(key) or _shared.setdefault(
        key, CachedModel(_lazy(name, key[1], threads, build), size=cache_pairs)
    )


def _lazy(name: str, folder: Path, threads: int, build: bool) -> Lazy[EntailmentModel]:
    def load() -> EntailmentModel:
        from inference.nli.loading import load  # noqa: PLC0415 - models come with the first use

        return load(name, folder, threads=threads, build=build)

    return Lazy(load)
