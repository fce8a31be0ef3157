"""A corpus of any size that lies in the space of embeddings as real passages do.

A made-up chunk lies somewhere on the way from a real passage to a sentence that says something
close to it, and is moved from there as far as the passage's neighbours are apart, mostly in their
directions. What makes a search along the HNSW graph hard is how fast the number of chunks grows
with the distance from a question (decision 0441): among chunks that are only moved passages it
grows several times as fast as among real ones, because none comes near to a question. The words
of a chunk are runs of words of the passage and a neighbour, and one in ten is an invented word
that follows Zipf's law.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from inference.embedding import Vectors

NEIGHBOURS = 10
SENTENCES = 3
"""Which of the nearest sentences a chunk may lie on the way to."""

LONGEST_WAY = 0.4
"""A chunk lies at most this part of the way to a sentence."""

LOCAL = 0.8
"""How much of a chunk's variance is shaped as the passage's neighbourhood is."""

LENGTHS = (50, 90)
"""Words of a chunk, from and to: about 450 characters."""

_DIRECTIONS = 200
_RUNS = (5, 16)
_RARE_SHARE = 0.1
_RARE_WORDS = 400_000
_EXPONENT = 1.1
_SYLLABLES = tuple(consonant + vowel for consonant in "bdfgklmnrst" for vowel in "aeiou")


@dataclass(frozen=True, slots=True)
class Universe:
    """Real passages: unit vectors (n, dimensions), each one's neighbours (n, 10), its words.

    `sentences`: unit vectors (m, dimensions), `nearest` of them for each passage: (n, 3).
    """

    vectors: Vectors
    neighbours: NDArray[np.int64]
    words: list[list[str]]
    sentences: Vectors
    nearest: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Made:
    """Made-up chunks: their texts and unit vectors (count, dimensions)."""

    texts: list[str]
    vectors: Vectors


def universe(texts: Sequence[str], vectors: Vectors, sentences: Vectors) -> Universe:
    """The real passages with their nearest neighbours among each other and the sentences."""
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -1)
    neighbours = np.argpartition(-cosines, NEIGHBOURS, axis=1)[:, :NEIGHBOURS]
    nearest = np.argpartition(-(vectors @ sentences.T), SENTENCES, axis=1)[:, :SENTENCES]
    words = [text.split() for text in texts]
    return Universe(vectors, neighbours, words, sentences, nearest)


def make(around: Universe, count: int, drawn: np.random.Generator) -> Made:
    """`count` chunks of one document: each near the same passage or one of its neighbours."""
    topic = drawn.integers(len(around.vectors))
    nearby = np.concatenate(([topic], around.neighbours[topic]))
    parents = drawn.choice(nearby, count)
    texts = [_text(around, parent, drawn) for parent in parents]
    return Made(texts, _vectors(around, parents, drawn))


def _vectors(around: Universe, parents: NDArray[np.int64], drawn: np.random.Generator) -> Vectors:
    """Unit vectors (parents, dimensions), each drawn near its passage."""
    members = np.concatenate((parents[:, None], around.neighbours[parents]), axis=1)
    near = around.vectors[members]
    apart = (near - near.mean(axis=1)[:, None]) / np.sqrt(NEIGHBOURS)
    local = np.einsum("pm,pmd->pd", drawn.standard_normal(members.shape), apart)
    some = around.vectors[drawn.integers(len(around.vectors), size=_DIRECTIONS)]
    spread = (some - some.mean(axis=0)) / np.sqrt(_DIRECTIONS)
    wide = drawn.standard_normal((len(parents), _DIRECTIONS)) @ spread
    # As far apart in all as the passages of the neighbourhood are.
    width = np.sqrt(np.square(apart).sum(axis=(1, 2)) / np.square(spread).sum())
    moved = _places(around, parents, drawn) + LOCAL**0.5 * local
    moved += (1 - LOCAL) ** 0.5 * width[:, None] * wide
    unit: Vectors = (moved / np.linalg.norm(moved, axis=1, keepdims=True)).astype(np.float32)
    return unit


def _places(around: Universe, parents: NDArray[np.int64], drawn: np.random.Generator) -> Vectors:
    """Points (parents, dimensions) on the way from each passage to one of its sentences."""
    towards = around.nearest[parents, drawn.integers(SENTENCES, size=len(parents))]
    part = LONGEST_WAY * drawn.random((len(parents), 1))
    places = (1 - part) * around.vectors[parents] + part * around.sentences[towards]
    return places.astype(np.float32)


def _text(around: Universe, parent: int, drawn: np.random.Generator) -> str:
    length = int(drawn.integers(*LENGTHS))
    sources = (parent, int(drawn.choice(around.neighbours[parent])))
    found: list[str] = []
    while len(found) < length:
        words = around.words[sources[int(drawn.integers(2))]]
        start = int(drawn.integers(len(words)))
        found += words[start : start + int(drawn.integers(*_RUNS))]
    found = found[:length]
    rare = np.flatnonzero(drawn.random(length) < _RARE_SHARE)
    for at, rank in zip(rare, drawn.zipf(_EXPONENT, len(rare)), strict=True):
        found[at] = rare_word(int(rank) % _RARE_WORDS)
    return " ".join(found)


def rare_word(rank: int) -> str:
    """An invented word for a rank of Zipf's law."""
    rank += len(_SYLLABLES)
    parts = []
    while rank:
        rank, digit = divmod(rank, len(_SYLLABLES))
        parts.append(_SYLLABLES[digit])
    return "".join(parts)
