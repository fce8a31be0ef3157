from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.errors import ModelError
from inference.nli.pairs import PairTokenizer
from tests.unit.inference.nli.handmade import WORDS, tokenizer_file


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    return PairTokenizer(tokenizer_file(tmp_path_factory.mktemp("pairs")), max_tokens=12)


def tokens_of(pair):
    return [WORDS[at] for at in pair.ids]


def test_window_first_then_claim_with_their_types(tokenizer):
    pair = tokenizer.encode("a b", "yes")
    assert tokens_of(pair) == ["[CLS]", "a", "b", "[SEP]", "yes", "[SEP]"]
    assert pair.types == [0, 0, 0, 0, 1, 1]
    assert not pair.truncated


def test_a_long_window_loses_its_end_and_says_so(tokenizer):
    pair = tokenizer.encode("a " * 7 + "b", "yes no")
    assert tokens_of(pair) == ["[CLS]", *["a"] * 7, "[SEP]", "yes", "no", "[SEP]"]
    assert pair.truncated
    exact = tokenizer.encode("a " * 7, "yes no")
    assert len(exact.ids) == 12
    assert not exact.truncated


def test_a_very_long_claim_leaves_room_for_the_window(tokenizer):
    pair = tokenizer.encode("a b a b", "yes " * 20)
    assert tokens_of(pair) == ["[CLS]", "a", "b", "[SEP]", *["yes"] * 7, "[SEP]"]
    assert pair.truncated
    assert len(pair.words) == 7


def test_a_huge_window_is_not_read_to_its_end(tokenizer):
    pair = tokenizer.encode("a " * 500_000, "yes")
    assert len(pair.ids) == 12
    assert pair.truncated


def test_a_long_text_of_few_tokens_is_read_whole(tokenizer):
    pair = tokenizer.encode("a" + " " * 1000 + "b", "yes")
    assert tokens_of(pair) == ["[CLS]", "a", "b", "[SEP]", "yes", "[SEP]"]
    assert not pair.truncated


def test_words_carry_code_points_of_the_claim(tokenizer):
    claim = "🙂 unbad会."
    words = tokenizer.encode("a b a b", claim).words
    assert [claim[word.start : word.end] for word in words] == ["🙂", "unbad会", "."]


def test_words_of_several_tokens_span_them(tokenizer):
    (word,) = tokenizer.encode("a", "unbada").words
    assert (word.start, word.end, word.last - word.first) == (0, 6, 3)


def test_offsets_count_in_the_claim_as_given_also_with_halves_of_characters(tokenizer):
    claim = "\ud83d\ude42 no \ud800 yes"
    words = tokenizer.encode("a", claim).words
    assert [claim[word.start : word.end] for word in words] == [
        "\ud83d\ude42",
        "no",
        "\ud800",
        "yes",
    ]


@given(st.text(max_size=40), st.text(max_size=40))
def test_never_too_long_and_truncated_only_where_something_is_missing(tokenizer, window, claim):
    pair = tokenizer.encode(window, claim)
    assert len(pair.ids) == len(pair.types) <= 12
    length = sum(tokenizer.counts([window, claim])) + 3
    assert pair.truncated == (length > 12)
    assert all(0 <= w.start < w.end <= len(claim) for w in pair.words)
    assert all(a.end <= b.start and a.last <= b.first for a, b in pairwise(pair.words))


def test_a_broken_tokenizer_is_told(tmp_path):
    (tmp_path / "tokenizer.json").write_text("{")
    with pytest.raises(ModelError, match="cannot be read"):
        PairTokenizer(tmp_path / "tokenizer.json", 12)
