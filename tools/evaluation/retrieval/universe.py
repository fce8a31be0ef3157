"""A made-up corpus of any size, placed in the space of embeddings as real passages are.

A made-up chunk lies somewhere on the way from a real passage to a sentence that says something
close to it, and is moved from there as far as the passage's neighbours are apart, mostly in their
directions. What makes a search along the HNSW graph hard is how fast the number of chunks grows
with the distance from a question (docs/research/retrieval.md): among chunks that are only moved
passages it grows several times as fast as among real ones, because none comes near to a question.
The words of a chunk are runs of words of the passage and a neighbour, and one in ten is an invented
word that follows Zipf's law.
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
class Chunks:
    """Made-up chunks: their texts and unit vectors (count, dimensions)."""

    texts: list[str]
    vectors: Vectors


def universe(texts: Sequence[str], vectors: Vectors, sentences: Vectors) -> Universe:
    """Return the real passages with their nearest neighbours among each other and the sentences."""
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -1)
    neighbours = np.argpartition(-cosines, NEIGHBOURS, axis=1)[:, :NEIGHBOURS]
    nearest = np.argpartition(-(vectors @ sentences.T), SENTENCES, axis=1)[:, :SENTENCES]
    words = [text.split() for text in texts]
    return Universe(vectors, neighbours, words, sentences, nearest)


def make(around: Universe, count: int, chance: np.random.Generator) -> Chunks:
    """Make `count` chunks of one document: each near the same passage or one of its neighbours."""
    topic = chance.integers(len(around.vectors))
    nearby = np.concatenate(([topic], around.neighbours[topic]))
    parents = chance.choice(nearby, count)
    texts = [_text(around, parent, chance) for parent in parents]
    return Chunks(texts, _vectors(around, parents, chance))


def _vectors(around: Universe, parents: NDArray[np.int64], chance: np.random.Generator) -> Vectors:
    """Return unit vectors (parents, dimensions), each drawn near its passage."""
    members = np.concatenate((parents[:, None], around.neighbours[parents]), axis=1)
    near = around.vectors[members]
    apart = (near - near.mean(axis=1)[:, None]) / np.sqrt(NEIGHBOURS)
    local = np.einsum("pm,pmd->pd", chance.standard_normal(members.shape), apart)
    some = around.vectors[chance.integers(len(around.vectors), size=_DIRECTIONS)]
    spread = (some - some.mean(axis=0)) / np.sqrt(_DIRECTIONS)
    wide = chance.standard_normal((len(parents), _DIRECTIONS)) @ spread
    # As far apart in all as the passages of the neighbourhood are.
    width = np.sqrt(np.square(apart).sum(axis=(1, 2)) / np.square(spread).sum())
    moved = _places(around, parents, chance) + LOCAL**0.5 * local
    moved += (1 - LOCAL) ** 0.5 * width[:, None] * wide
    unit: Vectors = (moved / np.linalg.norm(moved, axis=1, keepdims=True)).astype(np.float32)
    return unit


def _places(around: Universe, parents: NDArray[np.int64], chance: np.random.Generator) -> Vectors:
    """Return points (parents, dimensions) between each passage and one of its sentences."""
    towards = around.nearest[parents, chance.integers(SENTENCES, size=len(parents))]
    part = LONGEST_WAY * chance.random((len(parents), 1))
    places = (1 - part) * around.vectors[parents] + part * around.sentences[towards]
    return places.astype(np.float32)


def _text(around: Universe, parent: int, chance: np.random.Generator) -> str:
    length = int(chance.integers(*LENGTHS))
    sources = (parent, int(chance.choice(around.neighbours[parent])))
    tokens: list[str] = []
    while len(tokens) < length:
        words = around.words[sources[int(chance.integers(2))]]
        start = int(chance.integers(len(words)))
        tokens += words[start : start + int(chance.integers(*_RUNS))]
    tokens = tokens[:length]
    rare = np.flatnonzero(chance.random(length) < _RARE_SHARE)
    for at, rank in zip(rare, chance.zipf(_EXPONENT, len(rare)), strict=True):
        tokens[at] = rare_word(int(rank) % _RARE_WORDS)
    return " ".join(tokens)


def rare_word(rank: int) -> str:
    """Return an invented word for a rank of Zipf's law."""
    rank += len(_SYLLABLES)
    parts = []
    while rank:
        rank, digit = divmod(rank, len(_SYLLABLES))
        parts.append(_SYLLABLES[digit])
    return "".join(parts)
