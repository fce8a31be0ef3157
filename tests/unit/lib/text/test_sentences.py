"""Sentences that end in a unit, and full stops behind a letter that end none."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.text.sentences import sentences


def cut(text):
    return [text[sentence.start : sentence.end].strip() for sentence in sentences(text)]


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
    assert len(cut(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "The form was signed by Ms. Vance.",
        "Allow approx. 40 minutes, and max. 12 guests.",
        "The notice hangs in Rm. 7 of Bldg. 3.",
        "Ch. 4 and pp. 20-22 describe the pump.",
        "The desk is staffed Tue. to Thu. until noon.",
        "Bring tools, e.g. Allen keys.",
    ],
)
def test_an_abbreviation_ends_no_sentence(text):
    assert cut(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "The kiln opens on 2 June. Bring clay.",
        "Pay by 9 Oct. Late fees follow.",
        "The lift is closed on Sun. Use the stairs.",
    ],
)
def test_a_sentence_ends_behind_a_date_and_a_measure(text):
    assert len(cut(text)) == 2


@given(st.text(st.sampled_from("a5 m/h.S\n(é"), max_size=60))
def test_nothing_is_lost_or_told_twice(text):
    spans = [(sentence.start, sentence.end) for sentence in sentences(text)]
    assert all(start < end for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    told = "".join(text[start:end] for start, end in spans)
    # The number or letter of an item ("5. /") is no part of its sentence.
    if not re.search(r"^\s*\w{1,3}[.)]\s", text, re.MULTILINE):
        assert [c for c in text if c.isalnum()][-1:] == [c for c in told if c.isalnum()][-1:]
