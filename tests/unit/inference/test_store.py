import dataclasses
import json

import pytest

from inference.errors import ModelError
from inference.store import (
    MANIFEST,
    Manifest,
    adopt,
    model_folder,
    publish,
    read_manifest,
    scratch,
    verify,
)

PLAIN = Manifest(
    name="m",
    model_id="m@12345678+float32",
    runtime="onnx",
    quantisation="float32",
    dimensions=4,
    max_tokens=8,
    pad_id=0,
    source="/somewhere",
    source_sha256="0" * 64,
    package="",
    opset=17,
)


def store_model(folder, content):
    with scratch(folder) as work:
        (work / "model.onnx").write_bytes(content)
        files = dict([adopt(folder, work / "model.onnx")])
        manifest = dataclasses.replace(PLAIN, files=files)
        publish(folder, manifest, work)
    return manifest


def test_what_is_stored_is_read_and_verified(tmp_path):
    manifest = store_model(tmp_path, b"one")
    assert read_manifest(tmp_path) == manifest
    verify(tmp_path, manifest)
    assert {file.name for file in tmp_path.iterdir()} == {MANIFEST, *manifest.files}


def test_a_new_model_replaces_the_old_one(tmp_path):
    old, new = store_model(tmp_path, b"one"), store_model(tmp_path, b"two")
    assert read_manifest(tmp_path) == new
    assert not (tmp_path / next(iter(old.files))).exists()


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"format": 1}', '{"format": 99}', "\ud800"])
def test_a_damaged_manifest_is_told(tmp_path, content):
    (tmp_path / MANIFEST).write_bytes(content.encode("utf-8", "surrogatepass"))
    with pytest.raises(ModelError, match=r"inference\.export"):
        read_manifest(tmp_path)


def test_a_manifest_of_other_fields_is_told(tmp_path):
    fields = dataclasses.asdict(PLAIN) | {"more": 1}
    (tmp_path / MANIFEST).write_text(json.dumps(fields))
    with pytest.raises(ModelError, match="damaged"):
        read_manifest(tmp_path)


def test_what_a_crash_left_goes(tmp_path):
    (tmp_path / ".making-x").mkdir()
    (tmp_path / ".making-x" / "model.onnx").write_text("half")
    with scratch(tmp_path):
        assert not (tmp_path / ".making-x").exists()
    assert list(tmp_path.iterdir()) == []


def test_different_names_never_share_a_folder(tmp_path):
    names = ["a/b", "a-b", "a b", "/x/" + "y" * 300, "/z/" + "y" * 300, "..", ""]
    folders = {model_folder(tmp_path, name) for name in names}
    assert len(folders) == len(names)
    assert all(folder.parent == tmp_path and len(folder.name) < 80 for folder in folders)
