"""Prices of nothing; a phrase that the quick look before the search does not know fails here."""

import pytest

from analysis.engine.facts.prices import _PHRASES, free_spans
from text.tokens import tokenize


@pytest.mark.parametrize("phrase", _PHRASES)
def test_each_phrase_is_found(phrase: tuple[str, ...]) -> None:
    words = " ".join(phrase)
    tokens = tokenize(f"The returns are {words}.")
    (span,) = free_spans(tokens, 0, len(tokens))
    assert " ".join(tokens.lower[slice(*span)]) == words


def test_a_thing_without_sugar_is_not_free_of_charge() -> None:
    tokens = tokenize("The sugar-free drink costs 2 euros.")
    assert not list(free_spans(tokens, 0, len(tokens)))
