"""Embeddings: turns texts into vectors, through `get_embedder`.

    get_embedder().embed(["When did the college close?"])

Nothing is loaded before the first call, and no model library on import.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from inference.prepare import ensure_model
from inference.runtime import (
    CHARS_PER_TOKEN,
    IDS,
    MASK,
    batches,
    open_session,
    open_tokenizer,
    padded,
    readable,
    run_batch,
)
from inference.sources import DEFAULT_MODEL
from inference.store import DEFAULT_FOLDER, Manifest, model_folder, open_prepared
from lib.lazy import Lazy

Vectors = NDArray[np.float32]
Role = Literal["document", "query"]


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Vectors (texts, dimensions) with rows of length 1, and which texts were only read in part."""

    vectors: Vectors
    truncated: list[bool]


@dataclass(frozen=True, slots=True)
class Tokens:
    """The token ids of one text, special tokens included."""

    ids: list[int]
    truncated: bool


class TextTokenizer:
    """A tokenizer.json with a window of `max_tokens`. Safe to share between threads."""

    def __init__(self, file: Path, max_tokens: int) -> None:
        self._whole, self._cut = open_tokenizer(file), open_tokenizer(file)
        self._cut.enable_truncation(max_tokens)
        self.max_tokens = max_tokens

    def counts(self, texts: Sequence[str]) -> list[int]:
        """Return the tokens of each whole text, special ones included. Time grows with the text."""
        return [len(self._whole.encode(readable(text)).ids) for text in texts]

    def encode(self, text: str) -> Tokens:
        """Return the first `max_tokens` tokens; of a long text a prefix is read if it exceeds."""
        text = readable(text)
        prefix = text[: self.max_tokens * CHARS_PER_TOKEN]
        encoding = self._cut.encode(prefix)
        if len(prefix) < len(text) and len(encoding.overflowing) < 2:
            encoding = self._cut.encode(text)
        return Tokens(ids=encoding.ids, truncated=bool(encoding.overflowing))


class Embedder:
    """Turns texts into vectors by a graph that pools and normalises. Safe to share by threads.

    Every member raises `inference.errors.ModelError` if the model fails.
    """

    def __init__(self, folder: Path, manifest: Manifest, *, threads: int) -> None:
        self._manifest = manifest
        self._tokenizer = TextTokenizer(folder / manifest.file(".json"), manifest.max_tokens)
        self._session = open_session(folder / manifest.file(".onnx"), threads=threads)

    @property
    def model_id(self) -> str:
        """The name, source hash and quantisation; only vectors with the same id compare."""
        return self._manifest.model_id

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return self._manifest.dimensions

    def embed(self, texts: Sequence[str], *, role: Role = "document") -> Vectors:
        """Return float32 (texts, dimensions), each row of length 1, in the order of `texts`."""
        return self.embed_reported(texts, role=role).vectors

    def embed_reported(self, texts: Sequence[str], *, role: Role = "document") -> Embeddings:
        """Embed like `embed`, and also return for each text whether its end was left unread."""
        prompt = self._manifest.prompts.get(role, "")
        tokens = [self._tokenizer.encode(prompt + text) for text in texts]
        vectors = np.empty((len(tokens), self.dimensions), np.float32)
        for rows in batches([len(token.ids) for token in tokens]):
            ids = [tokens[row].ids for row in rows]
            inputs = {
                IDS: padded(ids, self._manifest.pad_id),
                MASK: padded([[1] * len(row) for row in ids], 0),
            }
            vectors[rows] = run_batch(self._session, inputs, self.model_id)
        return Embeddings(vectors, [token.truncated for token in tokens])

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the tokens of each whole text, special tokens included, however long it is."""
        return self._tokenizer.counts(texts)


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
    lazy = _shared.get(key) or _shared.setdefault(key, Lazy(lambda: load(*key)))
    return lazy()


def load(name: str, root: Path, threads: int, build: bool) -> Embedder:
    """Load the prepared model after verifying its files; with `build`, prepare it if that fails."""
    return open_prepared(
        model_folder(root, name),
        partial(Embedder, threads=threads),
        prepare=partial(ensure_model, name, root) if build else None,
    )
