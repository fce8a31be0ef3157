"""Edits: made together, and where spans lie afterwards."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.engine.response.edits import (
    Edit,
    Unit,
    apply,
    move_spans,
    subject_to_restore,
    without_overlaps,
)


def test_put_in_take_out_and_replace():
    edits = [Edit(4, 7, "cat"), Edit(0, 0, "See "), Edit(7, 7, "!"), Edit(8, 12)]
    assert apply("the dog ran away", edits) == "See the cat! away"


def test_edits_of_one_place_stay_in_order():
    assert apply("ab", [Edit(1, 1, "x"), Edit(1, 1, "y"), Edit(1, 2)]) == "axy"


def test_overlapping_edits_are_refused():
    with pytest.raises(ValueError, match="overlap at 2"):
        apply("abcdef", [Edit(0, 3), Edit(2, 4)])


def test_what_is_put_in_at_a_border_stays_outside():
    edits = [Edit(4, 4, "<"), Edit(7, 7, ">")]
    [span] = move_spans([(4, 7)], edits)
    assert apply("the dog ran", edits)[slice(*span)] == "dog"


def test_without_overlaps_keeps_what_touches_nothing():
    first = [Edit(2, 5), Edit(8, 8, "x")]
    further = [Edit(2, 2, "a"), Edit(3, 3, "b"), Edit(5, 6), Edit(4, 6), Edit(7, 9), Edit(8, 9)]
    edits = without_overlaps(first, further)
    assert edits == [*first, Edit(2, 2, "a"), Edit(5, 6), Edit(8, 9)]


@pytest.mark.parametrize("subject", ["the mill", "it"])
@pytest.mark.parametrize(
    ("removed", "restored"),
    [
        ("with effort it opened", "it"),
        ("with effort it was closed", None),
        ("so they left", "they"),
    ],
)
def test_a_subject_is_restored_from_its_whole_word(subject, removed, restored):
    answer = f"{removed} and sold"
    rest = Unit(len(removed) + 5, len(answer), subject)
    assert subject_to_restore(answer, (0, len(removed)), rest) == restored


@given(st.data())
def test_spans_between_edits_keep_their_text(data):
    text = data.draw(st.text(max_size=40))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8, unique=True)))
    borders = [0, *cuts, len(text)]
    spans = list(zip(borders[::2], borders[1::2], strict=False))
    holes = list(zip(borders[1::2], borders[2::2], strict=False))
    edits = [Edit(start, end, data.draw(st.text(max_size=3))) for start, end in holes]
    changed = apply(text, edits)
    for old, new in zip(spans, move_spans(spans, edits), strict=True):
        assert changed[slice(*new)] == text[slice(*old)]
