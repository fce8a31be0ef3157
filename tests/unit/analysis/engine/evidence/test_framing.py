"""Sentences that deny what they say."""

import pytest

from analysis.engine.evidence.framing import Frame, frame_of
from lib.text.tokens import tokenize
from tests.tables import tables

TABLES = tables(__file__)


def frame(text: str) -> Frame:
    tokens = tokenize(text)
    return frame_of(tokens, 0, len(tokens))


@pytest.mark.parametrize("text", TABLES["a frame denies its statement"])
def test_a_frame_denies_its_statement(text: str) -> None:
    assert frame(text) == Frame(denied=True)


@pytest.mark.parametrize("closing", TABLES["each closing denies"])
def test_each_closing_denies(closing: str) -> None:
    """A closing that the quick look at the last word misses would pass as a plain statement."""
    assert frame(f"The mill closed, which is {closing}.") == Frame(denied=True)


@pytest.mark.parametrize("text", TABLES["a word inside of a statement is no frame"])
def test_a_word_inside_of_a_statement_is_no_frame(text: str) -> None:
    assert frame(text) == Frame()
