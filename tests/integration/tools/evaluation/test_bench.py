"""The commands of the benchmarks measure what they name, and leave the database as it was."""

import json
import re
from io import StringIO
from itertools import islice

import pytest
from django.core.management import call_command

from analysis.models import CheckSearch
from analysis.services.checking import run_check
from api.inputs import CheckInput
from inference.errors import ModelError
from inference.judge import BASE, LEXICAL, SMALL
from inference.judge.preparing import ensure_judge
from inference.prepare import ensure_model
from inference.sources import DEFAULT_MODEL
from tests.commands import run
from tools.evaluation.bench import desk, models
from tools.evaluation.bench.pages import pages
from tools.evaluation.bench.service import Peak, distinct_bodies
from tools.evaluation.management.commands import bench
from tools.evaluation.management.commands.bench_tables import _replayed

pytestmark = [pytest.mark.usefixtures("empty_redis", "db"), pytest.mark.timeout(900)]


def test_every_page_answers_and_every_check_is_made_searchable(make_check) -> None:
    for number in range(3):
        make_check(f"The harbour was built in {number}.")
    output = run("bench_tables", "--times", "1", stderr=StringIO())
    every = {page.name: page.limit_ms for page in pages()}
    assert [name for name in every if name not in output] == []
    assert {"first page", "action BLOCK", "state failed", "search harbour"} <= set(every)
    assert every["first page"] == every["action BLOCK"] == 100
    assert every["search harbour"] == 200
    assert every["dashboard: checks, 30 days"] == every["dashboard: topics, 365 days"] == 300
    assert "Storage at 3 checks" in output
    assert "0 checks replayed under conservative" in output
    assert "Machine: 1,000,000 additions" in output
    assert CheckSearch.objects.count() == 3


def test_decided_checks_are_replayed(make_check) -> None:
    for number in range(3):
        assert run_check(make_check(f"The harbour was built in {number}.").pk)
    words = (
        r"3 checks replayed under conservative in \d+\.\d\d s; processor: \d+\.\d\d s deciding, "
    )
    assert re.match(words + r"\d+\.\d\d s in the database\. \d actions change\.$", _replayed())


def test_a_page_is_timed_and_its_rows_are_counted(make_check) -> None:
    make_check("The harbour was built in 1777.")
    (page,) = (page for page in pages() if page.name == "first page")
    timed = desk.timed(page, 2)
    assert 0 < timed.p50 <= timed.p95
    assert timed.database is not None, "this database runs on this machine"
    assert timed.queries > 0
    assert timed.most_read.rows > 0


def test_what_a_statement_sets_holds_for_those_read_after_it(application) -> None:
    statement = "SELECT * FROM accounts_application ORDER BY id"
    without = "SELECT set_config('enable_seqscan', 'off', true)"
    assert desk.largest([statement]).kind == "Seq Scan"
    assert desk.largest([without, statement]).kind == "Index Scan"
    assert desk.largest([statement]).kind == "Seq Scan"


def test_a_thousand_requests_are_accepted_and_no_two_alike(db) -> None:
    bodies = list(islice(distinct_bodies(), 1000))
    assert len(set(bodies)) == 1000
    inputs = [CheckInput(data=json.loads(body)) for body in bodies]
    assert [each.errors for each in inputs if not each.is_valid()] == []


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
