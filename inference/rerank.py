"""Reranking: scores how well a passage answers a query, through `get_reranker`.

    get_reranker("cross-encoder/ms-marco-MiniLM-L6-v2").score("wind limit", ["…", "…"])

Any cross-encoder that sentence-transformers reads, that gives one score and can be exported.
Nothing is loaded before the first call, and no model library on import.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from inference.prepare import Report, ensure_model
from inference.runtime import (
    CHARS_PER_TOKEN,
    IDS,
    MASK,
    TYPES,
    batches,
    open_session,
    open_tokenizer,
    padded,
    readable,
    run_batch,
)
from inference.store import DEFAULT_FOLDER, Manifest, model_folder, open_prepared
from lib.lazy import Lazy

if TYPE_CHECKING:
    from tokenizers import Encoding

_OPTION = "--reranker "
_QUERY, _PASSAGE = 0, 1
# Of the room for a pair, the least that stays for the query where the passage is very long.
_LEAST_QUERY_SHARE = 4


@dataclass(frozen=True, slots=True)
class EncodedPair:
    """The token ids of one pair, special tokens included."""

    ids: list[int]
    types: list[int]
    truncated: bool


class PairTokenizer:
    """A tokenizer.json for pairs of at most `max_tokens`. Safe to share between threads."""

    def __init__(self, file: Path, max_tokens: int) -> None:
        self._tokenizer = open_tokenizer(file, _OPTION)
        self.max_tokens = max_tokens

    def encode(self, query: str, passage: str) -> EncodedPair:
        """Return one pair; if it is too long, without the query's end, and marked so."""
        passage_text, query_text = readable(passage), readable(query)
        limit = self.max_tokens * CHARS_PER_TOKEN
        cut = len(query_text) > limit or len(passage_text) > limit
        encoding = self._tokenizer.encode(query_text[:limit], passage_text[:limit])
        if cut and len(encoding.ids) <= self.max_tokens:
            encoding = self._tokenizer.encode(query_text, passage_text)
            cut = False
        positions = _positions(encoding, self.max_tokens)
        return EncodedPair(
            ids=[encoding.ids[at] for at in positions],
            types=[encoding.type_ids[at] for at in positions],
            truncated=cut or len(positions) < len(encoding.ids),
        )


def _positions(encoding: "Encoding", max_tokens: int) -> list[int]:
    """Return the remaining tokens: all, or all but the query's last ones (then the passage's)."""
    count = len(encoding.ids)
    if count <= max_tokens:
        return list(range(count))
    parts = encoding.sequence_ids
    query = [at for at in range(count) if parts[at] == _QUERY]
    passage = [at for at in range(count) if parts[at] == _PASSAGE]
    room = max_tokens - (count - len(query) - len(passage))
    of_query = max(room - len(passage), min(len(query), room // _LEAST_QUERY_SHARE))
    dropped = {*query[of_query:], *passage[room - of_query :]}
    return [at for at in range(count) if at not in dropped]


class Reranker:
    """Scores passages against a query. Too long pairs lose the query's end first. Thread-safe.

    Every member raises `inference.errors.ModelError` if the model fails.
    """

    def __init__(self, folder: Path, manifest: Manifest, *, threads: int) -> None:
        self._manifest = manifest
        self._tokenizer = PairTokenizer(folder / manifest.file(".json"), manifest.max_tokens)
        self._session = open_session(folder / manifest.file(".onnx"), threads=threads)
        self._inputs = {value.name for value in self._session.get_inputs()}

    @property
    def model_id(self) -> str:
        """The name, hash of the weights and quantisation; only scores with the same id compare."""
        return self._manifest.model_id

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """Return the model's score of each passage, in order: higher is better, unbounded."""
        pairs = [self._tokenizer.encode(query, passage) for passage in passages]
        scores = np.empty(len(pairs))
        for rows in batches([len(pair.ids) for pair in pairs]):
            batch = [pairs[row] for row in rows]
            inputs = {
                IDS: padded([pair.ids for pair in batch], self._manifest.pad_id),
                MASK: padded([[1] * len(pair.ids) for pair in batch], 0),
                TYPES: padded([pair.types for pair in batch], 0),
            }
            feed = {name: array for name, array in inputs.items() if name in self._inputs}
            scores[rows] = run_batch(self._session, feed, self.model_id, _OPTION)[:, 0]
        return list(map(float, scores))


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
    lazy = _shared.get(key) or _shared.setdefault(key, Lazy(partial(_load, *key)))
    return lazy()


def _load(name: str, root: Path, threads: int, build: bool) -> Reranker:
    return open_prepared(
        reranker_folder(root, name),
        partial(Reranker, threads=threads),
        prepare=partial(ensure_reranker, name, root) if build else None,
        remedy=f"Run `python -m inference.export --reranker --model {name}`.",
    )


def reranker_folder(root: Path, name: str) -> Path:
    """Return the prepared model's folder, apart from other kinds of model of the same name."""
    return model_folder(root / "rerankers", name)


def ensure_reranker(
    name: str, root: Path, *, force: bool = False, report: Report = lambda _step: None
) -> Manifest:
    """Ensure that the cross-encoder `name` is prepared, like `inference.prepare.ensure_model`.

    Also raises ModelError if it returns more than one score.
    """
    return ensure_model(name, root / "rerankers", force=force, report=report, kind="reranker")
