"""A stored decision is made again, bit for bit, from its stored signals and its policy version."""

from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from accounts.models import Application
from analysis.engine.policy.rules import PRESETS
from analysis.models import AnnotatedAnswer, Check
from analysis.services.checking import run_check
from analysis.services.policies import create_policy

pytestmark = pytest.mark.usefixtures("empty_redis")
MakeCheck = Callable[..., Check]
SOURCES = ["The old mill stands in Lyon. It was built in 1840 of grey stone."]
CASES: list[dict[str, Any]] = [
    {"answer": "The old mill stands in Lyon [1]. It was built in 1840.", "sources": SOURCES},
    {"answer": "The old mill stands in Oslo [7].", "sources": SOURCES, "query": "Where is it?"},
    {"answer": "It definitely closed in 2010. It closed in 2015."},
    {"answer": "Hello there!", "sources": []},
]


def verify() -> str:
    out = StringIO()
    call_command("verify_decisions", stdout=out)
    return out.getvalue()


def test_every_decision_comes_out_as_it_is_stored(
    application: Application, make_check: MakeCheck
) -> None:
    for name in sorted(PRESETS):
        create_policy(
            application_id=application.pk, rules=PRESETS[name].to_json(), by="test", activate=True
        )
        for case in CASES:
            assert run_check(make_check(**case).pk)
    assert verify() == f"{len(PRESETS) * len(CASES)} decisions match their policy and signals.\n"


def test_another_engine_version_is_counted_and_not_verified(make_check: MakeCheck) -> None:
    assert run_check(make_check(**CASES[0]).pk)
    _unlocked("UPDATE analysis_annotatedanswer SET engine_version = '0.9.0'")
    assert "0 decisions match" in verify()
    assert "1 cannot be replayed: this build does not contain their engine version." in verify()


def test_an_altered_decision_is_named(make_check: MakeCheck) -> None:
    check = make_check(**CASES[1])
    assert run_check(check.pk)
    assert AnnotatedAnswer.objects.get(pk=check.pk).decision["action"] != "ALLOW"
    _unlocked(
        "UPDATE analysis_annotatedanswer"
        " SET decision = jsonb_set(decision, '{action}', to_jsonb('ALLOW'::text))"
    )
    with pytest.raises(CommandError, match=f"{check.pk}: action"):
        verify()


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ("analysis_check SET action = 'ALLOW'", "action"),
        ("analysis_check SET risk_score = 1", "risk score"),
        ("analysis_check SET risk_level = 'LOW'", "risk level"),
        ("analysis_claim SET status = 'Supported', reason = ''", "status of c_0001"),
    ],
)
def test_so_is_a_column_that_tells_of_another_decision(
    make_check: MakeCheck, change: str, name: str
) -> None:
    """Lists and answers of the API are made of the columns."""
    check = make_check(**CASES[1])
    assert run_check(check.pk)
    with pytest.raises(IntegrityError, match="evidence"), transaction.atomic():
        connection.cursor().execute(f"UPDATE {change}")
    _unlocked(f"UPDATE {change}")
    with pytest.raises(CommandError, match=f"{check.pk}: stored {name}"):
        verify()
    _unlocked("UPDATE analysis_annotatedanswer SET engine_version = '0.9.0'")
    with pytest.raises(CommandError, match=f"{check.pk}: stored {name}"):
        verify()


def _unlocked(sql: str) -> None:
    """Allow edits with the database owner's rights: results are never edited otherwise."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(sql)
        cursor.execute("SET LOCAL session_replication_role = origin")
