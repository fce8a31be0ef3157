"""BM25's two halves, and which words gather candidates."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from documents.lexical import (
    K1,
    TERM_DIMENSIONS,
    B,
    gathering_terms,
    idf,
    query_weights,
    term_id,
    terms,
    weights,
)


def test_terms_are_stems_and_numbers_without_stop_words() -> None:
    stems = terms("The cranes are lifting 1,200 loads at 38 km/h.")
    assert stems == ["crane", "lift", "1200", "load", "38", "km", "h"]


def test_the_halves_make_bm25() -> None:
    chunk, average = "wind wind crane load", 3.0
    chunk_weights = weights(terms(chunk), average_length=average)
    term_weights = query_weights(["wind"], {"wind": 2}, chunks=10)
    score = sum(term_weights[term] * chunk_weights.get(term, 0.0) for term in term_weights)
    by_hand = math.log(1 + 8.5 / 2.5) * 2 * (K1 + 1) / (2 + K1 * (1 - B + B * 4 / average))
    assert score == pytest.approx(by_hand)


@given(st.integers(1, 10**7), st.integers(0, 10**7))
def test_idf_is_positive_and_falls_with_frequency(chunks, holding) -> None:
    assert idf(chunks, holding) > 0
    assert idf(chunks, holding) >= idf(chunks, holding + 1)


def test_the_rarest_words_gather_within_the_budget() -> None:
    holding = {"rare": 10, "some": 100, "common": 10_000}
    query_terms = ["common", "some", "rare"]
    assert gathering_terms(query_terms, holding, budget=150) == ["rare", "some"]
    assert gathering_terms(query_terms, holding, budget=1) == ["rare"], "at least one"


def test_uncounted_words_always_gather() -> None:
    assert gathering_terms(["new", "common"], {"common": 500}, budget=10) == ["new", "common"]


@given(st.text(max_size=200))
def test_term_ids_are_in_range_and_stable(word) -> None:
    assert 0 <= term_id(word) < TERM_DIMENSIONS
    assert term_id(word) == term_id(word)


@given(st.text())
def test_any_text_can_be_weighed(text) -> None:
    assert all(weight > 0 for weight in weights(terms(text), average_length=40).values())
