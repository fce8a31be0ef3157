import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.errors import ModelError
from inference.rerank import PairTokenizer
from tests.unit.inference.handmade import WORDS, tokenizer_file


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    return PairTokenizer(tokenizer_file(tmp_path_factory.mktemp("pairs")), max_tokens=12)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return one that cuts nothing of a short text."""
    return PairTokenizer(tokenizer_file(tmp_path_factory.mktemp("whole")), max_tokens=500)


def tokens_of(pair):
    return [WORDS[at] for at in pair.ids]


def test_query_first_then_passage_with_their_types(tokenizer):
    pair = tokenizer.encode("a b", "yes")
    assert tokens_of(pair) == ["[CLS]", "a", "b", "[SEP]", "yes", "[SEP]"]
    assert pair.types == [0, 0, 0, 0, 1, 1]
    assert not pair.truncated


def test_a_long_query_loses_its_end_and_says_so(tokenizer):
    pair = tokenizer.encode("a " * 7 + "b", "yes no")
    assert tokens_of(pair) == ["[CLS]", *["a"] * 7, "[SEP]", "yes", "no", "[SEP]"]
    assert pair.truncated
    exact = tokenizer.encode("a " * 7, "yes no")
    assert len(exact.ids) == 12
    assert not exact.truncated


def test_a_very_long_passage_leaves_room_for_the_query(tokenizer):
    pair = tokenizer.encode("a b a b", "yes " * 20)
    assert tokens_of(pair) == ["[CLS]", "a", "b", "[SEP]", *["yes"] * 7, "[SEP]"]
    assert pair.truncated


def test_a_huge_query_is_not_read_to_its_end(tokenizer):
    pair = tokenizer.encode("a " * 500_000, "yes")
    assert len(pair.ids) == 12
    assert pair.truncated


def test_a_long_text_of_few_tokens_is_read_whole(tokenizer):
    pair = tokenizer.encode("a" + " " * 1000 + "b", "yes")
    assert tokens_of(pair) == ["[CLS]", "a", "b", "[SEP]", "yes", "[SEP]"]
    assert not pair.truncated


@given(st.text(max_size=40), st.text(max_size=40))
def test_never_too_long_and_truncated_only_where_something_is_missing(
    tokenizer, whole, query, passage
):
    pair = tokenizer.encode(query, passage)
    assert len(pair.ids) == len(pair.types) <= 12
    assert pair.truncated == (len(whole.encode(query, passage).ids) > 12)


def test_a_broken_tokenizer_is_told(tmp_path):
    (tmp_path / "tokenizer.json").write_text("{")
    with pytest.raises(ModelError, match="cannot be read"):
        PairTokenizer(tmp_path / "tokenizer.json", 12)
