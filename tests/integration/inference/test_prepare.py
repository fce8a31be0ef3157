"""Preparing models: other models, damage, interruption, two at once."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from inference import export
from inference.embedding import get_embedder
from inference.errors import ModelError
from inference.prepare import ensure_model
from inference.store import MANIFEST, model_folder, read_manifest

# Children load torch, which takes a minute on a busy machine.
pytestmark = pytest.mark.timeout(900)

CHECKOUT = Path(__file__).resolve().parents[3]

TEXTS = json.loads((Path(__file__).parent / "texts.json").read_text())


def prepared(source, root):
    ensure_model(source, root)
    return get_embedder(source, root)


@pytest.fixture
def root(tiny):
    """Return the folder in which they are prepared already."""
    return Path(tiny["mean"]).parent / "models"


@pytest.fixture
def ready(tiny, root, tmp_path):
    """Make a root of the test's own with the tiny model prepared; return it and the folder."""
    ensure_model(tiny["mean"], root)
    folder = model_folder(tmp_path, tiny["mean"])
    shutil.copytree(model_folder(root, tiny["mean"]), folder)
    return tmp_path, folder


@pytest.mark.parametrize("kind", ["mean", "cls"])
def test_another_bert_is_exported_and_agrees_with_the_original(tiny, root, kind):
    embedder = prepared(tiny[kind], root)
    cosines = (embedder.embed(TEXTS) * np.load(f"{tiny[kind]}.npy")).sum(axis=1)
    assert cosines.min() > 0.99
    assert embedder.model_id.endswith("+int8-per-token-2")
    assert embedder.model_id.startswith(f"{kind}@")
    assert embedder.dimensions == 32
    assert embedder.embed_reported(TEXTS).truncated == [False, False, False, True, False, False]


def test_an_encoder_that_names_no_length_reads_as_much_as_it_has_positions(tiny, root):
    prepared(tiny["bare"], root)
    assert read_manifest(model_folder(root, tiny["bare"])).max_tokens == 64


def test_what_cannot_be_exported_is_refused_with_its_reason(tiny, tmp_path, made_here):
    with pytest.raises(ModelError, match="Dense") as raised:
        ensure_model(tiny["dense"], tmp_path)
    assert "Name another model" in raised.value.remedy
    with pytest.raises(ModelError, match="No model is prepared"):
        get_embedder(tiny["dense"], tmp_path)


def test_the_models_prompts_stand_before_queries_and_documents(tiny, root):
    embedder = prepared(tiny["prompts"], root)
    plain = prepared(tiny["mean"], root)
    for role, prompt in (("query", "water : "), ("document", "city : ")):
        ours = embedder.embed(["the bank"], role=role)
        assert np.allclose(ours, plain.embed([f"{prompt}the bank"]), atol=1e-3)


def test_preparing_again_does_nothing(ready, tiny):
    root, folder = ready
    before = {file.name: file.stat().st_mtime_ns for file in folder.iterdir()}
    steps = []
    ensure_model(tiny["mean"], root, report=steps.append)
    assert steps == []
    assert {file.name: file.stat().st_mtime_ns for file in folder.iterdir()} == before


@pytest.mark.parametrize("damage", ["truncate", "flip", "delete", "manifest", "no manifest"])
def test_damage_is_reported_by_serving(ready, tiny, damage):
    root, folder = ready
    spoil(folder, damage)
    with pytest.raises(ModelError, match=r"python -m inference\.export"):
        get_embedder(tiny["mean"], root).embed(["the water"])


def test_serving_may_repair_damage_itself(ready, tiny, made_here):
    root, folder = ready
    spoil(folder, "flip")
    embedder = get_embedder(tiny["mean"], root, build=True)
    assert embedder.embed(["the water"]).shape == (1, 32)


def spoil(folder, damage):
    graph = next(folder.glob("*.onnx"))
    match damage:
        case "truncate":
            graph.write_bytes(graph.read_bytes()[:1000])
        case "flip":
            content = bytearray(graph.read_bytes())
            content[len(content) // 2] ^= 1
            graph.write_bytes(content)
        case "delete":
            graph.unlink()
        case "manifest":
            (folder / MANIFEST).write_text('{"format": 1, "na')
        case "no manifest":
            (folder / MANIFEST).unlink()


def test_a_changed_source_is_prepared_anew_and_old_files_go(tiny, root, tmp_path, made_here):
    source = tmp_path / "copy"
    shutil.copytree(tiny["mean"], source)
    shutil.copytree(model_folder(root, tiny["mean"]), model_folder(tmp_path, str(source)))
    steps = []
    old = ensure_model(str(source), tmp_path, report=steps.append)
    assert steps == []
    shutil.copy(Path(tiny["cls"]) / "1_Pooling/config.json", source / "1_Pooling/config.json")
    new = ensure_model(str(source), tmp_path)
    assert new.model_id != old.model_id
    names = {file.name for file in model_folder(tmp_path, str(source)).iterdir()}
    assert names == {MANIFEST, *new.files}


def test_two_that_prepare_at_once_make_one_model(tiny, tmp_path):
    manifests, steps = [], []

    def run():
        manifests.append(ensure_model(tiny["mean"], tmp_path, report=steps.append))

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(manifests) == 3
    assert manifests[0] == manifests[1] == manifests[2]
    assert steps.count("check the source") == 1


def test_a_killed_preparation_leaves_the_old_model(ready, tiny):
    root, folder = ready
    before = read_manifest(folder)
    command = [sys.executable, "-m", "inference.build", "embedding", tiny["mean"], str(folder)]
    child = subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, text=True)
    for line in child.stdout:
        if json.loads(line).get("step") == "quantise":
            break
    child.kill()
    child.wait()
    child.stdout.close()
    assert list(folder.glob(".making-*"))
    assert get_embedder(tiny["mean"], root).embed(["the water"]).shape == (1, 32)
    assert read_manifest(folder) == before


def test_a_child_that_is_killed_is_told_as_such(tiny, tmp_path):
    def kill(_step):
        children = Path(f"/proc/self/task/{threading.get_native_id()}/children").read_text().split()
        os.kill(int(children[-1]), signal.SIGKILL)

    with pytest.raises(ModelError, match="signal 9"):
        ensure_model(tiny["mean"], tmp_path, report=kill)


def test_a_folder_that_is_no_model_is_refused_with_advice(tmp_path, made_here):
    (tmp_path / "nothing").mkdir()
    with pytest.raises(ModelError) as raised:
        ensure_model(str(tmp_path / "nothing"), tmp_path / "models")
    assert "sentence-transformers" in raised.value.problem
    assert raised.value.remedy


def test_the_command_shows_the_id_and_the_place(ready, tiny, capsys):
    root, _ = ready
    assert export.main(["--model", tiny["mean"], "--to", str(root)]) == 0
    assert "mean@" in capsys.readouterr().out


def test_the_command_ends_with_the_remedy(tmp_path, capsys):
    assert export.main(["--model", "./missing", "--to", str(tmp_path)]) == 1
    assert "EMBEDDING_MODEL" in capsys.readouterr().out


def test_a_file_in_the_folders_place_is_told(tmp_path, tiny):
    (tmp_path / "models").write_text("")
    with pytest.raises(ModelError, match="cannot be written"):
        ensure_model(tiny["mean"], tmp_path / "models")
