"""Tokens, sentences and blocks: nothing lost, nothing doubled, offsets in code points."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lib.text.blocks import BlockKind, blocks
from lib.text.sentences import sentences
from lib.text.tokens import _ASCII_TOKEN, _TOKEN, CJK, tokenize
from tests.tables import tables

TABLES = tables(__file__)

MESSY = st.text(st.sampled_from("aAé .!?\n\t\"“”'’()[]1٣,;:-*#|中。ा🙂\u200d\u2028\ud800İß_`>"))


@given(st.text() | MESSY)
@example("It’s 3.5 km.")
def test_tokens_hold_every_character_but_spaces(text):
    tokens = tokenize(text)
    assert "".join(tokens.words) == "".join(char for char in text if not char.isspace())
    for at, word in enumerate(tokens.words):
        assert text[tokens.starts[at] : tokens.ends[at]] == word


@given(st.text(st.characters(max_codepoint=127)) | st.text(st.sampled_from("a1 .,$-(\x1c\n")))
def test_both_patterns_agree_on_ascii(text):
    def spans(pattern):
        return [(match.span(), match.lastindex) for match in pattern.finditer(text)]

    assert spans(_ASCII_TOKEN) == spans(_TOKEN)


@pytest.mark.parametrize(("text", "words"), [(first, rest) for first, *rest in TABLES["words"]])
def test_words(text, words):
    assert tokenize(text).words == words


def test_ideographs_are_known_as_such():
    assert tokenize("公司").kinds == [CJK, CJK]


@given(st.text() | MESSY)
@example("“" * 5000)
@example("1.\u2028A. B")
def test_sentences_are_in_order_and_hold_every_word(text):
    last, inside = 0, set()
    for sentence in sentences(text):
        assert last <= sentence.start < sentence.end <= len(text)
        last = sentence.end
        inside.update(range(sentence.start, sentence.end))
    for at, char in enumerate(text):
        # List markers, fences and heading signs stand outside; letters never do, but
        # for the lettered marker of a list item ("a) ") and a fence's language.
        if char.isalpha() and "`" not in text and ")" not in text and "." not in text:
            assert at in inside


def cut(text):
    return [text[sentence.start : sentence.end].strip() for sentence in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"), [(first, rest) for first, *rest in TABLES["sentence boundaries"]]
)
def test_sentence_boundaries(text, expected):
    assert cut(text) == expected


def test_block_kinds():
    text = (
        "# Head\n\nProse.\n\n- item\n1. two\n\n| a | b |\n|---|---|\n| c | d |\n\n```\ncode\n```\n"
    )
    kinds = [block.kind for block in blocks(text)]
    assert kinds == [
        BlockKind.HEADING,
        BlockKind.PROSE,
        BlockKind.ITEM,
        BlockKind.ITEM,
        BlockKind.TABLE_HEAD,
        BlockKind.ROW,
        BlockKind.CODE,
    ]


def test_a_panic_of_the_segmenter_costs_only_the_cut(monkeypatch):
    class PanicException(BaseException):
        pass

    def panic(language, text):
        raise PanicException

    monkeypatch.setattr("lib.text.sentences.sentencex.get_sentence_boundaries", panic)
    assert cut("One. Two.") == ["One. Two."]
