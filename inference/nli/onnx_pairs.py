"""Entailment from an exported graph: onnxruntime and tokenizers, nothing larger."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from inference.batching import batches
from inference.errors import ModelError
from inference.nli.labels import Label
from inference.nli.pairs import EncodedPair, PairTokenizer
from inference.nli.types import Entailment, Pair
from inference.sessions import open_session

if TYPE_CHECKING:
    from onnxruntime import InferenceSession  # type: ignore[import-untyped]

# Tokens in one call, padding included: measured, larger batches fall out of the caches.
BATCH_TOKENS = 256
IDS, MASK, TYPES = "input_ids", "attention_mask", "token_type_ids"
LOGITS = "logits"

Floats = NDArray[np.float32]
Matrix = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph on disk and how to read it; `labels`: the meaning of each output."""

    file: Path
    tokenizer: Path
    model_id: str
    labels: tuple[Label, ...]
    max_tokens: int
    pad_id: int


class OnnxPairs:
    """An `EntailmentModel` over one session.

    `threads` runs go side by side, each on one processor: products of this size are too small to
    be shared out (docs/decisions/0430 has the figures).
    """

    def __init__(self, graph: Graph, *, threads: int) -> None:
        self._graph = graph
        self._threads = threads
        self._tokenizer = PairTokenizer(graph.tokenizer, graph.max_tokens)
        self._session: InferenceSession = open_session(graph.file, threads=1)
        self._inputs = {value.name for value in self._session.get_inputs()}

    @property
    def model_id(self) -> str:
        return self._graph.model_id

    def score(self, pairs: Sequence[Pair]) -> list[Entailment]:
        encoded = [self._tokenizer.encode(window, claim) for window, claim in pairs]
        groups = batches([len(pair.ids) for pair in encoded], budget=BATCH_TOKENS)
        by_row: dict[int, Entailment] = {}
        for rows, scored in zip(groups, self._side_by_side(groups, encoded), strict=True):
            by_row |= zip(rows, scored, strict=True)
        return [by_row[row] for row in range(len(encoded))]

    def _side_by_side(
        self, groups: list[list[int]], encoded: list[EncodedPair]
    ) -> list[list[Entailment]]:
        chunks = [[encoded[row] for row in rows] for rows in groups]
        if self._threads == 1 or len(chunks) == 1:
            return [self._run(rows) for rows in chunks]
        # Threads of this call alone: none is left over for a fork to lose.
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(self._run, chunks))

    def _run(self, rows: list[EncodedPair]) -> list[Entailment]:
        try:
            (logits,) = self._session.run([LOGITS], self._feed(rows))
        except Exception as error:  # onnxruntime's exceptions have no common base of its own
            raise ModelError(
                f"{self.model_id} failed on {len(rows)} pairs: {error}",
                "Retry; if it stays, run `python -m inference.export --nli --force`.",
            ) from error
        shares = softmax(logits)
        return [
            entailment(self._graph.labels, shares[at], truncated=row.truncated)
            for at, row in enumerate(rows)
        ]

    def _feed(self, rows: list[EncodedPair]) -> dict[str, Matrix]:
        arrays = zip((IDS, MASK, TYPES), padded(rows, self._graph.pad_id), strict=True)
        return {name: array for name, array in arrays if name in self._inputs}


def padded(rows: Sequence[EncodedPair], pad_id: int) -> tuple[Matrix, Matrix, Matrix]:
    """Ids, attention mask and token types, each int64 (rows, longest row)."""
    longest = max(len(row.ids) for row in rows)
    ids = np.full((len(rows), longest), pad_id, np.int64)
    mask, types = np.zeros_like(ids), np.zeros_like(ids)
    for at, row in enumerate(rows):
        ids[at, : len(row.ids)] = row.ids
        mask[at, : len(row.ids)] = 1
        types[at, : len(row.types)] = row.types
    return ids, mask, types


def softmax(logits: Floats) -> Floats:
    """Shares of 1 along the last axis."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    shares: Floats = powers / powers.sum(axis=-1, keepdims=True)
    return shares


def entailment(labels: Sequence[Label], shares: Floats, *, truncated: bool) -> Entailment:
    """One row of shares by its labels; a label that the model does not know has 0."""
    by_label = dict(zip(labels, map(float, shares), strict=True))
    return Entailment(
        entail=by_label["entail"],
        contradict=by_label.get("contradict", 0.0),
        neutral=by_label.get("neutral", 0.0),
        truncated=truncated,
    )
