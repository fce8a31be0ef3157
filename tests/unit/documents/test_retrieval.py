"""Reciprocal rank fusion, and how many chunks one document may give."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from documents.lexical import terms
from documents.retrieval import at_most_each, reciprocal_rank_fusion, relevance, share_held

RANKING = st.lists(st.integers(0, 50), unique=True, max_size=30)


def test_found_by_both_beats_found_by_one() -> None:
    fused = reciprocal_rank_fusion({"a": [1, 2], "b": [2, 3]}, k=60, weights={})
    assert fused[0] == (2, pytest.approx(1 / 62 + 1 / 61))
    assert [item for item, _ in fused] == [2, 1, 3]


def test_a_weight_of_zero_silences_a_ranking() -> None:
    fused = reciprocal_rank_fusion({"a": [1], "b": [2]}, weights={"a": 0.0, "b": 1.0})
    assert fused[0][0] == 2


@given(RANKING, RANKING)
def test_every_item_once_best_first(a, b) -> None:
    fused = reciprocal_rank_fusion({"a": a, "b": b}, weights={})
    assert {item for item, _ in fused} == set(a) | set(b)
    assert len(fused) == len({item for item, _ in fused})
    scores = [score for _, score in fused]
    assert scores == sorted(scores, reverse=True)


def test_at_most_two_chunks_of_a_document() -> None:
    ranked = [(n, 1.0 / n) for n in range(1, 7)]
    group = dict.fromkeys(range(1, 5), "long") | {5: "other", 6: "other"}
    assert [item for item, _ in at_most_each(ranked, group, most=2)] == [1, 2, 5, 6]
    assert at_most_each(ranked, group, most=None) == ranked


MODEL = "all-MiniLM-L6-v2@1+int8"
PASSAGE = "Fault E17 means that the pump is blocked. Found umbrellas are kept for nine weeks."


@pytest.mark.parametrize(
    ("query", "share"),
    [
        ("How long are umbrellas kept?", 2 / 3),
        ("pump", 1.0),
        ("What does the display say at E17 in winter?", 1.0),
        ("What does the display say at E18?", 0.0),
        ("", 0.0),
    ],
)
def test_the_share_of_words_and_what_an_identifier_counts(query, share) -> None:
    assert share_held(terms(query), PASSAGE) == pytest.approx(share)


def test_words_count_whatever_the_cosine_and_a_cosine_without_words() -> None:
    assert relevance(0.05, 1.0, MODEL) > 0.2
    assert relevance(0.6, 0.0, MODEL) > 0.5
    assert relevance(0.1, 0.0, MODEL) < 0.05
    assert relevance(0.5, 0.5, MODEL) > max(relevance(0.4, 0.5, MODEL), relevance(0.5, 0.4, MODEL))


def test_words_alone_tell_where_the_model_is_not_fitted() -> None:
    assert relevance(0.9, 0.0, "another@1") < 0.1
    assert relevance(None, 1.0, MODEL) > 0.9
