"""The model's notes to itself are separated from its answer, whole and as it arrives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.text.thinking import AnswerStream, answer_alone, thinking, without_thinking

HEADER = "<|start|>assistant<|channel|>final<|message|>"
TEXTS = [
    "<think>Is it 5? No.</think>\n\nIt is 4.",
    "<thinking>Is it 5?</thinking>It is 4.",
    "<reasoning effort='low'>Is it 5?</reasoning> It is 4.",
    "<seed:think>Is it 5?</seed:think>It is 4.",
    "[THINK]Is it 5?[/THINK]It is 4.",
    "◁think▷Is it 5?◁/think▷It is 4.",
    f"<|channel|>analysis<|message|>Is it 5?<|end|>{HEADER}It is 4.<|return|>",
    "It is 4.<think>Is it 5?",
    "It is 4.<|im_end|>",
]


@pytest.mark.parametrize("text", TEXTS)
def test_the_answer_alone_stays(text):
    assert answer_alone(text) == "It is 4."


def test_nested_thoughts_end_with_the_last_closing_tag():
    assert answer_alone("<think>Is <think>it</think> 5?</think>It is 4.") == "It is 4."


def test_a_tag_that_is_only_closed_was_opened_before():
    assert answer_alone("Is it 5? No.\n</think>\n\nIt is 4.") == "It is 4."


@pytest.mark.parametrize(
    "text", ["It is < 4 and [1] > 3.", "Write `<think>` before it.", "A <b>b</b> <thinker>.", "<th"]
)
def test_other_signs_are_part_of_the_answer(text):
    assert answer_alone(text) == text
    assert thinking(text) == ()


def test_every_other_character_stays_in_its_place():
    text = "Yes.<think>a\nb</think> It is 4."
    blank = without_thinking(text)
    assert len(blank) == len(text)
    assert blank.index("It is 4.") == text.index("It is 4.")
    assert "a" not in blank
    assert "\n" in blank


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("size", [1, 2, 5, 50])
def test_in_pieces_the_same_is_let_through(text, size):
    stream = AnswerStream()
    pieces = [stream.add(text[at : at + size]) for at in range(0, len(text), size)]
    assert ("".join(pieces) + stream.rest()).lstrip().startswith("It is 4.")
    assert "5" not in "".join(pieces)


@given(st.text(st.sampled_from("<>/think [1]|a\n"), max_size=60), st.integers(1, 9))
def test_a_stream_loses_nothing_of_a_text_without_signs(text, size):
    if thinking(text):
        return
    stream = AnswerStream()
    pieces = [stream.add(text[at : at + size]) for at in range(0, len(text), size)]
    assert "".join(pieces) + stream.rest() == text
