"""Reviewed checks go out as labelled answers that evaluate reads, and as CiteEval's examples."""

import hashlib
import json
from io import StringIO
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.core.management import CommandError, call_command
from pytest_django.asserts import assertNumQueries

from accounts.models import Role
from analysis.models import Check, Review, ReviewDecision
from analysis.services.checking import run_check
from analysis.services.submission import NewCheck, submit
from audit.models import Event, TrailEntry
from desk.reviews.services.reviews import Words, decide_review
from tests.commands import run
from tests.integration.people import person
from tests.shapes import MakeCheck
from tools.evaluation.answers.sets import load_set

pytestmark = pytest.mark.usefixtures("empty_redis")
GOOD = "The old mill stands in Lyon. It was built in 1840."
BAD = "The old mill stands in Oslo. It was built in 1840."
SOURCES = ["The old mill stands in Lyon. It was built in 1840 of grey stone."]
LIST = "/admin/analysis/check/"


@pytest.fixture
def decided(application, checked, superuser) -> MakeCheck:
    """Return a function that makes a check and has it decided and reviewed."""
    application.quality_sample_rate = 1.0
    application.second_review_of_overturned_blocks = False
    application.second_review_share = 0.0
    application.save()

    def make(answer: str, decision: ReviewDecision | None, **more: Any) -> Check:
        check = checked(answer, query="Where?", sources=SOURCES)
        if decision is not None:
            words = Words(note="why", **more)
            review = Review.objects.get(check_record=check)
            decide_review(review=review, decision=decision, by=superuser, words=words)
        return Check.objects.get(pk=check.pk)

    return make


def export(folder: Path, *arguments: str) -> tuple[Path, str]:
    path = folder / "reviewed.jsonl"
    return path, run("export_reviewed", str(path), *arguments)


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_labels_follow_action_and_decision(decided, tmp_path) -> None:
    confirmed, overturned = ReviewDecision.CONFIRMED, ReviewDecision.OVERTURNED
    flagged = decided(BAD, confirmed, claims={"c_0001": "agree", "c_0002": "agree"})
    wrongly = decided(BAD, overturned)
    right = decided(GOOD, confirmed)
    overlooked = decided(GOOD, overturned)
    decided(GOOD, None)
    decided(BAD, ReviewDecision.ESCALATED)
    assert (flagged.action, right.action) == ("BLOCK", "ALLOW")
    path, output = export(tmp_path)
    assert output.startswith("4 reviewed checks")
    rows = {row["id"]: row for row in rows_of(path)}
    labels = {flagged: 1, wrongly: 0, right: 0, overlooked: 1}
    assert {key: row["label"] for key, row in rows.items()} == {
        str(check.pk): label for check, label in labels.items()
    }
    row = rows[str(flagged.pk)]
    assert row["context"] == SOURCES
    assert [row["response"][a:b] for a, b in row["spans"]] == ["The old mill stands in Oslo"]
    assert row["meta"]["decision"] == "confirmed"
    assert rows[str(overlooked.pk)]["spans"] == []


def test_a_further_review_settles_it(decided, application, tmp_path) -> None:
    application.refresh_from_db()
    check = decided(BAD, ReviewDecision.ESCALATED)
    assert export(tmp_path)[1].startswith("0 reviewed")
    lead = person("lead", Role.LEAD, application)
    review = Review.objects.get(check_record=check, decision=None)
    decide_review(review=review, decision=ReviewDecision.OVERTURNED, by=lead, note="fine")
    path, _ = export(tmp_path)
    assert [(row["label"], row["meta"]["stage"]) for row in rows_of(path)] == [(0, "adjudication")]


def test_evaluate_reads_what_was_exported(decided, tmp_path) -> None:
    for number in range(3):
        decided(f"{GOOD} {'It is old. ' * number}", ReviewDecision.CONFIRMED)
        decided(f"{BAD} {'It is old. ' * number}", ReviewDecision.CONFIRMED)
    path, _ = export(tmp_path)
    rows = load_set(path).rows
    assert sorted(row.raw["label"] for row in rows) == [0, 0, 0, 1, 1, 1]
    assert {row.submission.sources[0].text for row in rows if row.submission.sources} == {*SOURCES}
    out = StringIO()
    call_command(
        "evaluate", str(path), "--config", "lexical", "--processes", "0", "--rounds", "20",
        "--out", str(tmp_path / "report"), stdout=out,
    )  # fmt: skip
    report = json.loads((tmp_path / "report" / "report.json").read_text())
    assert "reviewed" in json.dumps(report)
    assert "reviewed" in out.getvalue()


def test_each_export_stands_in_the_trail(decided, tmp_path) -> None:
    check = decided(BAD, ReviewDecision.CONFIRMED)
    path, _ = export(tmp_path, "--application", "demo", "--since", "2020-01-01", "--sampled")
    entry = TrailEntry.objects.get(event=Event.REVIEWED_EXPORTED)
    assert entry.application_id == check.application_id
    assert entry.actor == "manage.py export_reviewed"
    assert entry.data == {"rows": 1, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
    assert export(tmp_path, "--since", "2999-01-01")[1].startswith("0 reviewed")
    assert TrailEntry.objects.filter(event=Event.REVIEWED_EXPORTED).count() == 1


def test_what_cannot_be_exported_is_told(db, tmp_path) -> None:
    with pytest.raises(CommandError, match="There is no application 'nowhere'"):
        export(tmp_path, "--application", "nowhere")
    with pytest.raises(CommandError, match="cannot be written"):
        export(tmp_path / "missing")


def test_the_desk_exports_what_was_chosen_and_may_be_seen(
    decided, other_application, client
) -> None:
    reviewed, _ = decided(BAD, ReviewDecision.CONFIRMED), decided(GOOD, ReviewDecision.CONFIRMED)
    unreviewed = decided(GOOD, None)
    people = {}
    for name, application in (("member", reviewed.application), ("stranger", other_application)):
        people[name] = person(name, Role.AUDITOR, application)
    form = {"action": "export_reviewed", "_selected_action": [str(reviewed.pk), str(unreviewed.pk)]}
    client.force_login(people["stranger"])
    assert b"reviewed:demo" not in client.post(LIST, form, follow=True).content
    assert not TrailEntry.objects.filter(event=Event.REVIEWED_EXPORTED).exists()
    client.force_login(people["member"])
    response = client.post(LIST, form)
    rows = [json.loads(line) for line in b"".join(response.streaming_content).splitlines()]
    assert [row["id"] for row in rows] == [str(reviewed.pk)]
    assert TrailEntry.objects.get(event=Event.REVIEWED_EXPORTED).actor == "member"
    page = client.post(LIST, form | {"_selected_action": [str(unreviewed.pk)]}, follow=True)
    assert b"None of them has a finished review" in page.content


SCHEMA = json.loads(Path("docs/schemas/CiteEvalSystemExample.schema.json").read_text())
MILL = {"answer": "The mill closed in 2010.", "sources": ["The mill closed in 2010."]}


def export_citeeval(tmp_path: Path, *arguments: str) -> tuple[list[dict], str]:
    file = tmp_path / "citeeval.jsonl"
    printed = run("export_citeeval", "--out", str(file), *arguments)
    return [json.loads(line) for line in file.read_text().splitlines()], printed


def test_stored_checks_become_examples(make_check, tmp_path) -> None:
    checks = [make_check(query="When?", **MILL), make_check(), make_check(**MILL)]
    for check in checks:
        run_check(check.pk)
    make_check(**MILL)  # still queued
    examples, output = export_citeeval(tmp_path)
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
def test_as_an_array(checked, tmp_path, checks) -> None:
    for _ in range(checks):
        checked(**MILL)
    file = tmp_path / "citeeval.json"
    run("export_citeeval", "--out", str(file))
    assert len(json.loads(file.read_text())) == checks


def test_by_application_and_period(make_check, other_application, tmp_path) -> None:
    mine = make_check(**MILL)
    other = submit(application_id=other_application.pk, new=NewCheck(**MILL), by="test").id
    run_check(mine.pk)
    run_check(other)
    assert len(export_citeeval(tmp_path)[0]) == 2
    [example] = export_citeeval(tmp_path, "--application", "other")[0]
    assert example["id"] == str(other)
    created = Check.objects.get(pk=mine.pk).created_at
    assert export_citeeval(tmp_path, "--until", "2020-01-31")[0] == []
    assert (
        len(export_citeeval(tmp_path, "--since", "2020-01-31", "--until", "2999-01-01T00:00")[0])
        == 2
    )
    assert (
        len(export_citeeval(tmp_path, "--application", "demo", "--since", created.isoformat())[0])
        == 1
    )


@pytest.mark.parametrize("checks", [1, 6])
def test_the_number_of_queries_does_not_grow(checked, tmp_path, checks) -> None:
    for _ in range(checks):
        checked(**MILL)
    with assertNumQueries(7):  # how many; results with checks; the trail (5)
        export_citeeval(tmp_path)


def test_wrong_arguments_say_what_is_wrong(db, tmp_path) -> None:
    for arguments, message in {
        ("--application", "nobody"): "nobody",
        ("--since", "yesterday"): "yesterday",
        ("--since", "2026-02-31"): "not a date",
    }.items():
        with pytest.raises(CommandError, match=message):
            export_citeeval(tmp_path, *arguments)
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("export_citeeval", "--out", str(tmp_path / "no" / "folder.jsonl"))
