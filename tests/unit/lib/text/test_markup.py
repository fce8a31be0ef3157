"""What a browser does not show of HTML is blanked out in its place; entities are read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.text.markup import without_comments, without_hidden
from lib.text.rendering import decode


@pytest.mark.parametrize(
    "hidden",
    [
        '<span style="display:none">It is 5.</span>', "<p hidden>It is 5.</p>",
        '<p style="color: red; font-size: 0">It is 5.</p>', "<template>It is 5.</template>",
        '<div aria-hidden="true">It is 5.</div>', "<script>// It is 5.</script>",
        "<style>/* It is 5. */</style>", '<meta name="description" content="It is 5.">',
        '<input type="hidden" value="It is 5.">', '<img alt="It is 5.">',
        '<p style="visibility: hidden">It is 5.</p>',
    ],
)  # fmt: skip
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


@given(st.text("<>/p hidenscrt=\"':;0-", max_size=200))
def test_every_character_keeps_its_place(text: str) -> None:
    assert len(without_hidden(text)) == len(text)


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
    ] == [
        "It opens at &#55;.",
        "It closes at 9.",
    ]


def test_comments_are_blanked_out_in_place() -> None:
    text = "Ten.<!-- Twenty -->\nEnd.<!-- open"
    plain = without_comments(text)
    assert plain.split() == ["Ten.", "End."]
    assert len(plain) == len(text)
    assert plain.index("End") == text.index("End")
