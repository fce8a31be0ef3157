"""HTML that a browser does not show is blanked out in place; entities are decoded."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lib.text.markup import decode, without_comments, without_hidden, without_page_heads
from tests.tables import tables

TABLES = tables(__file__)


@pytest.mark.parametrize("hidden", TABLES["hidden"])
def test_what_is_hidden_is_blank(hidden: str) -> None:
    text = f"It is 4. {hidden} It is 6."
    shown = without_hidden(text)
    assert len(shown) == len(text)
    assert shown.split() == ["It", "is", "4.", "It", "is", "6."]


@pytest.mark.parametrize(
    "text",
    ["<p>It is 5.</p>", '<p style="font-size: 0.8em">It is 5.</p>', "5 < 6 > 4", "<p hidden>open"],
)
def test_what_is_shown_stays(text: str) -> None:
    assert without_hidden(text) == text


def test_a_line_that_each_page_repeats_cuts_no_sentence() -> None:
    heads = [f"Ferry rules 2026 - page {number} of 2" for number in (1, 2)]
    text = f"{heads[0]}\n\nBikes are stowed below the\n\n{heads[1]}\n\nbridge. Dogs stay on deck.\n"
    shown = without_page_heads(text)
    assert len(shown) == len(text)
    assert [each.strip() for each in shown.splitlines() if each.strip()] == [
        f"Bikes are stowed below the{' ' * (len(heads[1]) + 4)}bridge. Dogs stay on deck."
    ]
    assert without_page_heads("See page 4 of the map.\n") == "See page 4 of the map.\n"


@given(st.text("<>/p hidenscrt=\"':;0-", max_size=200))
def test_every_character_keeps_its_place(text: str) -> None:
    assert len(without_hidden(text)) == len(text)


PAGES = (
    "Handbook – Page 1",
    "Page 2 of 9",
    "p. 3",
    "Below the",
    "bridge.",
    "\n",
    "\n\n",
    "\f",
    " ",
)


@given(st.lists(st.sampled_from(PAGES), max_size=14).map("".join))
@example("Handbook – Page 1\n\x0cHandbook – Page 1")
def test_a_page_head_leaves_every_other_character_in_its_place(text: str) -> None:
    shown = without_page_heads(text)
    assert len(shown) == len(text)
    assert all(new in (old, " ") for new, old in zip(shown, text, strict=True))


def test_entities_are_decoded_and_offsets_stay() -> None:
    text = "At &#50;&#x30; feet &amp; more"
    decoded = decode(text)
    tokens = decoded.tokens()
    assert decoded.text == "At 20 feet & more"
    at = tokens.words.index("20")
    assert text[tokens.starts[at] : tokens.ends[at]] == "&#50;&#x30;"
    assert text[tokens.starts[-1] : tokens.ends[-1]] == "more"


def test_a_bare_ampersand_is_left_alone() -> None:
    text = "Marks & Spencer; R&D;"
    assert decode(text).text == text
    assert decode(text).offsets == ()


def test_sentences_are_those_of_the_text_as_written() -> None:
    text = "It opens at &#55;. It closes at 9."
    assert [
        text[sentence.start : sentence.end].strip() for sentence in decode(text).sentences()
    ] == ["It opens at &#55;.", "It closes at 9."]


def test_comments_are_blanked_out_in_place() -> None:
    text = "Ten.<!-- Twenty -->\nEnd.<!-- open"
    plain = without_comments(text)
    assert plain.split() == ["Ten.", "End."]
    assert len(plain) == len(text)
    assert plain.index("End") == text.index("End")


PIECES = (
    "300", " ", "m", "**", "$", "\\text{", "}", "&#50;", "<b>", "</b>", "[1]", "](http://a.b)", "[",
    "\u200b", "½", "⁵", "①", "\n", "10^4", "1 000", "\ud800", "Тa", "e\u0301", "<br>", "(five)",
    "5",
)  # fmt: skip


@pytest.mark.parametrize(("written", "read"), TABLES["read"])
def test_a_text_is_read_as_it_looks(written: str, read: str) -> None:
    assert decode(written).text == read


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_every_token_stands_where_it_was_written(text: str) -> None:
    decoded = decode(text)
    tokens = decoded.tokens()
    assert tokens.starts == sorted(tokens.starts)
    assert all(
        0 <= start < end <= len(text) for start, end in zip(tokens.starts, tokens.ends, strict=True)
    )
    assert not decoded.offsets or len(decoded.offsets) == len(decoded.text) + 1


def test_a_token_ends_before_the_marks_that_follow_it() -> None:
    text = "The tower is **300** m high."
    tokens = decode(text).tokens()
    at = tokens.words.index("300")
    assert text[tokens.starts[at] : tokens.ends[at]] == "300"


def test_quotes_inside_of_quotes_end_in_their_text() -> None:
    (sentence,) = decode(f"{'> ' * 5_000}It opened.").sentences()
    assert sentence.start == 10_000
