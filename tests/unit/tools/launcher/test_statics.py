"""Static files are collected when they may have changed, and only then."""

import os

import pytest

from tools.launcher import environment, run


@pytest.fixture
def collected(tmp_path, monkeypatch):
    """Return a function that collects, and returns whether there was anything to do."""
    monkeypatch.setattr(run, "CHECKOUT", tmp_path)
    (tmp_path / "requirements.txt").write_text("one==1\n")
    (tmp_path / "app" / "static").mkdir(parents=True)
    (tmp_path / "app" / "static" / "a.css").write_text("a")
    for name in (".data/run", ".data/static"):
        (tmp_path / name).mkdir(parents=True)
    root = str(tmp_path / ".data" / "static")
    stack = environment.Stack(tmp_path / ".data", None, None, {"STATIC_ROOT": root})
    commands = []
    monkeypatch.setattr(run, "django", lambda _stack, name, _command: commands.append(name))

    def collect():
        commands.clear()
        run.collect_static_files(stack)
        return bool(commands)

    return collect


@pytest.mark.parametrize("change", ["", "package", "file", "new file", "target"])
def test_any_change_is_collected_once(collected, tmp_path, change):
    assert collected()
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
    assert collected() == bool(change)
