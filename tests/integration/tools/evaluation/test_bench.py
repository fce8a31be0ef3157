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
from tests.commands import run
from tools.evaluation.bench import desk
from tools.evaluation.bench.engine import Latency
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


def test_the_command_prints_what_it_measures(monkeypatch, capsys):
    latency = Latency(p50=41.5, p95=99.0, per_second=18.0, count=180)
    monkeypatch.setattr(
        bench, "_service_figures", lambda *_: ({8: latency}, [Peak("worker", 3, 270.0)])
    )
    call_command("bench", "--seconds", "0.03")
    output = capsys.readouterr().out
    for words in ("Engine, no sources", "41.50", "worker", "270", "Machine: 1,000,000 additions"):
        assert words in output
