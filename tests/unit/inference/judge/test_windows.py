"""Places at which sources are cut for the judge, and the windows read within the budget."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.engine.evidence.records import as_text, verbalise
from inference.judge.windows import Window, cut, select

NUMBERS: dict[str, int] = {}


def encode(text: str) -> list[int]:
    """Return a number for each word."""
    return [NUMBERS.setdefault(word, len(NUMBERS)) for word in text.lower().split()]


def texts(source: str, size: int) -> list[str]:
    return [source[window.start : window.end] for window in cut([source], encode, size)]


def test_prose_is_cut_where_a_window_is_full() -> None:
    source = "The ferry sails at nine. The museum tour takes an hour. It costs 40 pounds."
    windows = cut([source], encode, 13)
    assert texts(source, 13) == [
        "The ferry sails at nine. The museum tour takes an hour.",
        "It costs 40 pounds.",
    ]
    assert [window.leans for window in windows] == [False, True]


def test_an_item_of_a_record_is_not_cut_in_two() -> None:
    record = {
        "name": "Harbour",
        "events": [
            {"kind": "Regatta", "place": {"pier": "North pier"}},
            {"kind": "Market", "place": {"pier": "South pier"}},
        ],
    }
    verbal = verbalise(as_text(record))
    assert texts(verbal.text, 12) == [
        "name: Harbour.\nevents: kind: Regatta.\nevents, Regatta, place: pier: North pier.",
        "events: kind: Market.\nevents, Market, place: pier: South pier.",
    ]


def test_a_value_of_a_record_too_long_for_a_window_leans_on_its_beginning() -> None:
    line = "events 1, text: The race was long. The wind was strong. The crew was tired."
    first, second = cut([f"name: Harbour.\n{line}"], encode, 12)
    assert not first.leans
    assert second.leans


def test_a_window_of_a_record_is_not_cut_short_below_a_quarter_of_its_room() -> None:
    lines = ["a: x.", *(f"b, c {at}: y y y." for at in range(9))]
    assert len(cut(["\n".join(lines)], encode, 24)[0].ids) > 24 // 4


def test_the_first_sentence_of_a_source_leans_on_no_other_source() -> None:
    windows = cut(["The ferry sails at nine.", "It costs 40 pounds."], encode, 5)
    assert [window.leans for window in windows] == [False, False]


@given(
    st.lists(st.sampled_from(["It is so.", "The ferry sails.", "a, b: c.", "\n", "yes; "])),
    st.integers(1, 9),
)
def test_nothing_is_left_out_and_nothing_is_read_twice(parts, size) -> None:
    source = " ".join(parts)
    windows = cut([source], encode, size)
    assert [number for window in windows for number in window.ids] == encode(source)
    assert all(0 < len(window.ids) <= size for window in windows)


@pytest.mark.parametrize("sentence", ["It is so. ", "a, b: c.\n", "a, b: c. ", "\x00\n"])
def test_a_long_text_is_cut_in_linear_time(sentence) -> None:
    """100,000 sentences in a second; anything quadratic would take many minutes."""
    began = process_time()
    cut([sentence * 100_000], lambda text: [] if text == "\x00" else [1, 2, 3])
    assert process_time() - began < 20


FILLER = Window(0, 0, 1, (90, 91, 92, 93))


def test_a_window_that_leans_brings_the_one_before_it() -> None:
    bridge, toll = Window(0, 0, 9, (1, 2, 3, 4)), Window(0, 10, 19, (5, 6, 7, 8), leans=True)
    assert select([FILLER, bridge, toll, FILLER], [[7]], 8) == [bridge, toll]


def test_one_that_does_not_lean_brings_the_next_best() -> None:
    bridge, toll = Window(0, 0, 9, (1, 2, 3, 4)), Window(0, 10, 19, (5, 6, 7, 8))
    other = Window(0, 20, 29, (1, 2, 7, 9))
    assert select([FILLER, bridge, toll, other], [[5, 6, 7]], 8) == [toll, other]


def test_what_a_window_leans_on_is_left_out_above_the_budget() -> None:
    bridge, toll = Window(0, 0, 9, (1, 2, 3, 4)), Window(0, 10, 19, (5, 6, 7, 8), leans=True)
    assert select([FILLER, bridge, toll], [[7]], 7) == [toll]


def test_each_claim_has_its_best_window_read_first() -> None:
    windows = [Window(0, at, at + 1, (at, 50 + at)) for at in range(6)]
    assert select(windows, [[5], [2]], 4) == [windows[2], windows[5]]


def test_windows_that_fit_are_all_read() -> None:
    windows = [Window(0, at, at + 1, (at,)) for at in range(6)]
    assert select(windows, [[5]], 6) == windows
