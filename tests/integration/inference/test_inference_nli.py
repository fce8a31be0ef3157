"""Classifiers that settings may name: exported, compared, served; torch in child processes only."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from inference import export
from inference.errors import ModelError
from inference.nli import get_nli
from inference.nli.preparing import ensure_nli, nli_folder
from inference.store import read_manifest
from tests.integration.inference.tiny_nli import LABELS, PAIRS

# Children load torch, which takes a minute on a busy machine.
pytestmark = pytest.mark.timeout(900)

CHECKOUT = Path(__file__).resolve().parents[3]
ORDER = {"entailment": "entail", "neutral": "neutral", "contradiction": "contradict"}
SERVE = """
import sys
from pathlib import Path
from inference.nli import get_nli
found = get_nli(sys.argv[1], Path(sys.argv[2])).score([("the bank", "the river")])
heavy = {"torch", "transformers", "sentence_transformers", "onnx"} & set(sys.modules)
assert not heavy, heavy
"""


@pytest.fixture
def root(tiny_nli):
    """Where they are prepared already."""
    return Path(tiny_nli["three"]).parent / "models"


def original(source, kind, label):
    """What transformers makes of PAIRS for one label of ours."""
    names = [ORDER.get(name, "neutral") for name in LABELS[kind]]
    return np.load(f"{source}.npy")[:, names.index(label)]


@pytest.mark.parametrize("kind", ["three", "two", "roberta"])
def test_a_classifier_is_exported_and_agrees_with_the_original(tiny_nli, root, kind):
    source = tiny_nli[kind]
    ensure_nli(source, root)
    model = get_nli(source, root)
    assert model.model_id.startswith(f"{kind}@")
    assert model.model_id.endswith("+int8-per-token-2")
    score = model.score(PAIRS)
    for label in ("entail", "neutral", "contradict")[: len(LABELS[kind])]:
        ours = [getattr(item, label) for item in score]
        assert np.abs(np.array(ours) - original(source, kind, label)).max() < 0.05
    assert [item.truncated for item in score] == [False, False, False, False, True]
    if kind == "two":
        assert {item.contradict for item in score} == {0.0}


def test_what_cannot_be_exported_is_served_by_transformers(tiny_nli, root):
    source = tiny_nli["traceless"]
    ensure_nli(source, root)
    assert "does not run" in read_manifest(nli_folder(root, source)).reason
    model = get_nli(source, root)
    assert model.model_id.endswith("+transformers")
    score = model.score(PAIRS)
    entail = np.array([item.entail for item in score])
    assert np.abs(entail - original(source, "traceless", "entail")).max() < 1e-3
    assert [item.truncated for item in score] == [False, False, False, False, True]
    assert model.score([]) == []


def test_labels_without_names_are_refused_when_the_model_is_prepared(tiny_nli, root, capsys):
    assert export.main(["--nli", "--model", tiny_nli["unnamed"], "--to", str(root)]) == 1
    output = capsys.readouterr().out
    assert "cannot be told" in output
    assert "id2label" in output
    with pytest.raises(ModelError, match="No model is prepared"):
        get_nli(tiny_nli["unnamed"], root).score(PAIRS)


def test_serving_an_exported_model_loads_no_torch(tiny_nli, root):
    ensure_nli(tiny_nli["three"], root)
    command = [sys.executable, "-c", SERVE, tiny_nli["three"], str(root)]
    process = subprocess.run(
        command, check=False, cwd=CHECKOUT, capture_output=True, text=True, timeout=120
    )
    assert process.returncode == 0, process.stderr


def test_a_damaged_model_is_reported_or_prepared_anew(tiny_nli, root, tmp_path):
    source = tiny_nli["three"]
    ensure_nli(source, root)
    shutil.copytree(nli_folder(root, source), nli_folder(tmp_path, source))
    graph = next(nli_folder(tmp_path, source).glob("*.onnx"))
    graph.write_bytes(graph.read_bytes()[:-1])
    with pytest.raises(ModelError, match="damaged"):
        get_nli(source, tmp_path).score(PAIRS)
    assert len(get_nli(source, tmp_path, build=True).score(PAIRS)) == len(PAIRS)


def test_a_fork_after_first_use_still_scores(tiny_nli, root):
    ensure_nli(tiny_nli["three"], root)
    code = f"""
import os, sys
from pathlib import Path
from inference.nli import get_nli
model = get_nli({tiny_nli["three"]!r}, Path({str(root)!r}), threads=2)
before = model.score([("the bank", "the river")])
child = os.fork()
if child == 0:
    after = model.score([("the bank", "the river"), ("the city", "the river")])
    os._exit(0 if after[0] == before[0] else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    process = subprocess.run([sys.executable, "-c", code], check=False, cwd=CHECKOUT, timeout=60)
    assert process.returncode == 0


def test_the_command_prepares_and_shows_the_model(tiny_nli, root, capsys):
    assert export.main(["--nli", "--model", tiny_nli["three"], "--to", str(root)]) == 0
    assert "three@" in capsys.readouterr().out
    assert export.main(["--nli", "--model", "lexical"]) == 0
    assert "rules" in capsys.readouterr().out
