"""Segments of tokens and their attention masks: the input of the judge's graph.

Segments and positions are those of training: each segment is enclosed by its special tokens and
counts its positions from 0, a claim from 256. A segment reads itself; a claim also reads the
windows and the question.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from inference.judge.signature import MASKED

BEGIN, END, OFFSET = 0, 2, 2
"""MPNet's ids of the special tokens, and the number of its first position."""
CLAIM_POSITION = 256
WINDOW, QUESTION, CLAIM = 0, 1, 2
QUESTION_TOKENS, CLAIM_TOKENS = 60, 120
"""Tokens that are read of a question and of a claim, special tokens aside."""
_FARTHEST = 1024
_BUCKETS, _LONGEST_DISTANCE = 32, 128

Numbers = NDArray[np.int64]
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
