"""The figures of `make bench` about the models: measured in a child, as a worker opens them."""

import json

import pytest
from django.core.management import call_command

from inference.errors import ModelError
from inference.judge import BASE, LEXICAL, SMALL
from inference.judge.preparing import ensure_judge
from inference.prepare import ensure_model
from inference.sources import DEFAULT_MODEL
from tools.evaluation.bench import models
from tools.evaluation.bench.service import Peak
from tools.evaluation.management.commands import bench

pytestmark = pytest.mark.timeout(900)


def test_where_rules_decide_the_small_judge_is_measured(settings):
    settings.NLI_MODEL = LEXICAL
    ensure_judge(settings.MODEL_DIR, SMALL)
    ensure_model(DEFAULT_MODEL, settings.MODEL_DIR)
    figures = models.measure_models(seconds=0.3)
    assert isinstance(figures, models.ModelFigures), figures
    assert figures.model.startswith("watchdog-judge-small-")
    assert figures.threads == settings.NLI_THREADS
    assert figures.mebibytes > 100
    assert figures.answer_ms > 0


def test_a_judge_that_is_not_prepared_is_missed_in_words(settings, tmp_path, monkeypatch):
    settings.NLI_MODEL, settings.MODEL_DIR = SMALL, tmp_path
    monkeypatch.setenv("MODEL_DIR", str(tmp_path))
    problem = models.measure_models(seconds=0.1)
    assert isinstance(problem, str)
    assert "the small judge is not prepared" in problem


@pytest.fixture
def stand_in(monkeypatch):
    """Return the command with stand-ins for the parts that start servers of their own."""
    figures = models.ModelFigures("some-judge@1+[int8]", 1, 150.0, 151.0, 270.0)
    monkeypatch.setattr(models, "measure_models", lambda **_: figures)
    monkeypatch.setattr(
        bench, "_service_figures", lambda _seconds, _console: ({}, [Peak("worker", 3, 1.0)])
    )
    return figures


@pytest.mark.django_db
def test_the_command_prints_them_for_people_and_for_programs(stand_in, capsys):
    call_command("bench", "--seconds", "0.03")
    output = capsys.readouterr().out
    for words in (
        "some-judge@1+[int8], 1 thread",
        "an answer of 200 words, 4 chunks",
        "270 MiB",
        "Machine: 1,000,000 additions",
    ):
        assert words in output
    call_command("bench", "--seconds", "0.03", "--json")
    assert json.loads(capsys.readouterr().out)["models"]["answer_ms"] == 150.0


@pytest.mark.django_db
def test_the_command_says_why_there_are_none(stand_in, monkeypatch, capsys):
    monkeypatch.setattr(
        models, "measure_models", lambda **_: ModelError("None [at all].", "").problem
    )
    call_command("bench", "--seconds", "0.03")
    assert "The models were not measured: None [at all]." in capsys.readouterr().out


@pytest.mark.parametrize("judge", [BASE, SMALL])
def test_a_judge_is_measured_where_it_is_set(settings, judge):
    settings.NLI_MODEL = judge
    assert models.model_name() == judge
