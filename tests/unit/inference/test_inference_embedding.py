import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from inference import embedding, loading
from inference.embedding import get_embedder
from inference.errors import ModelError

CHECKOUT = Path(__file__).resolve().parents[3]


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

    monkeypatch.setattr(loading, "load", load)
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

    working = loading.load
    monkeypatch.setattr(loading, "load", fail)
    with pytest.raises(ModelError, match="bring it back"):
        get_embedder("m", tmp_path)
    monkeypatch.setattr(loading, "load", working)
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
    subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, check=True)
