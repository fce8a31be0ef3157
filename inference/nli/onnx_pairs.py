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
from inference.nli.types import Entailment, Pair, Span
from inference.sessions import open_session

if TYPE_CHECKING:
    from onnxruntime import InferenceSession  # type: ignore[import-untyped]

# Tokens in one call, padding included: measured, larger batches fall out of the caches.
BATCH_TOKENS = 256
IDS, VECTORS, MASK, TYPES = "input_ids", "word_vectors", "attention_mask", "token_type_ids"
CLAIM_START = "claim_start"
"""A graph with this input reads one pair a run and marks the words of the claim alone."""
LOGITS, TOKEN_LOGITS = "logits", "token_logits"

Floats = NDArray[np.float32]
Matrix = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph on disk and how to read it.

    `labels`: the meaning of each output. Calibrated logits are `logits * scales + biases`, one
    number a label, and `token_scale`, `token_bias` for the words. `table`: word vectors (tokens of
    the vocabulary, dimensions), for a graph that takes vectors instead of ids.
    """

    file: Path
    tokenizer: Path
    model_id: str
    labels: tuple[Label, ...]
    max_tokens: int
    pad_id: int
    scales: tuple[float, ...] = ()
    biases: tuple[float, ...] = ()
    token_scale: float = 1.0
    token_bias: float = 0.0
    table: Floats | None = None


class OnnxPairs:
    """An `EntailmentModel` over one session.

    `threads` runs go side by side, each on one processor: products of this size are too small to
    be shared out (docs/decisions/0524 has the figures).
    """

    def __init__(self, graph: Graph, *, threads: int) -> None:
        self._graph = graph
        self._threads = threads
        self._tokenizer = PairTokenizer(graph.tokenizer, graph.max_tokens)
        self._session: InferenceSession = open_session(graph.file, threads=1)
        self._inputs = {value.name for value in self._session.get_inputs()}
        self._outputs = [value.name for value in self._session.get_outputs()]
        self._budget = 1 if CLAIM_START in self._inputs else BATCH_TOKENS

    @property
    def model_id(self) -> str:
        return self._graph.model_id

    @property
    def max_tokens(self) -> int:
        return self._graph.max_tokens

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return self._tokenizer.counts(texts)

    def score(self, pairs: Sequence[Pair]) -> list[Entailment]:
        encoded = [self._tokenizer.encode(window, claim) for window, claim in pairs]
        groups = batches([len(pair.ids) for pair in encoded], budget=self._budget)
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
            values = self._session.run(self._outputs, self._feed(rows))
        except Exception as error:  # onnxruntime's exceptions have no common base of its own
            raise ModelError(
                f"{self.model_id} failed on {len(rows)} pairs: {error}",
                "Retry; if it stays, run `python -m inference.export --nli --force`.",
            ) from error
        outputs = dict(zip(self._outputs, values, strict=True))
        shares = softmax(_calibrated(outputs[LOGITS], self._graph))
        words: list[tuple[Span, ...]] = [()] * len(rows)
        if TOKEN_LOGITS in outputs:
            unsupported = self._unsupported(outputs[TOKEN_LOGITS])
            words = [
                _spans(row, unsupported[at], self._first_marked(row)) for at, row in enumerate(rows)
            ]
        return [
            entailment(self._graph.labels, shares[at], words[at], row.truncated)
            for at, row in enumerate(rows)
        ]

    def _feed(self, rows: list[EncodedPair]) -> dict[str, NDArray[np.generic]]:
        ids, mask, types = padded(rows, self._graph.pad_id)
        feed: dict[str, NDArray[np.generic]] = {}
        if MASK in self._inputs:
            feed[MASK] = mask
        if CLAIM_START in self._inputs:
            feed[CLAIM_START] = np.array([_claim_start(rows[0])], np.int64)
        if self._graph.table is not None:
            feed[VECTORS] = self._graph.table[ids]
        else:
            feed[IDS] = ids
        if TYPES in self._inputs:
            feed[TYPES] = types
        return feed

    def _first_marked(self, row: EncodedPair) -> int:
        """The token that the first token logit speaks of."""
        return _claim_start(row) if CLAIM_START in self._inputs else 0

    def _unsupported(self, logits: Floats) -> Floats:
        graph = self._graph
        shares: Floats = 1 / (1 + np.exp(-(logits * graph.token_scale + graph.token_bias)))
        return shares


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


def entailment(
    labels: Sequence[Label], shares: Floats, spans: tuple[Span, ...], truncated: bool
) -> Entailment:
    """One row of shares by its labels; a label that the model does not know has 0."""
    by_label = dict(zip(labels, map(float, shares), strict=True))
    return Entailment(
        entail=by_label["entail"],
        contradict=by_label.get("contradict", 0.0),
        neutral=by_label.get("neutral", 0.0),
        spans=spans,
        truncated=truncated,
    )


def _calibrated(logits: Floats, graph: Graph) -> Floats:
    scaled = logits * np.array(graph.scales, np.float32) if graph.scales else logits
    moved: Floats = scaled + np.array(graph.biases, np.float32) if graph.biases else scaled
    return moved


def _claim_start(row: EncodedPair) -> int:
    """The first token behind the window; the mark at the end belongs to the claim."""
    return row.types.index(1)


def _spans(row: EncodedPair, unsupported: Floats, first: int) -> tuple[Span, ...]:
    """Each word with the highest probability among its tokens, which are counted from `first`."""
    return tuple(
        (word.start, word.end, float(unsupported[word.first - first : word.last - first].max()))
        for word in row.words
    )
