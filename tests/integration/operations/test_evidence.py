"""The evidence pack: its figures, its signature, who may take it, and how it is announced."""

import csv
import hashlib
import io
import json
import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pypdf import PdfReader

from accounts.models import Application, Role, Scope
from analysis.models import ProbeResult, ReviewDecision
from analysis.services.erasure import erase_check
from analysis.services.policies import create_policy
from analysis.services.probing import record_results
from analysis.services.trends import count_waiting
from audit.models import Event, TrailEntry
from documents.services.collections import create_collection
from notifications.delivery import NotificationText, mail_subject
from notifications.models import EventKind, Notification
from operations.evidence import (
    DUTIES,
    Period,
    PeriodRefused,
    announce_packs,
    chapters_of,
    export_pack,
    month_before,
)
from tests.commands import run
from tests.integration.people import subscribed

pytestmark = pytest.mark.usefixtures("empty_redis")
RIGHT = {"answer": "The mill stands in Lyon.", "sources": ["The mill stands in Lyon."]}
WRONG = {"answer": "The mill has 20 rooms.", "sources": ["The mill has 10 rooms."]}
PATH = "/api/v1/evidence"


@pytest.fixture
def today(application) -> Period:
    day = timezone.now().date()
    return Period(application, day, day)


def tables(period: Period) -> dict[tuple[str, str], list[dict[str, Any]]]:
    return {
        (chapter.name, table.name): [
            dict(zip(table.columns, row, strict=True)) for row in table.rows
        ]
        for chapter in chapters_of(period)
        for table in chapter.tables
    }


def probe_result(application: Application, outcome: str) -> ProbeResult:
    return ProbeResult(
        application=application, probe="wrong-figure", way="api", verdict="flagged",
        outcome=outcome, milliseconds=1,
    )  # fmt: skip


def test_its_figures_are_those_of_the_period(
    today, application, other_application, reviewed, checked
) -> None:
    reviewed(ReviewDecision.CONFIRMED, **RIGHT)
    missed = reviewed(ReviewDecision.OVERTURNED, **RIGHT)
    reviewed(ReviewDecision.CONFIRMED, **WRONG)
    checked(**RIGHT)
    count_waiting(wait=True)
    record_results(UUID(int=1), [probe_result(application, "passed")])
    record_results(UUID(int=2), [probe_result(application, "unchecked")])
    record_results(UUID(int=3), [probe_result(other_application, "missed")])
    erase_check(
        application_id=application.pk, check_id=missed.check_record_id, by="dpo", reason="asked for"
    )
    rows = tables(today)
    actions = {row["action"]: row["checks"] for row in rows["volumes", "actions"]}
    assert actions == {"ALLOW": 3, "WARN": 0, "BLOCK": 1}
    assert rows["volumes", "by_day"] == [
        {"day": str(today.first), "ALLOW": 3, "WARN": 0, "BLOCK": 1}
    ]
    rate = next(r for r in rows["quality", "rates"] if r["rate"] == "false_negative_rate")
    assert (rate["overturned"], rate["reviewed"], rate["share"]) == (1, 2, 0.5)
    assert 0 < rate["low"] < 0.5 < rate["high"] < 1
    allowed = rows["sampling", "coverage"][0]
    assert (allowed["checks"], allowed["drawn"], allowed["decided"]) == (3, 3, 2)
    assert allowed["lowest probability"] == 1.0
    assert {(r["decision"], r["reviews"]) for r in rows["reviewers", "decisions"]} == {
        ("confirmed", 1), ("overturned", 1),
    }  # fmt: skip
    assert {r["reviewer"] for r in rows["reviewers", "decisions"]} == {"root"}
    (probes,) = rows["probes", "outcomes"]
    assert (probes["way"], probes["passed"], probes["unchecked"], probes["missed"]) == (
        "api", 1, 1, 0,
    )  # fmt: skip
    assert rows["not_checked", "probes_without_verdict"] == [{"day": str(today.first), "probes": 1}]
    assert rows["erasures", "erasures"] == [
        {"event": "check.erased", "by": "dpo", "reason": "asked for", "number": 1}
    ]
    assert "policy.activated" in {row["event"] for row in rows["changes", "entries"]}
    day = today.first - timedelta(days=1)
    before = tables(Period(application, day, day))
    assert {row["checks"] for row in before["volumes", "actions"]} == {0}
    assert before["volumes", "by_day"] == before["changes", "entries"] == []


def test_every_duty_names_chapters_and_its_source(today) -> None:
    names = {chapter.name for chapter in chapters_of(today)}
    for duty in DUTIES:
        assert set(duty.chapters) <= names
        assert "https://" in duty.source
    assert {duty.framework for duty in DUTIES} == {
        "EU AI Act", "ISO/IEC 42001", "NIST AI RMF", "FINRA", "HIPAA",
    }  # fmt: skip


def test_it_is_signed_and_what_was_changed_is_noticed(today, reviewed, tmp_path) -> None:
    reviewed(ReviewDecision.CONFIRMED, **WRONG)
    count_waiting(wait=True)
    days = ["--first", str(today.first), "--last", str(today.last)]
    printed = run("evidence_pack", "demo", *days, "--out", str(tmp_path))
    files = {Path(name).suffix: Path(name) for name in printed.split()}
    assert set(files) == {".pdf", ".json", ".csv"}
    for suffix in (".pdf", ".json"):
        verified = run("verify_record", files[suffix])
        assert "ok   signature" in verified
        assert "ok   chapter sampling" in verified
    document = json.loads(files[".json"].read_text())
    assert document["sha256"]["csv"] == hashlib.sha256(files[".csv"].read_bytes()).hexdigest()
    lines = list(csv.DictReader(io.StringIO(files[".csv"].read_text())))
    blocks = [x for x in lines if (x["chapter"], x["table"]) == ("volumes", "actions")]
    assert {"1"} == {x["value"] for x in blocks if x["row"] == "3" and x["column"] == "checks"}
    pages = " ".join(page.extract_text() for page in PdfReader(files[".pdf"]).pages)
    for words in ("Evidence pack", "Who reviewed what", "EU AI Act", "Art. 26", "root"):
        assert words in pages
    changed = tmp_path / "changed.json"
    changed.write_text(files[".json"].read_text().replace('"root"', '"ada"'))
    with pytest.raises(CommandError, match="chapter reviewers, signature"):
        run("verify_record", changed)


CODE = re.compile(r"\b[a-z]+[_.][a-z]+\b|[{}]|\d{4}-\d\d-\d\dT")


def test_people_read_words_and_programs_codes(
    today, application, as_user, member, reviewed
) -> None:
    reviewed(ReviewDecision.OVERTURNED, **WRONG)
    record_results(uuid4(), [probe_result(application, "false_alarm")])
    count_waiting()
    create_policy(application_id=application.pk, rules={}, by="lea", note="why", activate=True)
    create_collection(application=application, name="handbook", by="lea")
    page = as_user(member("arun", Role.AUDITOR, application)).get(
        "/admin/evidence/",
        {"application": str(application.pk), "first": today.first, "last": today.last},
    )
    rows = [row for chapter in page.context["chapters"] for table in chapter.tables
            for row in (table.columns, *table.rows)]  # fmt: skip
    cells = [value for row in rows for value in row if "://" not in value]
    assert [value for value in cells if CODE.search(value)] == []
    assert {"Flagged by mistake", "100.0%", "first review", "Policy activated"} <= set(cells)
    assert {"Collection handbook", "Component", "WATCHDOG engine"} <= set(cells)
    assert '<a href="https://eur-lex.europa.eu/' in page.content.decode()
    files = export_pack(today, ["pdf", "json"], by="test")
    pdf = " ".join(each.extract_text() for each in PdfReader(io.BytesIO(files["pdf"])).pages)
    assert "Policy activated" in pdf.replace("\n", " ")
    assert "policy.activated" in files["json"].decode()


def test_hostile_text_in_a_pack_is_text(today, application) -> None:
    application.name = "=cmd() <b>&amp;</b> \u202e"
    application.save()
    TrailEntry.objects.create(
        application_id=application.pk, event=Event.APPLICATION_CHANGED, actor="=HYPERLINK(1)",
        subject_type="application", subject_id="x", data={"name": "<img src=x>" * 300},
    )  # fmt: skip
    files = export_pack(today, ["pdf", "csv"], by="test")
    assert files["pdf"].startswith(b"%PDF-")
    assert "'=HYPERLINK(1)" in files["csv"].decode()


def test_a_period_has_an_order_and_an_end(application) -> None:
    day = date(2026, 3, 1)
    assert month_before(day) == (date(2026, 2, 1), date(2026, 2, 28))
    for last in (day - timedelta(days=1), day + timedelta(days=366)):
        with pytest.raises(PeriodRefused):
            Period(application, day, last)
    assert Period(application, day, day + timedelta(days=365)).end == datetime(
        2027, 3, 2, tzinfo=UTC
    )


def test_the_api_gives_it_in_each_format(application, client_with) -> None:
    days = {"first": "2026-10-01", "last": "2026-10-31"}
    client = client_with(application, Scope.REVIEWS_READ)
    response = client.get(PATH, days)
    assert response.status_code == 200
    assert response["Content-Type"] == "application/json"
    assert json.loads(response.content)["period"] == days
    for format_, start in (("pdf", b"%PDF-"), ("csv", b"chapter,table,")):
        response = client.get(PATH, days | {"format": format_})
        assert response.content.startswith(start)
        name = f"evidence-demo-2026-10-01-2026-10-31.{format_}"
        assert response["Content-Disposition"] == f'attachment; filename="{name}"'
    taken = TrailEntry.objects.filter(event=Event.EVIDENCE_EXPORTED)
    assert [list(entry.data["sha256"]) for entry in taken] == [["json"], ["pdf"], ["csv"]]
    refused = client.get(PATH, {"first": "2026-10-31", "last": "2026-10-01"})
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["field"] == "first"
    assert client.get(PATH).status_code == 400


def test_who_may_see_and_take_it(application, other_application, member, as_user) -> None:
    query = {"application": str(application.pk), "first": "2026-10-01", "last": "2026-10-31"}
    reviewer = as_user(member("reviewer", Role.REVIEWER, application))
    assert reviewer.get("/admin/evidence/", query).status_code == 403
    assert reviewer.get("/admin/evidence.pdf", query).status_code == 403
    for name, role in (("lead", Role.LEAD), ("auditor", Role.AUDITOR)):
        browser = as_user(member(name, role, application))
        assert "Who reviewed what" not in browser.get("/admin/evidence/").content.decode()
        assert "Who reviewed what" in browser.get("/admin/evidence/", query).content.decode()
        assert browser.get("/admin/evidence.pdf", query).content.startswith(b"%PDF-")
        elsewhere = query | {"application": str(other_application.pk)}
        assert browser.get("/admin/evidence/", elsewhere).status_code == 400
        assert browser.get("/admin/evidence.json", elsewhere).status_code == 404
        assert browser.get("/admin/evidence.exe", query).status_code == 404
        assert browser.get("/admin/evidence/", query | {"last": "2026-09-01"}).status_code == 400
    taken = TrailEntry.objects.filter(event=Event.EVIDENCE_EXPORTED)
    assert sorted(entry.actor for entry in taken) == ["auditor", "lead"]


def test_it_costs_as_many_queries_for_much_as_for_little(today, application, reviewed) -> None:
    def queries() -> int:
        count_waiting(wait=True)
        with CaptureQueriesContext(connection) as context:
            chapters_of(today)
        return len(context)

    reviewed(ReviewDecision.CONFIRMED, **RIGHT)
    few = queries()
    for _ in range(3):
        reviewed(ReviewDecision.OVERTURNED, **WRONG)
    record_results(UUID(int=1), [probe_result(application, "missed") for _ in range(3)])
    assert queries() <= few <= 30


def test_a_month_is_announced_once(application) -> None:
    mail = subscribed(application, "lead@example.com", EventKind.EVIDENCE_READY)
    now = datetime(2026, 11, 1, 0, 30, tzinfo=UTC)
    for hour in range(3):
        announce_packs(now=now + timedelta(hours=hour))
    message = Notification.objects.get()
    assert message.subscription == mail
    assert f"application={application.pk}&first=2026-10-01&last=2026-10-31" in message.data["url"]
    text = NotificationText(EventKind(message.kind), message.data, now)
    assert mail_subject([text], "Demo").startswith("[Demo] The evidence pack of 2026-10-01 to")
    announce_packs(now=now + timedelta(days=31))
    assert Notification.objects.count() == 2
