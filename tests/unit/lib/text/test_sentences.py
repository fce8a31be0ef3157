"""Sentences that end in a unit, and full stops behind a letter that end none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.text.sentences import finer_sentences, sentences


def cut(text):
    return [text[sentence.start : sentence.end].strip() for sentence in finer_sentences(text)]


@pytest.mark.parametrize(
    "unit",
    ["km/h", "m/s", "mm/h", "kN/m", "kg/m²", "m3/h", "l/min", "mph", "m", "s", "h", "t", "g", "l"],
)
def test_a_sentence_ends_behind_a_unit(unit):
    assert cut(f"It is 38 {unit}. The crane stops. Nobody lifts.") == [
        f"It is 38 {unit}.", "The crane stops.", "Nobody lifts.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "It stops at 38km/h. The crane waits.",
        'It stops at 38 km/h. "Nobody lifts," it says.',
        "It is read in km/h. (The mast has a gauge.)",
        "- It stops at 38 km/h.\n  Élise waits.",
    ],
)
def test_so_it_does_without_a_space_and_before_marks(text):
    assert len(cut(text)) == 2


@pytest.mark.parametrize(
    "text",
    [
        "It stops at 38 km/h. in gusts, and at 25 km/h. with a basket.",
        "The rule is J. R. Smith's of 2019.",
        "The 5 h. shift ends at 38 km/h",
        "| 38 km/h. The | crane |",
        "## Stops at 38 km/h. The crane",
        "It stops at 38 km/h.",
    ],
)
def test_a_full_stop_that_ends_none_cuts_nothing(text):
    assert cut(text) == [
        text[sentence.start : sentence.end].strip() for sentence in sentences(text)
    ]
    assert len(cut(text)) == 1


@given(st.text(st.sampled_from("a5 m/h.S\n(é"), max_size=60))
def test_nothing_is_lost_or_told_twice(text):
    """The finer sentences lie within the others, side by side, and cover the same."""
    whole = [(sentence.start, sentence.end) for sentence in sentences(text)]
    fine = [(sentence.start, sentence.end) for sentence in finer_sentences(text)]
    assert all(start < end for start, end in fine)
    sentence_spans = list[tuple[int, int]]()
    for start, end in fine:
        if (
            sentence_spans
            and sentence_spans[-1][1] == start
            and (sentence_spans[-1][0], sentence_spans[-1][1]) not in whole
        ):
            sentence_spans[-1] = (sentence_spans[-1][0], end)
        else:
            sentence_spans.append((start, end))
    assert sentence_spans == whole
