"""Sentences that deny what they say."""

import pytest

from analysis.engine.evidence.framing import Frame, frame_of
from lib.text.tokens import tokenize


def frame(text: str) -> Frame:
    tokens = tokenize(text)
    return frame_of(tokens, 0, len(tokens))


@pytest.mark.parametrize(
    "text",
    [
        "It is a common myth that the mill closed.",
        "Nobody should say that the mill closed.",
        "Some people wrongly believe that the mill closed.",
        "A common mistake: the mill closed.",
        "The claim that the mill closed is false.",
        "The mill closed, which is untrue.",
        "The mill closed – not!",
    ],
)
def test_a_frame_denies_its_statement(text: str) -> None:
    assert frame(text) == Frame(denied=True)


@pytest.mark.parametrize(
    "closing",
    [
        "false", "untrue", "wrong", "incorrect", "inaccurate", "mistaken", "not true",
        "not correct", "not the case", "a myth", "a misconception", "a misunderstanding",
        "a fallacy", "a lie", "a rumor", "a rumour", "a hoax", "a legend", "a mistake", "an error",
    ],
)  # fmt: skip
def test_each_closing_denies(closing: str) -> None:
    """A closing that the quick look at the last word misses would pass as a plain statement."""
    assert frame(f"The mill closed, which is {closing}.") == Frame(denied=True)


@pytest.mark.parametrize(
    "text",
    [
        "The mill, formerly a brewery, opens at 9.",
        "The museum tells of the myth of the Minotaur.",
        "A wrong number was dialled.",
        "Contrary to popular belief, the mill closed.",
        "The novel is fictional.",
    ],
)
def test_a_word_inside_of_a_statement_is_no_frame(text: str) -> None:
    assert frame(text) == Frame()
