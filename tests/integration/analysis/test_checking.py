"""Checks by command, by a policy's override, in another language, and between much padding."""

import io
import json
from functools import partial
from typing import Any

import pytest
from django.core.management import CommandError
from rest_framework.test import APIClient

from analysis.engine import PolicyRules
from analysis.models import AnnotatedAnswer, Check
from analysis.services.checking import run_check
from analysis.services.policies import create_policy
from desk.policies.selectors.replaying import ReplaySelection, replay, select
from tests.commands import run
from tests.conftest import SSN_ANSWER, SSN_QUESTION
from tests.padding import CASES, Case, padded
from tests.shapes import MakeCheck

pytestmark = pytest.mark.usefixtures("db", "empty_redis")


check = partial(run, "check_answer")


def test_the_seeds_example_in_words() -> None:
    output = check("--question", SSN_QUESTION, "--answer", SSN_ANSWER)
    assert output.startswith("WARN  risk 35/100 (MEDIUM)")
    assert "merged with SNU" in output
    assert not Check.objects.exists(), "nothing is stored"


def test_the_contradicting_source_is_shown(tmp_path) -> None:
    source = tmp_path / "tower.txt"
    source.write_text("The tower is 330 metres tall.")
    output = check("--answer", "The tower is 500 metres tall.", "--source", str(source))
    assert output.startswith("BLOCK")
    assert "tower.txt: “The tower is 330 metres tall.”" in output


def test_what_the_shown_text_cites_is_listed(tmp_path) -> None:
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


def test_the_answer_can_come_from_standard_input(monkeypatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(SSN_ANSWER))
    assert "risk 35/100" in check()


def test_an_applications_policy_decides(application) -> None:
    strict = {"verdicts": {"no_sources": "BLOCK"}}
    create_policy(application_id=application.pk, rules=strict, by="t", activate=True)
    assert check("--answer", SSN_ANSWER, "--application", "demo").startswith("BLOCK")


def test_wrong_arguments_say_what_is_wrong(tmp_path, monkeypatch) -> None:
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


SOURCES = ["The old mill stands in Lyon. It was built in 1840 of grey stone."]
OVERRIDE = {"name": "mills", "collections": ["mills"], "rules": {"weights": {"rag_unverified": 90}}}
# The collection does not exist, so that the search for it is stated as unavailable: WARN at least.
CASE = {"answer": "The old mill stands in Lyon. Bananas grow.", "sources": SOURCES}


def test_the_decision_names_the_override_and_is_made_again_by_it(
    application, make_check, api
) -> None:
    rules = PolicyRules.from_json({"overrides": [OVERRIDE]})
    create_policy(application_id=application.pk, rules=rules.to_json(), by="test", activate=True)
    overridden, plain = make_check(**CASE, collections=["mills"]), make_check(**CASE)
    for check in (overridden, plain):
        assert run_check(check.pk)
    body = api.get(f"/api/v1/checks/{overridden.pk}").json()
    assert (body["policy_override"], body["risk_score"], body["action"]) == ("mills", 90, "BLOCK")
    body = api.get(f"/api/v1/checks/{plain.pk}").json()
    assert (body["policy_override"], body["action"]) == (None, "WARN")
    assert run("verify_decisions").startswith("2 decisions match")
    ids = select(application.pk, ReplaySelection()).ids
    assert replay(ids, rules, processes=1).changes == 0
    without = replay(ids, PolicyRules(), processes=1)
    assert [change.check_id for change in without.changed] == [str(overridden.pk)]


def test_it_is_made_and_refused_over_the_api(api) -> None:
    response = api.post("/api/v1/policies", {"rules": {"overrides": [OVERRIDE]}}, format="json")
    assert response.json()["rules"]["overrides"] == [OVERRIDE]
    wrong = {**OVERRIDE, "rules": {"warn_at": 99}}
    refused = api.post("/api/v1/policies", {"rules": {"overrides": [wrong]}}, format="json")
    assert refused.json()["errors"][0]["field"] == "rules.overrides[0].rules.warn_at"


GERMAN = "Die Rückerstattung dauert 14 Tage und ist kostenlos."
ENGLISH = "Refunds take 14 days and are free."


def reasons(checked: MakeCheck, answer: str, source: str) -> dict[str, str]:
    check = checked(query="", answer=answer, sources=[{"id": "s1", "text": source}])
    decision = AnnotatedAnswer.objects.get(pk=check.pk).decision
    return {reason["code"]: reason["action"] for reason in decision["reasons"]}


@pytest.mark.parametrize(("answer", "source"), [(GERMAN, GERMAN), (ENGLISH, GERMAN)])
def test_it_warns(checked, answer, source) -> None:
    assert reasons(checked, answer, source)["unsupported_language"] == "WARN"


def test_english_does_not(checked) -> None:
    assert "unsupported_language" not in reasons(checked, ENGLISH, ENGLISH)


MISLED = "bridges, each named once"
"""Among a hundred other bridges the small judge takes the 40 kroner of another bridge for support;
on the bare source it finds the claim contradicted."""


def verdicts(api: APIClient, case: Case, text: str) -> dict[str, tuple[str, str | None, str]]:
    body = {"answer": " ".join(case.claims), "sources": [{"id": "s", "text": text}]}
    submitted = api.post("/api/v1/checks", body, format="json", HTTP_PREFER="respond-async").json()
    assert run_check(submitted["id"])
    document: dict[str, Any] = api.get(f"/api/v1/checks/{submitted['id']}").json()
    assert document["signal_states"]["grounding"]["status"] == "ok"
    return {c["text"]: (c["status"], c["reason"], document["action"]) for c in document["claims"]}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_verdicts_and_action_stay(api, case, request) -> None:
    if case.name == MISLED:
        request.applymarker(pytest.mark.xfail(strict=True, reason="the small judge is wrong here"))
    bare = verdicts(api, case, case.source)
    assert len(bare) == len(case.claims)
    assert verdicts(api, case, padded(case.source, case.more)) == bare
