"""`manage.py sanity`: the fixed questions over our own handbook, as one JSON document."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.commands import run


def test_the_fixed_questions_are_answered_and_told(transactional_db, empty_redis, tmp_path):
    output, console = tmp_path / "sanity_output.json", StringIO()
    call_command("sanity", output=output, stdout=console, stderr=StringIO())
    payload = json.loads(output.read_text())
    assert payload["layout"] == 1
    assert [item["name"] for item in payload["documents"]] == ["notice.txt", "site_handbook.md"]
    by_question = {item["question"]: item for item in payload["questions"]}
    crane = by_question["May we run the tower crane if gusts reach 60 km/h?"]
    assert "38 km/h" in crane["answer"]
    assert crane["verdict"]["action"] == "ALLOW"
    assert crane["injection_detected"] is True
    assert crane["flagged"] == ["notice.txt, passage 1 (Notice at the crane)"]
    assert {item["kind"] for item in crane["evidence"]["sources"]} == {
        "document",
        "weather",
        "memory",
    }
    assert all(item["milliseconds"] >= 0 for item in crane["evidence"]["sources"])
    assert (crane["citations"][0]["file"], crane["citations"][0]["chunk"]) == (
        "site_handbook.md", 1,
    )  # fmt: skip
    council = by_question["Our council mandates a scaffold wind limit of 25 km/h."]
    assert [item["target"] for item in council["memory"]["written"]] == ["company"]
    match = by_question["Who won the football match yesterday?"]
    assert (match["found"], match["verdict"]) == (False, None)
    summary = payload["summary"]
    assert summary["questions"] == summary["answered"] + summary["not_found"] == 12
    assert summary["block"] == 0


def test_a_file_without_questions_is_refused(transactional_db, tmp_path):
    empty = tmp_path / "questions.json"
    empty.write_text("[]")
    with pytest.raises(CommandError, match="must contain a list of questions"):
        run("sanity", questions=empty)
