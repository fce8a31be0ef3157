"""Citation marks and reference lists."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.text.citations import (
    is_labelled,
    marks,
    reference_entries,
    without_citations,
    without_linked_notes,
    without_notes,
)
from lib.text.decoded import Decoded
from tests.tables import tables

TABLES = tables(__file__)

FOUND = [
    ("It closed in 2018 [1].", [(1,)]),
    ("It closed.[1][2] It opened [3].", [(1,), (2,), (3,)]),
    ("It closed [1, 2; 5].", [(1, 2, 5)]),
    ("It closed [2-4] and [7–8].", [(2, 3, 4), (7, 8)]),
    ("It closed [Source 3], [doc 2] [Sources 1, 2].", [(3,), (2,), (1, 2)]),
    ("It closed [Source 1, Source 2].", [(1, 2)]),
    ("Oslo[1] and 2018[2]", [(1,), (2,)]),
    ("It closed (Passage 3) (passages 1 & 2).", [(3,), (1, 2)]),
    ("It closed (Sources 1 and 4), (doc. 2).", [(1, 4), (2,)]),
    ("公司成立于1998年[1]。", [(1,)]),
]


@pytest.mark.parametrize(("text", "numbers"), FOUND)
def test_marks_are_found_with_their_numbers(text, numbers):
    text_marks = marks(text)
    assert [mark.numbers for mark in text_marks] == numbers
    assert all(text[m.start] + text[m.end - 1] in ("[]", "()") for m in text_marks)


STYLES = [
    ("[2]", 2), ("[^2]", 2), ("[#2]", 2), ("[[2]]", 2), ("[S2]", 2), ("[doc2]", 2), ("[ID:1]", 2),
    ("[citation:2]", 2), ("[chunk 2]", 2), ("[ctx_2]", 2), ("[2, p. 7]", 2), ("\\[2\\]", 2),
    ("【2】", 2), ("【4:1†rules.pdf】", 2), ("(Doc. 2)", 2), ("{2}", 2), ("{{ref:2}}", 2),
    ("<2>", 2),
    ("<sup>2</sup>", 2), ("<sup>[2]</sup>", 2), ("<cite>2</cite>", 2), ('<source_id="2">', 2),
    ("²", 2), ("[0]", 1), ("^[2]^", 2), ("[2, para. 4]", 2),
]  # fmt: skip
PLACES = [
    "The kiln is locked{}. Ask Ann.", "The kiln is locked {}. Ask Ann.",
    "The kiln is locked. {} Ask Ann.", "The kiln is locked.{} Ask Ann.",
]  # fmt: skip


def said(text):
    """Return the text without its marks and notes."""
    decoded = Decoded(text)
    decoded = decoded.edited(without_linked_notes(decoded.text))
    decoded = decoded.edited(without_notes(decoded.text))
    return decoded.edited(without_citations(decoded.text)).text


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("mark", "number"), STYLES)
def test_a_mark_of_any_style_is_no_part_of_what_is_said(mark, number, place):
    text = place.replace("{}", mark)
    assert [found.numbers for found in marks(text)] == [(number,)]
    assert said(text) == "The kiln is locked. Ask Ann."


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("note", TABLES["notes"])
def test_neither_is_a_note_on_a_place(note, place):
    text = place.replace("{}", note)
    assert marks(text) == ()
    assert said(text) == "The kiln is locked. Ask Ann."


def test_a_number_in_brackets_cites_at_the_end_of_a_clause():
    text = "The kiln is locked (1), and the shed is open (2)."
    assert said(text) == "The kiln is locked, and the shed is open."
    assert [found.numbers for found in marks(text)] == [(1,), (2,)]


@pytest.mark.parametrize("text", TABLES["what is said stays"])
def test_what_is_said_stays(text):
    assert said(text) == text


def test_a_mark_that_its_sentence_needs_becomes_a_word():
    assert said("According to [2], it is locked.") == "According to the source, it is locked."
    assert said("[2] says so.") == "the source says so."


def test_nothing_is_cited_in_what_a_model_wrote_for_itself():
    assert marks("<think>see [1]</think>It is locked.") == ()


@pytest.mark.parametrize("text", TABLES["no citation"])
def test_what_is_no_citation_is_left_alone(text):
    assert marks(text) == ()


@given(st.text(alphabet="[]12,- `\nax(0", max_size=80))
def test_marks_never_overlap(text):
    spans = [(mark.start, mark.end) for mark in marks(text)]
    assert all(a < b for a, b in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    reference_entries(text)


def test_a_long_row_of_numbers_takes_no_longer_than_its_length():
    assert marks("[" + "1," * 200_000) == ()


@pytest.mark.parametrize("title", ["Sources:", "## References", "**Sources:**", "Works cited"])
def test_the_entries_of_a_reference_list(title):
    text = f"It closed [1].\n\n{title}\n\n[1] handbook.pdf, chunk 3\n- [2] other.pdf\n"
    entries = [text[start:end] for start, end in reference_entries(text)]
    assert entries == ["[1] handbook.pdf, chunk 3", "- [2] other.pdf"]


def test_a_reference_list_in_one_line():
    text = "It closed [1].\n**Sources:** [1] a.pdf, [2] b.pdf"
    assert [text[a:b] for a, b in reference_entries(text)] == ["**Sources:** [1] a.pdf, [2] b.pdf"]


@pytest.mark.parametrize(
    "line", ["Source: handbook.pdf", "**Sources:** KB-12, rules.md", "Source: House Rules of 2024"]
)
def test_a_line_names_sources_without_marks(line):
    assert [*reference_entries(f"It closed.\n\n{line}")] == [(12, 12 + len(line))]


@pytest.mark.parametrize("line", ["Source: the mill closed in 1950", "Sources: It cost 30 euros."])
def test_a_sentence_behind_such_a_title_is_no_entry(line):
    assert reference_entries(line) == ()


def test_a_list_ends_where_something_else_begins():
    text = "Sources:\n[1] a.pdf\nIt closed.\n[2] opened later."
    assert [text[a:b] for a, b in reference_entries(text)] == ["[1] a.pdf"]


def test_a_source_may_hold_numbered_passages():
    assert is_labelled("Passage 1: a\npassage 3: b", 3)
    assert is_labelled("[3] The mill", 3)
    assert not is_labelled("Passage 13 and [30], 3 mills", 3)
