"""The judge as an exported graph, run with onnxruntime and tokenizers only."""

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inference.errors import ModelError
from inference.judge import windows
from inference.judge.segments import (
    ATTENTION,
    BUCKETS,
    CONTEXT,
    FIRSTS,
    KEPT,
    KEYS_VALUES,
    KINDS,
    LOGITS,
    OFFSET,
    PLACES,
    VECTORS,
    WINDOW,
    WORD_LOGITS,
    ClaimSegment,
    Floats,
    Packed,
    Reader,
    Segment,
    pack,
)  # fmt: skip
from inference.judge.types import CACHE_BYTES, EVIDENCE_TOKENS, ClaimJudgement, EvidenceWindow, Word
from inference.judge.windows import Window
from inference.runtime import Numbers, open_session
from inference.store import verified_manifest

CLAIMS_PER_RUN = 16
"""Claims that choose windows together and are judged in one run, at most as many as in training."""
_REMEDY = "Run `python -m inference.export --judge`, which repairs it."
_OUTPUTS = (LOGITS, WORD_LOGITS, ATTENTION)

KeysValues = NDArray[np.float16]
"""(2 x layers, heads, tokens, width)."""


@dataclass(slots=True)
class TokenCount:
    """The tokens that went through a model, without those of cached passages."""

    value: int = 0


READ = TokenCount()


@dataclass(frozen=True, slots=True)
class Files:
    """The prepared judge on disk. `table`: word vectors of the vocabulary, float16 as .npy."""

    graph: Path
    table: Path
    tokenizer: Path
    model_id: str


class ContextCache:
    """Stores at most `size` bytes of keys and values. Safe to share between threads."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._used = 0
        self._contexts: OrderedDict[Segment, KeysValues] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, segment: Segment) -> KeysValues | None:
        """Return what was stored for the segment, unless it was dropped since."""
        with self._lock:
            if segment in self._contexts:
                self._contexts.move_to_end(segment)
            return self._contexts.get(segment)

    def put(self, segment: Segment, context: KeysValues) -> None:
        """Store it, and drop the least recently used if there is no room."""
        with self._lock:
            if segment in self._contexts or context.nbytes > self._size:
                return
            self._contexts[segment] = context
            self._used += context.nbytes
            while self._used > self._size:
                self._used -= self._contexts.popitem(last=False)[1].nbytes


@dataclass(frozen=True, slots=True)
class _Context:
    """The context of claims: windows, then the question."""

    windows: Sequence[Window]
    segments: Sequence[Segment]
    keys_values: KeysValues

    def positions(self) -> Numbers:
        return np.concatenate(
            [np.zeros(0, np.int64), *(segment.positions() for segment in self.segments)]
        )


class OnnxJudge:
    """A `Judge` over one session. `threads` work inside one run.

    Ignores `before`: context did not improve accuracy.
    """

    def __init__(
        self,
        files: Files,
        *,
        threads: int,
        evidence_tokens: int = EVIDENCE_TOKENS,
        cache_bytes: int = CACHE_BYTES,
    ) -> None:
        self._files = files
        self._evidence_tokens = evidence_tokens
        self._reader = Reader(files.tokenizer)
        self._cache = ContextCache(cache_bytes)
        self._session = open_session(files.graph, threads=threads)
        self._table = _open_table(files.table)
        inputs = {value.name: value.shape for value in self._session.get_inputs()}
        rows, heads, _, width = inputs[CONTEXT]
        self._nothing: KeysValues = np.zeros((rows, heads, 0, width), np.float16)

    @property
    def model_id(self) -> str:
        return self._files.model_id

    def predict(
        self,
        question: str,
        evidence: Sequence[str],
        claims: Sequence[str],
        *,
        before: Sequence[str] = (),
        seconds: float | None = None,
    ) -> tuple[ClaimJudgement | None, ...]:
        deadline = math.inf if seconds is None else time.monotonic() + seconds
        question_segment = self._reader.question(question)
        parts = self._reader.windows(evidence)
        read = [self._reader.claim(claim) for claim in claims]
        judgements: list[ClaimJudgement | None] = []
        for start in range(0, len(read), CLAIMS_PER_RUN):
            group = read[start : start + CLAIMS_PER_RUN]
            context = self._context(parts, question_segment, group, deadline)
            if context is None or time.monotonic() >= deadline:
                break
            coverage = _tokens(context.windows) / max(1, _tokens(parts))
            judgements += self._judge(group, context, coverage if parts else 1.0)
        return tuple(judgements + [None] * (len(read) - len(judgements)))

    def _context(
        self,
        parts: Sequence[Window],
        question: Segment,
        claims: Sequence[ClaimSegment],
        deadline: float,
    ) -> _Context | None:
        """Return the windows chosen by these claims, and the question; None if time is over."""
        queries = [*(claim.segment.ids for claim in claims), question.ids]
        selection = windows.select(parts, queries, self._evidence_tokens)
        segments = [Segment(window.ids, WINDOW) for window in selection]
        segments += [question] if question.ids else []
        keys_values = [self._nothing]
        for segment in segments:
            if time.monotonic() >= deadline:
                return None
            keys_values.append(self._keys_values(segment))
        return _Context(selection, segments, np.concatenate(keys_values, axis=2))

    def _keys_values(self, segment: Segment) -> KeysValues:
        """Return one segment's keys and values, cached or computed."""
        cached = self._cache.get(segment)
        if cached is not None:
            return cached
        packed = pack([segment])
        last = np.array([0])
        computed = self._run(packed, self._nothing, np.zeros(0, np.int64), last, KEYS_VALUES)
        self._cache.put(segment, computed[0])
        return computed[0]

    def _judge(
        self, claims: Sequence[ClaimSegment], context: _Context, coverage: float
    ) -> list[ClaimJudgement]:
        packed = pack([claim.segment for claim in claims])
        positions = np.arange(len(packed.ids))
        logits, words, attention = self._run(
            packed, context.keys_values, context.positions(), positions, *_OUTPUTS
        )
        powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
        shares = powers / powers.sum(axis=-1, keepdims=True)
        unsupported = 1 / (1 + np.exp(-words))
        judgements = []
        for at, (claim, first) in enumerate(zip(claims, packed.firsts + 1, strict=True)):
            rows = slice(first, first + len(claim.segment.ids))
            entail, neutral, contradict = map(float, shares[at])
            judgements.append(
                ClaimJudgement(
                    entail=entail,
                    neutral=neutral,
                    contradict=contradict,
                    words=_words(claim, unsupported[rows]),
                    windows=_evidence(context.windows, _weights(attention[rows], context)),
                    coverage=coverage,
                    truncated=claim.truncated,
                )
            )
        return judgements

    def _run(
        self,
        packed: Packed,
        context: KeysValues,
        positions: Numbers,
        numbers: Numbers,
        *outputs: str,
    ) -> list[NDArray[Any]]:
        READ.value += len(packed.ids)
        feed = {
            VECTORS: self._table[packed.ids].astype(np.float32),
            PLACES: packed.positions + OFFSET,
            KINDS: packed.kinds,
            BUCKETS: packed.buckets(positions),
            CONTEXT: context,
            KEPT: numbers,
            FIRSTS: np.searchsorted(numbers, packed.firsts),
        }
        try:
            values: list[NDArray[Any]] = self._session.run(outputs, feed)
        except Exception as error:  # onnxruntime's exceptions have no common base of its own
            raise ModelError(
                f"{self.model_id} failed on {len(packed.ids)} tokens: {error}",
                "Retry; if it stays, run `python -m inference.export --judge --force`.",
            ) from error
        return values


def _open_table(file: Path) -> NDArray[np.float16]:
    """Return the word vectors, memory-mapped: pages are read when used, and shared."""
    try:
        table: NDArray[np.float16] = np.load(file, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError) as error:
        raise ModelError(f"{file} cannot be read: {error}", _REMEDY) from error
    return table


def _tokens(parts: Sequence[Window]) -> int:
    return sum(len(window.ids) for window in parts)


def _words(claim: ClaimSegment, unsupported: Floats) -> tuple[Word, ...]:
    """Return each word with the highest probability among its tokens."""
    return tuple(
        (word.start, word.end, float(unsupported[word.first : word.last].max()))
        for word in claim.words
    )


def _weights(attention: Floats, context: _Context) -> Floats:
    """Return each window's share of a claim's attention, without special tokens."""
    received = attention.mean(axis=0)
    weights, start = [], 0
    for window in context.windows:
        weights.append(received[start + 1 : start + 1 + len(window.ids)].sum())
        start += len(window.ids) + 2
    total = np.array(weights, np.float32)
    return np.asarray(total / max(float(total.sum()), 1e-9), np.float32)


def _evidence(windows: Sequence[Window], weights: Floats) -> tuple[EvidenceWindow, ...]:
    return tuple(
        EvidenceWindow(window.source, window.start, window.end, float(weight))
        for window, weight in zip(windows, weights, strict=True)
    )


def load(folder: Path, *, threads: int, evidence_tokens: int, cache_bytes: int) -> OnnxJudge:
    """Load the judge in `folder` after verifying its files. Raises ModelError."""
    try:
        manifest = verified_manifest(folder)
    except ModelError as error:
        raise ModelError(error.problem, _REMEDY) from error
    return OnnxJudge(
        Files(
            graph=folder / manifest.file(".onnx"),
            table=folder / manifest.file(".npy"),
            tokenizer=folder / manifest.file(".json"),
            model_id=manifest.model_id,
        ),
        threads=threads,
        evidence_tokens=evidence_tokens,
        cache_bytes=cache_bytes,
    )
