"""The default model as served, against the float model in sentence-transformers."""

import itertools

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inference.sources import find_source
from tests.integration.inference.tiny import vectors
from tests.tables import tables

TABLES = tables(__file__)

# Children load torch, which takes a minute on a busy machine.
pytestmark = pytest.mark.timeout(600)

SENTENCES = [
    f"{who} {what}" for who, what in itertools.product(TABLES["subjects"], TABLES["predicates"])
]

# Tolerances of the quality gate; measured on 2026-11-21: see docs/decisions/0430.
LEAST_MEAN_COSINE = 0.99
LEAST_COSINE = 0.98
LEAST_SAME_NEIGHBOUR = 0.85
LARGEST_BATCH_DIFFERENCE = 1e-3


def neighbours(vectors):
    near = vectors @ vectors.T
    np.fill_diagonal(near, -1)
    return near


def test_int8_keeps_the_float_models_directions_and_neighbours(embedder):
    ours = embedder.embed(SENTENCES)
    exact = vectors(str(find_source("all-MiniLM-L6-v2").folder), SENTENCES)
    cosines = (ours * exact).sum(axis=1)
    assert len(SENTENCES) >= 200
    assert cosines.mean() >= LEAST_MEAN_COSINE
    assert cosines.min() >= LEAST_COSINE
    truth = neighbours(exact)
    ours_first, exact_first = neighbours(ours).argmax(axis=1), truth.argmax(axis=1)
    assert (ours_first == exact_first).mean() >= LEAST_SAME_NEIGHBOUR
    # Where the first neighbour differs, it is nearly as near in the float model.
    rows = np.arange(len(SENTENCES))
    assert (truth[rows, exact_first] - truth[rows, ours_first]).max() < 0.03
    assert np.corrcoef(neighbours(ours).ravel(), truth.ravel())[0, 1] > 0.995


def test_meaning_is_in_the_vectors(embedder):
    question, answer, other = embedder.embed(
        [
            "How long do I have to send shoes back?",
            "Returns are accepted for 30 days.",
            "Cats purr.",
        ]
    )
    assert question @ answer > question @ other + 0.2


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(texts=st.lists(st.text(max_size=300), min_size=1, max_size=12), data=st.data())
def test_a_text_embeds_the_same_alone_and_beside_others(embedder, texts, data):
    at = data.draw(st.integers(0, len(texts) - 1))
    together, alone = embedder.embed(texts)[at], embedder.embed([texts[at]])[0]
    assert np.abs(together - alone).max() < LARGEST_BATCH_DIFFERENCE


def test_order_and_company_do_not_matter(embedder):
    texts = [*SENTENCES[:40], "", "x" * 3000, "word " * 700]
    there, back = embedder.embed(texts), embedder.embed(texts[::-1])[::-1]
    assert np.abs(there - back).max() < LARGEST_BATCH_DIFFERENCE


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\x00",
        "\ud800",
        "a\udfffb",
        "🙂",
        "e\u0301",
        "会議",
        "\u202eabc",
        "w" * 10_000,
        "\n" * 99,
    ],
)
def test_any_text_gives_a_vector_of_length_one(embedder, text):
    embedded = embedder.embed_reported([text])
    assert embedded.vectors.shape == (1, 384)
    assert np.isclose(np.linalg.norm(embedded.vectors[0]), 1, atol=1e-4)
    assert embedded.truncated == [False]


def test_no_text_gives_no_vector(embedder):
    embedded = embedder.embed_reported([])
    assert embedded.vectors.shape == (0, 384)
    assert embedded.vectors.dtype == np.float32
    assert embedded.truncated == []


def test_a_cut_text_is_reported_and_its_beginning_read(embedder):
    long = "water boils at a hundred degrees " * 200
    fits = "water boils at a hundred degrees"
    embedded = embedder.embed_reported([fits, long, long + " and an end that nobody reads"])
    assert embedded.truncated == [False, True, True]
    assert np.allclose(embedded.vectors[1], embedded.vectors[2], atol=1e-6)
    assert embedder.count_tokens([fits, long]) == [9, 1402]  # boil ##s


def test_a_surrogate_pair_is_the_character_it_means(embedder):
    pair, character = embedder.embed(["ok \ud83d\ude00", "ok 😀"])
    assert np.array_equal(pair, character)


def test_the_id_names_model_source_and_quantisation(embedder):
    assert embedder.model_id == "all-MiniLM-L6-v2@cbf231bb+int8-per-token-2"
    assert embedder.dimensions == 384
