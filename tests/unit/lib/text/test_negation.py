"""Scoped negation."""

import pytest

from lib.text.negation import denied, negations
from lib.text.tokens import tokenize
from tests.tables import tables

TABLES = tables(__file__)


def denials(text):
    tokens = tokenize(text)
    positions = [denied(tokens, item) for item in negations(tokens, 0, len(tokens))]
    return [tokens.lower[at] for at in positions if at is not None]


@pytest.mark.parametrize(("text", "head"), TABLES["what is denied"])
def test_what_is_denied(text, head):
    assert denials(text) == [head]


@pytest.mark.parametrize("text", TABLES["what negates nothing"])
def test_what_negates_nothing(text):
    assert denials(text) == []


def test_scope_ends_with_the_clause():
    tokens = tokenize("It is not red, the house is blue")
    [negation] = negations(tokens, 0, len(tokens))
    assert tokens.lower[negation.first : negation.last] == ["red"]
