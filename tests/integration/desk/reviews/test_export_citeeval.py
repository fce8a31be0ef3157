"""`manage.py export_citeeval`."""

import hashlib
import io
import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Application
from analysis.models import Check
from analysis.services.checking import run_check
from analysis.services.submission import NewCheck, submit
from audit.models import Event, TrailEntry

pytestmark = pytest.mark.usefixtures("empty_redis")
SCHEMA = json.loads(Path("docs/schemas/CiteEvalSystemExample.schema.json").read_text())
MILL = {"answer": "The mill closed in 2010.", "sources": ["The mill closed in 2010."]}


def export(tmp_path: Path, *arguments: str) -> tuple[list[dict], str]:
    out, file = io.StringIO(), tmp_path / "citeeval.jsonl"
    call_command("export_citeeval", "--out", str(file), *arguments, stdout=out)
    return [json.loads(line) for line in file.read_text().splitlines()], out.getvalue()


def test_stored_checks_become_examples(make_check: Callable[..., Check], tmp_path: Path) -> None:
    checks = [make_check(query="When?", **MILL), make_check(), make_check(**MILL)]
    for check in checks:
        run_check(check.pk)
    make_check(**MILL)  # still queued
    examples, output = export(tmp_path)
    assert [example["id"] for example in examples] == [str(checks[0].pk), str(checks[2].pk)]
    assert examples[0] == {
        "id": str(checks[0].pk),
        "query": "When?",
        "passages": [{"text": MILL["answer"], "title": "source_1"}],
        "pred": "The mill closed in 2010. [1]",
    }
    for example in examples:
        jsonschema.validate(example, SCHEMA)
    assert output.startswith("2 examples written")
    entry = TrailEntry.objects.get(event=Event.CITEEVAL_EXPORTED)
    file = (tmp_path / "citeeval.jsonl").read_bytes()
    assert entry.application_id == checks[0].application_id
    assert entry.data == {"rows": 3, "sha256": hashlib.sha256(file).hexdigest()}
    assert "1 without passages left out" in output


@pytest.mark.parametrize("checks", [0, 1, 2])
def test_as_an_array(
    make_check: Callable[..., Check], application: Application, tmp_path: Path, checks: int
) -> None:
    for _ in range(checks):
        run_check(make_check(**MILL).pk)
    file = tmp_path / "citeeval.json"
    call_command("export_citeeval", "--out", str(file), stdout=io.StringIO())
    assert len(json.loads(file.read_text())) == checks


def test_by_application_and_period(
    make_check: Callable[..., Check], other_application: Application, tmp_path: Path
) -> None:
    mine = make_check(**MILL)
    other = submit(application_id=other_application.pk, new=NewCheck(**MILL), by="test").id
    run_check(mine.pk)
    run_check(other)
    assert len(export(tmp_path)[0]) == 2
    [example] = export(tmp_path, "--application", "other")[0]
    assert example["id"] == str(other)
    created = Check.objects.get(pk=mine.pk).created_at
    assert export(tmp_path, "--until", "2020-01-31")[0] == []
    assert len(export(tmp_path, "--since", "2020-01-31", "--until", "2999-01-01T00:00")[0]) == 2
    assert len(export(tmp_path, "--application", "demo", "--since", created.isoformat())[0]) == 1


@pytest.mark.parametrize("checks", [1, 6])
def test_the_number_of_queries_does_not_grow(
    make_check: Callable[..., Check], tmp_path: Path, checks: int
) -> None:
    for _ in range(checks):
        run_check(make_check(**MILL).pk)
    with CaptureQueriesContext(connection) as queries:
        export(tmp_path)
    assert len(queries) == 7  # how many; results with checks; the trail (5)


def test_wrong_arguments_say_what_is_wrong(db: None, tmp_path: Path) -> None:
    for arguments, message in {
        ("--application", "nobody"): "nobody",
        ("--since", "yesterday"): "yesterday",
        ("--since", "2026-02-31"): "not a date",
    }.items():
        with pytest.raises(CommandError, match=message):
            export(tmp_path, *arguments)
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("export_citeeval", "--out", str(tmp_path / "no" / "folder.jsonl"))
