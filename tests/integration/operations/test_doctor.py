"""`manage.py doctor` against real servers, and against none."""

import json
import os
import socket
import subprocess
import sys
from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.utils import timezone

from accounts.oidc.rights import read_grants
from accounts.services import create_api_key
from analysis.models import Check, CheckState
from assistant.models import BriefingMail, MailState
from assistant.services import start_conversation
from audit.models import TrailEntry, TrailSeal
from audit.seals import seal_trail
from documents.models import DocumentState
from documents.services.collections import create_collection
from documents.services.uploads import upload
from lib.workqueue.broker import mark_swept
from memory.services.managers import create_manager
from operations.doctor import examine, product, reach, trust
from operations.doctor.findings import Finding, Level
from operations.doctor.trust import sign_in
from tests.commands import tried
from tests.database import sql
from tests.fake_oidc import CLIENT, SECRET, serving
from tests.integration.people import subscribed, unguarded

EXAMINED = (
    "python", "database", "connections", "migrations", "clock", "redis", "workers", "queue",
    "failures", "mail", "sandbox", "keys", "trail",
)  # fmt: skip


def doctor(environment: dict[str, str], *options: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    return tried(
        sys.executable, "manage.py", "doctor", *options, environment=environment, timeout=120
    )


def by_part(findings) -> dict[str, Finding]:
    return {finding.part: finding for finding in findings}


def test_a_running_installation_is_examined(application, empty_redis) -> None:
    mark_swept()
    parts = by_part(examine())
    for name in EXAMINED:
        assert parts[name].level is not Level.ERROR or name == "database", parts[name]
    # The servers of the tests give up durability for speed, which the doctor must not overlook.
    assert "can be lost" in parts["database"].text


def test_what_is_wrong_is_named(application, empty_redis, settings, make_check) -> None:
    collection = create_collection(application=application, name="handbook", by="test")
    document = upload(collection=collection, name="a.txt", data=b"text", by="test").document
    failed = {"state": DocumentState.FAILED, "due_at": None, "error": "the parser ended"}
    type(document).objects.update(**failed, error_code="internal_error")
    subscribed(application, "https://127.0.0.1/x")
    Check.objects.filter(pk=make_check().pk).update(state=CheckState.FAILED, due_at=None)
    manager = create_manager(application=application, name="Ann", by="test")
    BriefingMail.objects.create(
        conversation=start_conversation(manager),
        email="ann@example.com",
        state=MailState.FAILED,
        due_at=None,
    )
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", 1, 1
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    parts = by_part(examine())
    assert parts["workers"].level is Level.ERROR
    assert "1 could not be indexed" in parts["documents"].text
    assert "1 were given up" in parts["checks"].text
    assert "1 were never sent" in parts["briefings"].text
    assert "127.0.0.1" in parts["webhooks"].text
    assert parts["webhooks"].level is Level.ERROR
    assert "127.0.0.1:1" in parts["mail"].text
    assert all(each.remedy for each in parts.values() if each.level is not Level.OK)


def test_a_model_that_is_switched_off_is_no_fault(settings) -> None:
    settings.EMBEDDING_MODEL = ""
    (finding,) = product.embedding()
    assert finding.level is Level.OK


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
    result = doctor(environment, "--json")
    assert result.returncode == 1, result.stderr
    rows = json.loads(result.stdout)
    failing_parts = [row["part"] for row in rows if row["level"] == "error"]
    assert (failing_parts.count("database"), failing_parts.count("redis")) == (1, 1)
    left_out = " ".join(row["text"] for row in rows if row["part"] == "not examined")
    assert all(part in left_out for part in ("migrations", "queue", "trail", "workers"))


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"SECRET_KEY": ""}, "SECRET_KEY is not set"),
        ({"JUDGE_LLM_ASK": "never"}, "Set JUDGE_LLM_ASK to"),
    ],
)
def test_a_setting_that_stops_everything_is_told_in_one_line(environment, words) -> None:
    result = doctor(os.environ | environment)
    assert result.returncode == 1
    assert result.stderr.startswith(f"ERROR    settings: {words}")
    assert len(result.stderr.splitlines()) == 1


def test_the_plain_report_shows_remedies(application, empty_redis, capsys) -> None:
    with pytest.raises(SystemExit):
        call_command("doctor")
    report = capsys.readouterr().out
    assert "ERROR    workers: no sweep" in report
    assert "→ Start a worker and beat" in report


def test_a_webhook_is_called_on_its_port_only_to_see_whether_it_listens(
    application, settings
) -> None:
    settings.WEBHOOK_ALLOWED_HOSTS = ["127.0.0.1"]
    with socket.create_server(("127.0.0.1", 0)) as receiver:
        target = f"http://127.0.0.1:{receiver.getsockname()[1]}/hook"
        subscribed(application, target)
        (finding,) = reach.webhooks()
        assert (finding.level, finding.text) == (Level.OK, f"{target} accepts connections")
    (finding,) = reach.webhooks()
    assert finding.level is Level.ERROR
    assert "refused" in finding.text


def test_language_models_that_do_not_answer_are_named(settings) -> None:
    assert list(reach.language_models()) == []
    settings.LLM_URL = "http://127.0.0.1:1/v1"
    settings.JUDGE_LLMS = [{"url": "http://127.0.0.1:1/v1"}]
    findings = list(reach.language_models())
    assert [finding.level for finding in findings] == [Level.WARNING] * 2
    assert "sentences of its sources" in findings[0].remedy


def test_web_is_asked_at_the_address_that_people_use(settings) -> None:
    settings.PROBE_URL = "http://127.0.0.1:1"
    (finding,) = reach.web()
    assert finding.level is Level.WARNING
    settings.PUBLIC_URL = "http://127.0.0.1:1"
    (finding,) = reach.web()
    assert finding.level is Level.ERROR


def test_a_missing_model_is_named_once_with_its_mend(settings, tmp_path) -> None:
    settings.MODEL_DIR, settings.EMBEDDING_MODEL = tmp_path, "all-MiniLM-L6-v2"
    (finding,) = product.embedding()
    assert "is not prepared" in finding.text
    assert "inference.export" in finding.remedy
    assert "inference.export" not in finding.text
    settings.NLI_MODEL = "base"
    _, answers = product.embedding()
    assert answers.text.startswith("The judge of answers is not prepared")
    assert "--judge" in answers.remedy


def test_keys_without_anybody_and_keys_that_end(application) -> None:
    minutes = timezone.now() + timedelta(minutes=15)
    create_api_key(application=application, name="one job", by="test", expires_at=minutes)
    assert [finding.level for finding in trust.api_keys()] == [Level.OK]
    soon, gone = timezone.now() + timedelta(days=3), User.objects.create(is_active=False)
    for name, rest in (("a", {}), ("b", {"owner": gone, "expires_at": soon})):
        create_api_key(application=application, name=name, by="test", **rest)
    texts = [finding.text for finding in trust.api_keys()]
    assert [text.partition(":")[0] for text in texts] == [
        "keys without an owner",
        "keys whose owner's account is closed",
        "keys expire within 14 days",
    ]


def test_a_trail_that_is_not_sealed_or_by_a_strange_key(application, settings) -> None:
    assert [finding.level for finding in trust.trail()] == [Level.OK]
    with unguarded():
        TrailEntry.objects.update(occurred_at=timezone.now() - timedelta(hours=1))
    (finding,) = trust.trail()
    assert "nothing was sealed since" in finding.text
    seal_trail()
    assert TrailSeal.objects.exists()
    assert [finding.level for finding in trust.trail()] == [Level.OK]
    settings.SECRET_KEY = "another " * 8
    (finding,) = trust.trail()
    assert "signed by the key" in finding.text
    settings.TRAIL_SIGNING_KEY = "short"
    (finding,) = trust.trail()
    assert finding.level is Level.ERROR


def test_tables_of_another_version_are_no_matter_of_the_network(application) -> None:
    sql("ALTER TABLE notifications_subscription RENAME TO elsewhere")
    findings = by_part(examine())
    assert findings["webhooks"].remedy.startswith("Run `manage.py migrate`")
