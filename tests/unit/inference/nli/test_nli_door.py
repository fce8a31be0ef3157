import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from inference import nli
from inference.errors import ModelError
from inference.lazy import Lazy
from inference.nli import Entailment, get_nli, loading
from inference.nli.cache import CachedModel

CHECKOUT = Path(__file__).resolve().parents[4]


class Fake:
    """Answers with the length of the claim, and keeps what it was asked."""

    def __init__(self, model_id="fake"):
        self.model_id = model_id
        self.asked = []

    def score(self, pairs):
        self.asked.append(list(pairs))
        return [Entailment(len(claim) / 100, 0.0, 1 - len(claim) / 100) for _, claim in pairs]


@pytest.fixture
def fake():
    return Fake()


def cached(model, size=10):
    return CachedModel(Lazy(lambda: model), size=size)


@pytest.fixture
def loads(monkeypatch):
    names = []

    def load(name, *_args, **_settings):
        names.append(name)
        return Fake(name)

    monkeypatch.setattr(loading, "load", load)
    monkeypatch.setattr(nli, "_shared", {})
    return names


def test_lexical_means_no_model(loads, tmp_path):
    assert get_nli("lexical", tmp_path) is None
    assert loads == []


def test_the_model_is_opened_on_first_use_and_once(loads, tmp_path):
    first, second = get_nli("m", tmp_path), get_nli("m", tmp_path)
    assert first is second
    assert loads == []
    threads = [threading.Thread(target=lambda: first.score([("a", "b")])) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert loads == ["m"]


def test_other_settings_are_another_model(loads, tmp_path):
    assert get_nli("m", tmp_path) is not get_nli("m", tmp_path, threads=2)
    assert get_nli("m", tmp_path) is not get_nli("n", tmp_path)
    with pytest.raises(ValueError, match="threads"):
        get_nli("m", tmp_path, threads=0)


def test_a_failed_opening_is_told_and_tried_again(loads, tmp_path, monkeypatch):
    def fail(*_args, **_settings):
        raise ModelError("gone", "bring it back")

    working = loading.load
    monkeypatch.setattr(loading, "load", fail)
    model = get_nli("m", tmp_path)
    with pytest.raises(ModelError, match="bring it back"):
        model.score([("a", "b")])
    monkeypatch.setattr(loading, "load", working)
    assert model.score([("a", "b")])[0].entail == 0.01


def test_a_model_that_was_not_prepared_names_the_command(tmp_path):
    (tmp_path / "model").mkdir()
    model = get_nli(str(tmp_path / "model"), tmp_path / "store")
    with pytest.raises(ModelError, match=r"python -m inference\.export --nli"):
        model.score([("a", "b")])


def test_equal_pairs_are_asked_once(fake):
    model = cached(fake)
    first = model.score([("w", "one"), ("w", "three"), ("w", "one")])
    assert fake.asked == [[("w", "one"), ("w", "three")]]
    assert [score.entail for score in first] == [0.03, 0.05, 0.03]
    again = model.score([("w", "three"), ("v", "one"), ("w", "one")])
    assert fake.asked[1:] == [[("v", "one")]]
    assert [score.entail for score in again] == [0.05, 0.03, 0.03]


def test_pairs_that_join_to_the_same_text_are_different(fake):
    model = cached(fake)
    model.score([("ab", "c"), ("a", "bc"), ("", "abc")])
    assert len(fake.asked[0]) == 3


def test_the_least_recently_used_is_forgotten(fake):
    model = cached(fake, size=2)
    model.score([("w", "1")])
    model.score([("w", "2")])
    model.score([("w", "1")])
    model.score([("w", "3")])
    model.score([("w", "1")])
    model.score([("w", "2")])
    assert [pairs[0][1] for pairs in fake.asked] == ["1", "2", "3", "2"]


def test_a_call_larger_than_the_cache_is_answered_whole(fake):
    claims = [str(n) for n in range(50)]
    score = cached(fake, size=3).score([("w", claim) for claim in claims])
    assert [item.entail for item in score] == [len(claim) / 100 for claim in claims]


def test_texts_that_are_not_unicode_have_a_key_too(fake):
    assert len(cached(fake).score([("\ud800", "x"), ("�", "x")])) == 2


def test_importing_the_door_loads_no_model_library():
    code = (
        "import sys, inference.nli\n"
        "heavy = {'torch', 'onnxruntime', 'transformers', 'sentence_transformers', 'onnx',"
        " 'tokenizers', 'numpy'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=CHECKOUT, timeout=60)


def test_a_lazy_object_is_made_anew_in_a_forked_child():
    lazy = Lazy(lambda: [os.getpid()])
    mine = lazy.get()
    child = os.fork()
    if child == 0:
        os._exit(0 if lazy.get() == [os.getpid()] else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert lazy.get() is mine
