import json
import os
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference import embedding
from inference.embedding import TextTokenizer, get_embedder
from inference.errors import ModelError
from inference.runtime import readable
from tests.commands import python


class Fake:
    model_id = "fake"
    dimensions = 2


@pytest.fixture
def loads(monkeypatch):
    """Count how often a model is loaded."""
    process_ids = []

    def load(*_args, **_settings):
        process_ids.append(os.getpid())
        return Fake()

    monkeypatch.setattr(embedding, "load", load)
    monkeypatch.setattr(embedding, "_shared", {})
    return process_ids


def test_the_model_is_loaded_once_for_all_threads(loads, tmp_path):
    embedders = []
    threads = [
        threading.Thread(target=lambda: embedders.append(get_embedder("m", tmp_path)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(loads) == 1
    assert len(embedders) == 8
    assert len(set(map(id, embedders))) == 1


def test_other_settings_are_another_embedder(loads, tmp_path):
    embedder = get_embedder("m", tmp_path)
    assert embedder is not get_embedder("m", tmp_path, threads=2)
    assert embedder is not get_embedder("n", tmp_path)


def test_a_failed_load_is_tried_again(loads, tmp_path, monkeypatch):
    def fail(*_args, **_settings):
        raise ModelError("gone", "bring it back")

    working = embedding.load
    monkeypatch.setattr(embedding, "load", fail)
    with pytest.raises(ModelError, match="bring it back"):
        get_embedder("m", tmp_path)
    monkeypatch.setattr(embedding, "load", working)
    assert get_embedder("m", tmp_path).dimensions == 2


def test_a_forked_child_loads_its_own(loads, tmp_path):
    assert get_embedder("m", tmp_path).model_id == "fake"
    child = os.fork()
    if child == 0:
        is_loaded = get_embedder("m", tmp_path).model_id == "fake" and len(loads) == 2
        os._exit(0 if is_loaded else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_threads_are_at_least_one(tmp_path):
    with pytest.raises(ValueError, match="at least 1"):
        get_embedder("m", tmp_path, threads=0)


def test_a_missing_model_says_which_command_makes_it(tmp_path):
    with pytest.raises(ModelError, match=r"python -m inference\.export"):
        get_embedder("m", tmp_path).embed(["a"])


def test_importing_the_door_loads_no_machine_learning():
    heavy = "{'torch', 'transformers', 'sentence_transformers', 'onnxruntime', 'onnx'}"
    code = f"import sys, inference.embedding; sys.exit(bool({heavy} & set(sys.modules)))"
    python("-c", code)


TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "b", "##a", "##b"]


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import BertProcessing

    tokenizer = Tokenizer(
        WordPiece({word: at for at, word in enumerate(TOKENS)}, unk_token="[UNK]")
    )
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
    tokens = tokenizer.encode(text)
    assert (tokens.ids, tokens.truncated) == (ids, truncated)
    assert tokenizer.counts([text]) == [count]


@given(text=st.text(st.sampled_from("ab  \n"), max_size=900))
def test_truncated_means_more_tokens_than_the_window(tokenizer, text):
    tokens = tokenizer.encode(text)
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
