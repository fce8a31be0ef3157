"""Sentences that end in a unit, and full stops behind a letter that end none."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.text.sentences import sentences
from tests.tables import tables

TABLES = tables(__file__)


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


@pytest.mark.parametrize("text", TABLES["without a space and before marks"])
def test_so_it_does_without_a_space_and_before_marks(text):
    assert len(cut(text)) == 2


@pytest.mark.parametrize("text", TABLES["a full stop that ends none"])
def test_a_full_stop_that_ends_none_cuts_nothing(text):
    assert len(cut(text)) == 1


@pytest.mark.parametrize("text", TABLES["abbreviations"])
def test_an_abbreviation_ends_no_sentence(text):
    assert cut(text) == [text]


@pytest.mark.parametrize("text", TABLES["behind a date and a measure"])
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
