"""Texts as segments of tokens with their attention masks: the input of the judge's graph.

Segments and positions are those of training: each segment is enclosed by its special tokens and
counts its positions from 0, a claim from 256. A segment reads itself; a claim also reads the
windows and the question.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from inference.judge import windows
from inference.judge.windows import Window
from inference.runtime import CHARS_PER_TOKEN, Numbers, open_tokenizer, readable

if TYPE_CHECKING:
    from tokenizers import Encoding

VECTORS, PLACES, KINDS, BUCKETS = "word_vectors", "places", "kinds", "buckets"
CONTEXT, KEPT, FIRSTS = "context", "kept", "firsts"
"""Keys and values of what was read before; tokens that are followed through the last layer; the
first token of each claim."""
LOGITS, WORD_LOGITS, KEYS_VALUES, ATTENTION = "logits", "word_logits", "keys_values", "attention"
MASKED = 32
"""The bucket behind MPNet's 32 relative positions: this token does not read that one."""


BEGIN, END, OFFSET = 0, 2, 2
"""MPNet's ids of the special tokens, and the number of its first position."""
CLAIM_POSITION = 256
WINDOW, QUESTION, CLAIM = 0, 1, 2
QUESTION_TOKENS, CLAIM_TOKENS = 60, 120
"""Tokens that are read of a question and of a claim, special tokens aside."""
_FARTHEST = 1024
_BUCKETS, _LONGEST_DISTANCE = 32, 128

Floats = NDArray[np.float32]
Buckets = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Segment:
    """Token ids between special tokens, with the segment's kind and its first position."""

    ids: tuple[int, ...]
    kind: int

    @property
    def length(self) -> int:
        """The number of tokens with the two special ones."""
        return len(self.ids) + 2

    def tokens(self) -> tuple[int, ...]:
        """Return all ids, special ones included."""
        return (BEGIN, *self.ids, END)

    def positions(self) -> Numbers:
        start = CLAIM_POSITION if self.kind == CLAIM else 0
        return np.arange(start, start + self.length)


@dataclass(frozen=True, slots=True)
class Packed:
    """Segments side by side; `context` has the positions of segments read before."""

    ids: Numbers
    positions: Numbers
    kinds: Numbers
    segments: Numbers
    firsts: Numbers

    def buckets(self, context: Numbers) -> Buckets:
        """Return buckets (tokens, context and tokens): context and own segment are read."""
        keys = np.concatenate([context, self.positions])
        numbers = _bucket_table()[keys[None, :] - self.positions[:, None] + _FARTHEST]
        own = self.segments[:, None] == self.segments[None, :]
        numbers[:, len(context) :][~own] = MASKED
        return numbers


def pack(segments: Sequence[Segment]) -> Packed:
    """Return the segments as one sequence of tokens."""
    lengths = [segment.length for segment in segments]
    return Packed(
        ids=np.array([token for segment in segments for token in segment.tokens()]),
        positions=np.concatenate([segment.positions() for segment in segments]),
        kinds=np.repeat([segment.kind for segment in segments], lengths),
        segments=np.repeat(np.arange(len(segments)), lengths),
        firsts=np.cumsum([0, *lengths[:-1]]),
    )


@cache
def _bucket_table() -> Buckets:
    """Return MPNet's bucket for each distance (key minus query) from -1024 to 1024."""
    distance = np.arange(-_FARTHEST, _FARTHEST + 1)
    half = _BUCKETS // 2
    exact = half // 2
    size = np.abs(distance)
    ratio = np.log(np.maximum(size, 1).astype(np.float32) / np.float32(exact))
    steps = ratio / np.float32(np.log(_LONGEST_DISTANCE / exact)) * np.float32(half - exact)
    far = np.minimum(exact + steps.astype(np.int64), half - 1)
    return np.asarray(np.where(size < exact, size, far) + half * (distance > 0), np.int32)


_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the claim: code points of the original claim, tokens [first, last)."""

    start: int
    end: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class ClaimSegment:
    """A claim as a segment; `words` count its tokens without the initial special one."""

    segment: Segment
    words: tuple[Word, ...]
    truncated: bool


class Reader:
    """A tokenizer.json, without its padding and limit. Thread-safe."""

    def __init__(self, file: Path) -> None:
        self._tokenizer = open_tokenizer(file, "--judge ")

    def windows(self, evidence: Sequence[str]) -> list[Window]:
        """Return all of the evidence in windows."""
        return windows.cut(evidence, lambda text: self._encode(text).ids)

    def question(self, text: str) -> Segment:
        return Segment(tuple(self._first(text, QUESTION_TOKENS).ids[:QUESTION_TOKENS]), QUESTION)

    def claim(self, text: str) -> ClaimSegment:
        """Return the claim, or its first 120 tokens."""
        encoding = self._first(text, CLAIM_TOKENS)
        return ClaimSegment(
            segment=Segment(tuple(encoding.ids[:CLAIM_TOKENS]), CLAIM),
            words=_in_original(_words(encoding), text, readable(text)),
            truncated=len(encoding.ids) > CLAIM_TOKENS,
        )

    def _first(self, text: str, tokens: int) -> "Encoding":
        """Return at least the first `tokens` tokens and the next, if there are so many."""
        prefix = self._encode(text[: tokens * CHARS_PER_TOKEN])
        return prefix if len(prefix.ids) > tokens else self._encode(text)

    def _encode(self, text: str) -> "Encoding":
        return self._tokenizer.encode(readable(text), add_special_tokens=False)


def _words(encoding: "Encoding") -> tuple[Word, ...]:
    """Return the words among the tokens that are read."""
    words: list[Word] = []
    last_number: int | None = None
    tokens = zip(encoding.offsets[:CLAIM_TOKENS], encoding.word_ids, strict=False)
    for at, ((start, end), number) in enumerate(tokens):
        if number == last_number and words:
            before = words.pop()
            start, first = before.start, before.first
        else:
            first = at
        words.append(Word(start, end, first, at + 1))
        last_number = number
    return tuple(words)


def _in_original(words: tuple[Word, ...], claim: str, read: str) -> tuple[Word, ...]:
    """Return the words with offsets in `claim`; `read` joined surrogate pairs into characters."""
    if len(claim) == len(read):
        return words
    places, at = [], 0
    for letter in read:
        places.append(at)
        at += 2 if claim[at] != letter and letter != _REPLACEMENT else 1
    places.append(len(claim))
    return tuple(Word(places[w.start], places[w.end], w.first, w.last) for w in words)
