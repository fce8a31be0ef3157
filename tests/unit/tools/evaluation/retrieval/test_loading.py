"""The made-up corpus resembles the real passages that it starts from."""

import numpy as np
import pytest

from tools.evaluation.retrieval.loading import NEIGHBOURS, Universe, make, rare_word, universe


@pytest.fixture
def around() -> Universe:
    """Return sixty passages in three clusters."""
    chance = np.random.default_rng(0)
    centres = chance.normal(size=(3, 32))
    vectors = np.repeat(centres, 20, axis=0) + 0.4 * chance.normal(size=(60, 32))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    sentences = np.repeat(centres / np.linalg.norm(centres, axis=1, keepdims=True), 5, axis=0)
    texts = [f"word{n} " * 30 for n in range(60)]
    return universe(texts, vectors.astype(np.float32), sentences.astype(np.float32))


def test_neighbours_are_the_nearest_others(around: Universe) -> None:
    cosines = around.vectors @ around.vectors.T
    for at, neighbour in enumerate(around.neighbours):
        others = [other for other in np.argsort(-cosines[at]) if other != at]
        assert set(neighbour) == set(others[:NEIGHBOURS])


def test_chunks_have_unit_vectors_and_stay_in_their_cluster(around: Universe) -> None:
    chunks = make(around, 40, np.random.default_rng(1))
    assert np.allclose(np.linalg.norm(chunks.vectors, axis=1), 1, atol=1e-5)
    assert len(chunks.texts) == 40
    nearest = (chunks.vectors @ around.vectors.T).argmax(axis=1) // 20
    assert np.bincount(nearest, minlength=3).max() >= 30


def test_some_chunks_lie_nearer_to_a_sentence_than_any_passage(around: Universe) -> None:
    chance = np.random.default_rng(2)
    vectors = np.concatenate([make(around, 40, chance).vectors for _ in range(20)])
    for sentence in around.sentences[::5]:
        assert (vectors @ sentence).max() > (around.vectors @ sentence).max()


def test_the_same_seed_makes_the_same_corpus(around: Universe) -> None:
    first, second = (make(around, 5, np.random.default_rng(7)) for _ in range(2))
    assert first.texts == second.texts
    assert np.array_equal(first.vectors, second.vectors)
    assert make(around, 5, np.random.default_rng(8)).texts != first.texts


def test_rare_words_differ_and_are_words() -> None:
    words = {rare_word(rank) for rank in range(5000)}
    assert len(words) == 5000
    assert all(word.isalpha() for word in words)
