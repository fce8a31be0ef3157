"""`manage.py bench_desk` asks for every page it names."""

import json
from io import StringIO

import pytest
from django.core.management import call_command

from accounts.models import Application
from analysis.models import CheckSearch
from tests.shapes import MakeCheck
from tools.evaluation.bench import desk
from tools.evaluation.bench.pages import pages
from tools.evaluation.management.commands import bench_tables

pytestmark = pytest.mark.usefixtures("empty_redis")


def test_every_page_answers_and_every_check_is_made_searchable(make_check: MakeCheck) -> None:
    for number in range(3):
        make_check(f"The harbour was built in {number}.")
    out = StringIO()
    call_command("bench_desk", "--times", "1", stdout=out, stderr=StringIO())
    report = json.loads(out.getvalue())
    timed = report["pages"]
    assert min(report["machine"].values()) > 0
    names = [row["page"]["name"] for row in timed]
    assert names == [page.name for page in pages()]
    assert {"first page", "action BLOCK", "state failed", "search harbour"} <= set(names)
    aims = {name: item["page"]["limit_ms"] for name, item in zip(names, timed, strict=True)}
    assert aims["first page"] == aims["action BLOCK"] == 100
    assert aims["search harbour"] == 200
    assert aims["dashboard: checks, 30 days"] == aims["dashboard: topics, 365 days"] == 300
    assert all(item["p50"] > 0 for item in timed)
    assert all(item["database"] >= 0 for item in timed), "this database runs on this machine"
    assert CheckSearch.objects.count() == 3


def test_each_size_is_made_and_looked_at_with_the_same_options(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    called: list[tuple[list[str], str]] = []

    def call(arguments: list[str], environment: dict[str, str]) -> str:
        assert arguments[0] != "bench_paint" or "STATIC_FROM_SOURCE" not in environment
        called.append((arguments, environment["DATABASE_URL"]))
        return "{}"

    monkeypatch.setattr(bench_tables, "_call", call)
    monkeypatch.setattr(bench_tables, "create", lambda url, name: None)
    monkeypatch.setenv("DATABASE_URL", "postgres://somebody@/made_up?host=/socket")
    monkeypatch.setenv("STATIC_FROM_SOURCE", "1")
    options = ["--checks", "10", "20", "--times", "2", "--result-days", "30", "--paint", "--json"]
    call_command("bench_tables", *options, stdout=StringIO(), stderr=StringIO())
    addresses = [f"postgres://somebody@/made_up_{checks}?host=/socket" for checks in (10, 20)]
    measure = ["--times", "2", "--only", "", "--result-days", "30"]
    assert called == [
        *(
            step
            for checks, address in zip(("10", "20"), addresses, strict=True)
            for step in (
                (["migrate", "--noinput", "--verbosity", "0"], address),
                (["bench_desk", "--checks", checks, *measure], address),
            )
        ),
        *((["bench_paint", "--times", "2"], address) for address in addresses),
    ]


def test_what_a_statement_sets_holds_for_those_read_after_it(application: Application) -> None:
    statement = "SELECT * FROM accounts_application ORDER BY id"
    without = "SELECT set_config('enable_seqscan', 'off', true)"
    assert desk.largest([statement]).kind == "Seq Scan"
    assert desk.largest([without, statement]).kind == "Index Scan"
    assert desk.largest([statement]).kind == "Seq Scan"
