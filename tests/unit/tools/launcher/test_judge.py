"""Set-up goes on where the base judge cannot be had, and says so."""

import pytest

from tools.launcher import commands, judge
from tools.launcher.commands import CommandResult
from tools.launcher.errors import LauncherError


def test_set_up_goes_on_without_the_judge_and_says_why(monkeypatch, capsys):
    monkeypatch.setattr(
        commands, "run", lambda *_, **__: CommandResult(1, "pip could not download")
    )
    assert not judge.prepare_judge({})
    assert "the small one or the rules judge. pip could not download" in capsys.readouterr().out


def test_a_download_that_never_ends_stops_nothing(monkeypatch, capsys):
    def too_long(*_, **__):
        raise LauncherError("it did not end within 2700 s.")

    monkeypatch.setattr(commands, "run", too_long)
    assert not judge.prepare_judge({})
    assert "did not end" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("environment", "last"),
    [
        ({"MODEL_DIR": "/models", "NLI_MODEL": "base"}, ["base", "--to", "/models"]),
        ({"NLI_MODEL": "small"}, ["--judge", "--model", "small"]),
    ],
)
def test_the_judge_is_prepared_where_the_models_are(monkeypatch, environment, last):
    ran = []
    monkeypatch.setattr(
        commands, "run", lambda command, **_: ran.append(command) or CommandResult(0, "")
    )
    assert judge.prepare_judge(environment)
    assert [each[-3:] for each in ran] == [last]


def test_another_model_needs_no_judge(monkeypatch):
    monkeypatch.setattr(commands, "run", lambda *_, **__: CommandResult(1, "called"))
    assert not judge.prepare_judge({"NLI_MODEL": "lexical"})
