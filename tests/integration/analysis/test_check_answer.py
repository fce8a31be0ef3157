"""`manage.py check_answer`."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from accounts.models import Application
from analysis.models import Check
from analysis.services.policies import create_policy
from tests.conftest import SSN_ANSWER, SSN_QUESTION

pytestmark = pytest.mark.django_db


def check(*arguments: str) -> str:
    out = io.StringIO()
    call_command("check_answer", *arguments, stdout=out)
    return out.getvalue()


def test_the_seeds_example_in_words() -> None:
    output = check("--question", SSN_QUESTION, "--answer", SSN_ANSWER)
    assert output.startswith("WARN  risk 35/100 (MEDIUM)")
    assert "merged with SNU" in output
    assert not Check.objects.exists(), "nothing is stored"


def test_the_contradicting_source_is_shown(tmp_path: Path) -> None:
    source = tmp_path / "tower.txt"
    source.write_text("The tower is 330 metres tall.")
    output = check("--answer", "The tower is 500 metres tall.", "--source", str(source))
    assert output.startswith("BLOCK")
    assert "tower.txt: “The tower is 330 metres tall.”" in output


def test_what_the_shown_text_cites_is_listed(tmp_path: Path) -> None:
    source = tmp_path / "tower.txt"
    source.write_text("The tower is 330 metres tall.")
    output = check("--answer", "The tower is 330 metres tall.", "--source", str(source))
    safe_text = output.partition("Safe to show:\n")[2]
    assert safe_text.splitlines() == [
        "The tower is 330 metres tall. [1]",
        "  [1] tower.txt: “The tower is 330 metres tall.”",
    ]


def test_json_holds_measurement_and_decision() -> None:
    whole = json.loads(check("--answer", SSN_ANSWER, "--json"))
    assert whole["decision"]["action"] == "WARN"
    assert len(whole["measurement"]["claims"]) == 2


def test_the_answer_can_come_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(SSN_ANSWER))
    assert "risk 35/100" in check()


def test_an_applications_policy_decides(application: Application) -> None:
    strict = {"verdicts": {"no_sources": "BLOCK"}}
    create_policy(application_id=application.pk, rules=strict, by="t", activate=True)
    assert check("--answer", SSN_ANSWER, "--application", "demo").startswith("BLOCK")


def test_wrong_arguments_say_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    binary = tmp_path / "b"
    binary.write_bytes(b"\xff\xfe\x00")
    monkeypatch.setattr("sys.stdin", io.StringIO(" "))
    for arguments, message in {
        ("--answer", "a", "--source", str(tmp_path / "missing")): "cannot be read",
        ("--answer", "a", "--source", str(binary)): "not UTF-8",
        ("--answer-file", str(tmp_path)): "cannot be read",
        ("--answer", "a", "--application", "nobody"): "nobody",
        (): "no answer",
    }.items():
        with pytest.raises(CommandError, match=message):
            check(*arguments)
