"""HTML entities and comments, and the offsets of the text as written."""

from lib.text.entities import without_comments
from lib.text.rendering import decode


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
