import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.errors import ModelError
from inference.tokens import TextTokenizer, readable

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "b", "##a", "##b"]


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import BertProcessing

    tokenizer = Tokenizer(WordPiece({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.enable_padding(length=20)
    tokenizer.enable_truncation(4)
    file = tmp_path_factory.mktemp("tokenizer") / "tokenizer.json"
    tokenizer.save(str(file))
    return TextTokenizer(file, max_tokens=8)


@pytest.mark.parametrize(
    ("text", "count", "ids", "truncated"),
    [
        ("", 2, [2, 3], False),
        ("a b", 4, [2, 4, 5, 3], False),
        ("a " * 6, 8, [2, 4, 4, 4, 4, 4, 4, 3], False),
        ("a " * 7, 9, [2, 4, 4, 4, 4, 4, 4, 3], True),
        ("a " * 5000, 5002, [2, 4, 4, 4, 4, 4, 4, 3], True),
        (" " * 5000 + "b", 3, [2, 5, 3], False),
        ("a" * 10_000, 3, [2, 1, 3], False),
    ],
)
def test_what_is_read_and_what_is_not(tokenizer, text, count, ids, truncated):
    (tokens,) = tokenizer.encode([text])
    assert (tokens.ids, tokens.truncated) == (ids, truncated)
    assert tokenizer.counts([text]) == [count]


@given(text=st.text(st.sampled_from("ab  \n"), max_size=900))
def test_truncated_means_more_tokens_than_the_window(tokenizer, text):
    (tokens,) = tokenizer.encode([text])
    assert tokens.truncated == (tokenizer.counts([text])[0] > 8)
    assert len(tokens.ids) <= 8


@given(st.text(st.characters(exclude_categories=[])))
def test_any_text_becomes_readable(text):
    readable(text).encode()


def test_surrogates_are_joined_or_replaced():
    assert readable("\ud83d\ude00 \ud800 \udc00x") == "😀 \ufffd \ufffdx"
    assert readable("plain") == "plain"


@pytest.mark.parametrize("content", ["", "{}", json.dumps({"version": "9"})])
def test_a_broken_tokenizer_is_told(tmp_path, content):
    file = tmp_path / "tokenizer.json"
    file.write_text(content)
    with pytest.raises(ModelError, match="cannot be read"):
        TextTokenizer(file, max_tokens=8)
