"""The gate: for every model that has a floor, each kind of claim stays above it."""

import json
from functools import partial
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError

from tests.commands import run
from tools.evaluation.answers.gate import floor

FLOORS = json.loads(floor.FILE.read_text())


gate = partial(run, "evaluate_gate", "--processes", "0")


@pytest.mark.parametrize("model", sorted(FLOORS))
def test_no_kind_falls_under_its_floor(model: str, tmp_path: Path) -> None:
    config = tmp_path / "gate.toml"
    config.write_text(f'[settings]\nNLI_MODEL = "{model}"\n')
    assert f"NLI_MODEL={model}" in gate("--config", str(config))


def test_the_model_that_ships_has_a_floor() -> None:
    assert settings.NLI_MODEL in FLOORS


def test_a_fall_is_an_error_and_the_floor_rises_only_without_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "floor.json"
    floor.write("lexical", {"date": {"distinguished": 20, "exact": 20}}, file)
    monkeypatch.setattr(floor, "FILE", file)
    with pytest.raises(
        CommandError,
        match=r"Under the floor: date: \d+ distinguished, not 20; date: \d+ exact, not 20",
    ):
        gate("--config", "lexical", "--raise-floor")
    assert floor.read("lexical") == {"date": {"distinguished": 20, "exact": 20}}
    file.write_text("{}")
    assert "lexical has no floor yet" in gate("--config", "lexical")
    output = gate("--config", "lexical", "--raise-floor", "--wrong")
    assert "The floor of lexical is raised." in output
    assert "right: contradicted, said: supported" in output
    shipped = FLOORS["lexical"]
    # A floor is set one below the figure; the stored one holds as long as the figure reaches it.
    assert all(
        figures[name] + 1 >= least
        for kind, figures in floor.read("lexical").items()
        for name, least in shipped[kind].items()
    )
