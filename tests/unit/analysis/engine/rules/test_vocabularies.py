"""Rules first look for one word of their vocabulary: none may pass over what its pattern finds."""

import pytest

from analysis.engine.evidence.framing import PLAIN, frame_of
from analysis.engine.facts.figures import figures
from analysis.engine.facts.model import TextSpan
from lib.text.tokens import MARK, NUMBER, numbers, plain_words, tokenize
from tests.tables import tables

TABLES = tables(__file__)


@pytest.mark.parametrize("sentence", TABLES["frames"])
def test_every_frame_is_found(sentence: str) -> None:
    tokens = tokenize(sentence)
    end = tokens.words.index(".") + 1 if "." in tokens.words else len(tokens)
    assert frame_of(tokens, 0, end) != PLAIN


@pytest.mark.parametrize("sentence", TABLES["no frames"])
def test_words_that_void_something_else_are_no_frame(sentence: str) -> None:
    tokens = tokenize(sentence)
    assert frame_of(tokens, 0, len(tokens)) == PLAIN


@pytest.mark.parametrize("text", ["It meets twice a week.", "Open on weekdays.", "Paid monthly."])
def test_figures_without_a_number_are_found(text: str) -> None:
    tokens = tokenize(text)
    assert figures(TextSpan(text, tokens, 0, len(tokens)))


@pytest.mark.parametrize(
    "text", ["At 5 p.m., 1,280 people_2 don't go.", "Le café n’a 3 places; 東京"]
)
def test_plain_words_are_the_words_of_all_tokens(text: str) -> None:
    tokens = tokenize(text)
    words = [word for word, kind in zip(tokens.lower, tokens.kinds, strict=True) if kind != MARK]
    assert plain_words(text) == words
    digits = [at for at, kind in enumerate(tokens.kinds) if kind == NUMBER]
    assert list(numbers(tokens, 0, len(tokens))) == digits
    assert list(numbers(tokens, 1, 2)) == [at for at in digits if at == 1]
