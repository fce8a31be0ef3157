"""`manage.py doctor` against real servers, and against none."""

import json
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.management import call_command

from accounts.oidc.rights import read_grants
from documents.models import DocumentState
from documents.services.collections import create_collection
from documents.services.uploads import upload
from launcher.environment import CHECKOUT
from notifications.models import Channel, Subscription
from operations.doctor import examine
from operations.doctor.findings import Finding, Level
from operations.doctor.sign_in import sign_in
from tests.fake_oidc import CLIENT, SECRET, serving
from workqueue.broker import mark_swept


def by_part(findings) -> dict[str, Finding]:
    return {finding.part: finding for finding in findings}


def test_a_running_installation_is_examined(application, empty_redis) -> None:
    mark_swept()
    parts = by_part(examine())
    for name in (
        "python",
        "database",
        "connections",
        "migrations",
        "clock",
        "redis",
        "workers",
        "queue",
        "failures",
        "mail",
    ):
        assert parts[name].level is not Level.ERROR or name == "database", parts[name]
    # The servers of the tests give up durability for speed, which the doctor must not overlook.
    assert "can be lost" in parts["database"].text


def test_what_is_wrong_is_named(application, empty_redis, settings) -> None:
    collection = create_collection(application=application, name="handbook", by="test")
    document = upload(collection=collection, name="a.txt", data=b"text", by="test").document
    type(document).objects.update(
        state=DocumentState.FAILED,
        due_at=None,
        error="the parser ended",
        error_code="internal_error",
    )
    Subscription.objects.create(
        application=application,
        channel=Channel.WEBHOOK,
        target="https://127.0.0.1/x",
        created_by="test",
    )
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", 1, 1
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    parts = by_part(examine())
    assert parts["workers"].level is Level.ERROR
    assert "1 could not be indexed" in parts["documents"].text
    assert "127.0.0.1" in parts["webhooks"].text
    assert parts["webhooks"].level is Level.ERROR
    assert "127.0.0.1:1" in parts["mail"].text
    assert all(each.remedy for each in parts.values() if each.level is not Level.OK)


def test_the_provider_is_asked(application, settings) -> None:
    assert [item.level for item in sign_in()] == [Level.OK]
    settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET = CLIENT, SECRET
    settings.OIDC_GROUPS = read_grants({"qa": {"demo": "reviewer"}})
    with serving() as provider:
        settings.OIDC_ISSUER = provider.url
        (finding,) = sign_in()
        assert (finding.level, finding.text) == (Level.OK, f"{provider.url} answers, with 1 keys")
        settings.OIDC_ISSUER = provider.url.replace("127.0.0.1", "localhost")
        (finding,) = sign_in()
        assert finding.level is Level.ERROR
        assert "calls itself" in finding.text
    settings.OIDC_ISSUER = "http://127.0.0.1:1"
    settings.BREAK_GLASS_USER = "glass"
    findings = list(sign_in())
    assert [item.level for item in findings] == [Level.ERROR, Level.ERROR]
    assert "127.0.0.1:1" in findings[0].text


def test_it_reports_when_nothing_answers(servers) -> None:
    environment = {
        "SECRET_KEY": "x" * 60,
        "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none",
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "MODEL_DIR": str(settings.MODEL_DIR),
        "NLI_MODEL": "lexical",
        "PATH": "/usr/bin:/bin",
    }
    result = subprocess.run(
        [sys.executable, "manage.py", "doctor", "--json"],
        check=False,
        cwd=CHECKOUT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.returncode == 1, result.stderr
    rows = json.loads(result.stdout)
    failing_parts = {row["part"] for row in rows if row["level"] == "error"}
    assert {"database", "migrations", "redis", "workers", "queue"} <= failing_parts


def test_the_plain_report_shows_remedies(application, empty_redis, capsys) -> None:
    with pytest.raises(SystemExit):
        call_command("doctor")
    report = capsys.readouterr().out
    assert "ERROR    workers: no sweep" in report
    assert "→ Start a worker and beat" in report
