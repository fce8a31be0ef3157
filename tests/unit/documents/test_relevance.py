"""Relevance of a passage to a question, by words and by vectors."""

import pytest

from documents.lexical import terms
from documents.relevance import relevance, share_held

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
def test_the_share_of_words_and_what_an_identifier_counts(query: str, share: float) -> None:
    assert share_held(terms(query), PASSAGE) == pytest.approx(share)


def test_words_count_whatever_the_cosine_and_a_cosine_without_words() -> None:
    assert relevance(0.05, 1.0, MODEL) > 0.2
    assert relevance(0.6, 0.0, MODEL) > 0.5
    assert relevance(0.1, 0.0, MODEL) < 0.05
    assert relevance(0.5, 0.5, MODEL) > max(relevance(0.4, 0.5, MODEL), relevance(0.5, 0.4, MODEL))


def test_words_alone_tell_where_the_model_is_not_fitted() -> None:
    assert relevance(0.9, 0.0, "another@1") < 0.1
    assert relevance(None, 1.0, MODEL) > 0.9
