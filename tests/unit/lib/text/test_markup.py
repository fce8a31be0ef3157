"""What a browser does not show of HTML is blanked out, in its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.text.markup import without_hidden


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
