"""The files that `python -m inference.export --judge` prepares."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from inference import export
from inference.errors import ModelError


@pytest.fixture
def prepared(monkeypatch, request) -> list[str]:
    """Return what was prepared; the base judge cannot be had, unless that is the parameter."""
    names: list[str] = []

    def ensure(_root: Path, name: str, **_: object) -> SimpleNamespace:
        if name == getattr(request, "param", "base"):
            raise ModelError("pip could not download the base.", "Let pip reach an index.")
        names.append(name)
        return SimpleNamespace(model_id=f"{name}@1", name=name, files={}, reason="")

    monkeypatch.setattr(export, "ensure_judge", ensure)
    return names


def test_the_small_judge_is_prepared_where_the_base_one_cannot_be_had(
    prepared, tmp_path, capsys
) -> None:
    assert export.main(["--judge", "--to", str(tmp_path)]) == 1
    assert prepared == ["small"]
    assert "could not download" in capsys.readouterr().out


@pytest.mark.parametrize("prepared", [""], indirect=True)
def test_the_judge_of_answers_comes_with_the_base_judge(prepared, tmp_path) -> None:
    assert export.main(["--judge", "--to", str(tmp_path)]) == 0
    assert prepared == ["small", "base", "answers"]


def test_the_small_judge_alone(prepared, tmp_path) -> None:
    assert export.main(["--judge", "--model", "small", "--to", str(tmp_path)]) == 0
    assert prepared == ["small"]


def test_no_other_judge_comes_along(prepared) -> None:
    with pytest.raises(SystemExit):
        export.main(["--judge", "--model", "large"])
    assert prepared == []
