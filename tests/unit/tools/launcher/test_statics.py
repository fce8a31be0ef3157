import os

import pytest

from tools.launcher import environment, statics


@pytest.fixture
def stack(tmp_path, monkeypatch):
    monkeypatch.setattr(statics, "CHECKOUT", tmp_path)
    (tmp_path / "requirements.txt").write_text("one==1\n")
    (tmp_path / "app" / "static").mkdir(parents=True)
    (tmp_path / "app" / "static" / "a.css").write_text("a")
    for name in (".data/run", ".data/static"):
        (tmp_path / name).mkdir(parents=True)
    root = str(tmp_path / ".data" / "static")
    return environment.Stack(tmp_path / ".data", None, None, {"STATIC_ROOT": root})


def test_unchanged_files_are_collected_once(stack):
    assert not statics.are_collected(stack)
    statics.remember(stack)
    assert statics.are_collected(stack)


@pytest.mark.parametrize("change", ["package", "file", "new file", "target"])
def test_any_change_is_collected(stack, tmp_path, change):
    statics.remember(stack)
    style = tmp_path / "app" / "static" / "a.css"
    match change:
        case "package":
            (tmp_path / "requirements.txt").write_text("one==2\n")
        case "file":
            os.utime(style, ns=(1, 1))
        case "new file":
            style.with_name("b.css").write_text("b")
        case "target":
            (tmp_path / ".data" / "static").rmdir()
    assert not statics.are_collected(stack)
