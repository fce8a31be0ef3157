"""Claims and their words, as the judge reads them."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.errors import ModelError
from inference.judge.reading import Reader
from tests.unit.inference.handmade import tokenizer_file


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    return Reader(tokenizer_file(tmp_path_factory.mktemp("reading")))


def test_words_carry_code_points_of_the_claim(reader: Reader) -> None:
    claim = "🙂 unbad会."
    words = reader.claim(claim).words
    assert [claim[word.start : word.end] for word in words] == ["🙂", "unbad会", "."]


def test_words_of_several_tokens_span_them(reader: Reader) -> None:
    (word,) = reader.claim("unbada").words
    assert (word.start, word.end, word.last - word.first) == (0, 6, 3)


def test_offsets_count_in_the_claim_as_given_also_with_halves_of_characters(
    reader: Reader,
) -> None:
    claim = "\ud83d\ude42 no \ud800 yes"
    words = reader.claim(claim).words
    parts = [claim[word.start : word.end] for word in words]
    assert parts == ["\ud83d\ude42", "no", "\ud800", "yes"]


@given(st.text(max_size=40))
def test_words_lie_in_the_claim_one_after_another(reader: Reader, claim: str) -> None:
    words = reader.claim(claim).words
    assert all(0 <= word.start < word.end <= len(claim) for word in words)
    assert all(a.end <= b.start and a.last <= b.first for a, b in pairwise(words))


def test_a_broken_tokenizer_is_told(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{")
    with pytest.raises(ModelError, match="cannot be read"):
        Reader(tmp_path / "tokenizer.json")
