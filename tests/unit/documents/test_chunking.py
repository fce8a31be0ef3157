"""Chunks: they cover the text, get on, end at pauses, and part no number from its unit."""

import re
import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from documents.chunking import chunk, table_head
from documents.parsing.types import PageSpan

# The machine may be busy.
relaxed = settings(deadline=None, max_examples=2 * settings.default.max_examples)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=300) | st.text(
    st.sampled_from("ab1 \n.,。，風\u0301\u200d\u00a0$°%"), max_size=400
)
SIZES = st.tuples(st.integers(1, 60), st.floats(0, 0.5)).map(
    lambda pair: (pair[0], int(pair[0] * pair[1]))
)
QUANTITIES = [
    *(
        "38 km/h", "1 200 mm", "$ 5.2 million", "10 °C", "25 percent", "25 per cent", "5 %",
        "10 ° C",
    ),
    *(
        "1 000 000 kg", "5 to 10 km", "38 - 50 km/h", "6 square feet", "six feet",
        "twenty-five tonnes",
    ),
    *(
        "400 psi", "20 kN / m", "60 miles per hour", "€ 3 billion", "5 1/2 inches",
        "USD 12 thousand",
    ),
    *("2.5 degrees Celsius", "1,000 volts", "3 × 10 m", "38\u00a0km/h", "38\nkm/h", "4 sq. ft."),
    *("(38 km/h)", "Rs. 500", "10⁻⁹ m", "½ inch", "two hundred metres", "80 decibels"),
]  # fmt: skip
WORDS = st.sampled_from(
    ["the", "Ladder", "shall", "be", "secured.", "Workers,", "wind;", "end.\n\n", "row\n", "a"]
)


def texts_of(spans, text):
    return [text[span.start : span.end] for span in spans]


@relaxed
@given(TEXTS, SIZES)
def test_covers_gets_on_and_keeps_to_the_size(text, sizes):
    size, overlap = sizes
    spans = chunk(text, size=size, overlap=overlap)
    covered = set()
    for span in spans:
        assert 0 < span.end - span.start <= size
        assert not text[span.start].isspace()
        assert not text[span.end - 1].isspace()
        covered.update(range(span.start, span.end))
    assert covered >= {at for at, char in enumerate(text) if not char.isspace()}
    for first, second in pairwise(spans):
        assert second.start > first.start
        assert second.end > first.end
        assert first.end - second.start <= overlap
    assert [span.ordinal for span in spans] == list(range(len(spans)))
    assert {span.total for span in spans} <= {len(spans)}


@relaxed
@given(st.lists(st.sampled_from(QUANTITIES) | WORDS, min_size=60, max_size=300), st.data())
def test_never_parts_a_number_from_its_unit(pieces, data):
    size = data.draw(st.integers(160, 500))
    text = ""
    protected = []
    for piece in pieces:
        # A unit before a number ("m" before "5 to 10 km") may join it; a word stands between.
        if piece in QUANTITIES:
            protected.append((len(text), len(text) + len(piece)))
            piece += " and so"
        text += piece + " "
    for span in chunk(text, size=size, overlap=size // 6):
        for edge in (span.start, span.end):
            parted = [text[a:b] for a, b in protected if a < edge < b]
            assert not parted, (parted, text[edge - 20 : edge], text[edge : edge + 20])


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("before", range(440, 501, 5))
def test_a_quantity_at_the_edge_stays_whole(quantity, before):
    filler = ("word " * 200)[: before - before % 5]
    text = f"{filler}{quantity} {filler}"
    start, end = len(filler), len(filler) + len(quantity)
    assert all(not start < edge < end for span in chunk(text) for edge in (span.start, span.end))


def test_ends_where_a_reader_would_pause():
    filler = "word " * 80
    paragraph = chunk(f"{filler}end.\n\nNext one. Then {filler}")[0]
    sentence = chunk(f"{filler}end. Next one {filler}")[0]
    line = chunk(f"{filler}end\nnext one {filler}")[0]
    assert {paragraph.end, sentence.end} == {len(filler) + 4}
    assert line.end == len(filler) + 3


@pytest.mark.parametrize("short", ["e.g.", "Fig.", "No.", "J.", "approx."])
def test_an_abbreviation_ends_no_sentence(short):
    filler = "word " * 70
    text = f"{filler}{short} Smith {filler}"
    assert text[: chunk(text)[0].end].endswith("word")


def test_chinese_ends_at_a_full_stop():
    text = "风速超过每秒十米时必须停止高处作业。" * 100
    assert all(part.endswith("。") for part in texts_of(chunk(text), text))


def test_a_table_of_figures_is_cut_between_rows_or_figures():
    text = "100 200 300 400 " * 200
    spans = chunk(text)
    assert len(spans) > 5
    assert all(re.fullmatch(r"(\d{3} )*\d{3}", part) for part in texts_of(spans, text))


def test_an_endless_word_and_combining_marks():
    assert [span.end - span.start for span in chunk("a" * 1200, overlap=0)] == [500, 500, 200]
    accented = "e\u0301" * 2000
    assert not any(part.startswith("\u0301") for part in texts_of(chunk(accented), accented))


@pytest.mark.parametrize("text", ["", " ", "\n\n\t\u2028"])
def test_nothing_gives_nothing(text):
    assert chunk(text) == []


def test_a_short_text_is_one_chunk():
    (only,) = chunk("  Ladders. \n")
    assert (only.start, only.end, only.ordinal, only.total, only.page) == (2, 10, 0, 1, None)


@pytest.mark.parametrize(
    ("first", "second", "gap", "last_of_first", "begins"),
    [
        ("First page. " * 30 + "End.", "Second page. " * 60, "\n\n", 1, "Second page."),
        ("First page. " * 30 + "It goes", "on here. " + "Second page. " * 60, " ", 2, "It goes on"),
    ],
)
def test_only_a_sentence_over_a_page_break_is_on_two_pages(
    first, second, gap, last_of_first, begins
) -> None:
    text = f"{first}{gap}{second}"
    at = len(first) + len(gap)
    spans = chunk(text, (PageSpan(1, 0, len(first)), PageSpan(2, at, len(text))))
    over = [span for span in spans if (span.page, span.last_page) == (1, 2)]
    assert len(over) == last_of_first - 1
    assert sum(text[span.start :].startswith(begins) for span in spans if span.end > at) >= 1
    assert {(span.page, span.last_page) for span in spans} - {(1, 2)} == {(1, 1), (2, 2)}
    assert text[spans[-1].end :].strip() == ""


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (10, 6), (10, -1)])
def test_sizes_that_make_no_sense(size, overlap):
    with pytest.raises(ValueError, match="overlap"):
        chunk("text", size=size, overlap=overlap)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "1" * 400_000,
            "one " * 100_000,
            "100 " * 100_000,
            " \n" * 200_000 + "a",
            "\u0301" * 400_000,
        ),
        *(
            (" " * 90 + "ab") * 4_000,
            "." * 400_000,
            ". " * 200_000,
            "\n\n1" * 150_000,
            "$ " * 200_000,
        ),
    ],
    ids=lambda text: repr(text[:4]),
)
def test_hostile_texts_take_linear_time(text):
    began = time.process_time()
    chunk(text)
    assert time.process_time() - began < 4


def test_no_chunk_begins_inside_a_row():
    rows = [f"Berth {n} | {n * 7} euros a night | water and power" for n in range(60)]
    text = "Berth | Fee | With it\n" + "\n".join(rows)
    starts = [text[span.start :].split("\n")[0] for span in chunk(text)]
    assert len(starts) > 4
    assert set(starts[1:]) <= set(rows)


ROOMS = "\n".join(f"Room {n} | {n} m² | {2 * n} euros" for n in range(100, 140))


def test_each_chunk_of_a_table_begins_with_a_row_and_has_its_head():
    text = f"Rooms to let\nRoom | Area | Rent\n{ROOMS}\n\nThe rent is paid in advance."
    spans = chunk(text)
    assert len(spans) == 3
    for span in spans[1:]:
        assert text[span.start - 1] == "\n", "no chunk begins inside a row"
        assert table_head(text, span.start) == "Room | Area | Rent"
    assert table_head(text, spans[0].start) == ""


@pytest.mark.parametrize(
    "text",
    [
        "A | B\n1 | 2\n\nC | D",
        "No table.\nC | D",
        "A | B\nNo table.\nC | D",
        f"A | {'x' * 400}\nC | D",
        "A | B\nC and D",
    ],
)
def test_what_begins_no_table_or_goes_on_none_has_no_head(text):
    assert table_head(text, text.index("C ")) == ""


@pytest.mark.parametrize("last", ["{n}", "type {n}", "Call us. Do not refill it", "costs 5"])
def test_no_chunk_of_a_table_begins_or_ends_inside_a_row(last) -> None:
    rows = [f"R{n:03} | floor {n % 7} | Read it. Then wait | {last.format(n=n)}" for n in range(90)]
    text = "\n".join(["Room | Floor | Rule | Note", *rows])
    spans = chunk(text)
    assert len(spans) > 5
    for span in spans:
        assert set(text[span.start : span.end].split("\n")) <= set(text.split("\n"))
        assert table_head(text, span.start) == ("Room | Floor | Rule | Note" if span.start else "")
