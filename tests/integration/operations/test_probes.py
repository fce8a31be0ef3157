"""Probes of the guard: every way, nothing counted, an alarm at the first miss."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from django.core.management import CommandError
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone
from pytest_django.asserts import assertNumQueries
from rest_framework.test import APIClient

from accounts.authentication import PROBE_MARK, probe_token
from accounts.models import Application, Role
from analysis.models import (
    AnnotatedAnswer,
    Batch,
    Check,
    CheckEmbedding,
    Claim,
    Probe,
    ProbeOutcome,
    ProbeResult,
    Review,
    TrendPending,
)
from analysis.selectors.probes import probe_state, read_probes
from analysis.selectors.usage import usage_of
from analysis.services.checking import run_check
from analysis.services.lifecycle import CHECKS
from analysis.services.policies import activate_policy, create_policy
from analysis.services.probing import record_results, remove_probe_checks
from analysis.services.submission import NewCheck, submit
from audit.models import Event, TrailEntry
from audit.sealing import canonical
from notifications.models import SUBSCRIBED, EventKind, Notification, Subscription
from operations import probing
from proxy.app import create_app
from proxy.settings import Settings as ProxySettings
from tests.commands import run
from tests.database import sql
from tests.integration.people import subscribed
from tests.stack import Stack
from tests.unit.proxy.serving import served

pytestmark = pytest.mark.usefixtures("empty_redis")
WAYS = {"api", "batch", "proxy", "stream"}
INCLUDED = {"wrong-figure", "negation", "late-fault", "right-answer"}
OWN = '{"name": "opening", "answer": "It opens at 9.", "sources": ["It opens at 8."]}'


@pytest.fixture
def sending(stack, settings) -> Iterator[Stack]:
    """The running product with a proxy, which probes are sent to."""
    proxy = ProxySettings(model_url="http://127.0.0.1:1", watchdog_url=stack.url)
    with served(create_app(proxy)) as url:
        settings.PROBE_MINUTES = 60
        settings.PROBE_SECONDS = 60
        settings.PROBE_URL, settings.PROBE_PROXY_URL = stack.url, url
        yield stack


@pytest.fixture
def webhook(application) -> Subscription:
    """Told of everything that the application's webhooks can be told of."""
    return subscribed(application, "https://receiver.example/", *SUBSCRIBED)


def outcomes() -> dict[tuple[str, str], str]:
    return {(r.probe, r.way): r.outcome for r in ProbeResult.objects.all()}


@pytest.mark.parametrize("hold", [{}, {"risk_at": 0}])
def test_every_way_is_proven_and_nothing_is_left(sending, application, webhook, hold) -> None:
    """Also where every answer is held: that warns, and would hide a miss."""
    policy = create_policy(application_id=application.pk, rules={"hold": hold}, by="test")
    activate_policy(policy=policy, by="test")
    application.quality_sample_rate = 1.0
    application.claims_per_month = 1_000
    application.save()
    printed = run("run_probes")
    assert outcomes() == {(probe, way): "passed" for probe in INCLUDED for way in WAYS}
    assert len(printed.splitlines()) == len(INCLUDED) * len(WAYS)
    for model in (Check, Batch):
        assert not model.everything.exists()
    for rows in (AnnotatedAnswer, Claim, CheckEmbedding, Review, TrendPending, Notification):
        assert not rows.objects.exists(), rows
    today = timezone.now().date()
    assert usage_of(application.pk, today, today) == []
    entry = TrailEntry.objects.get(event__startswith="probe.")
    assert not TrailEntry.objects.filter(event__startswith="check.").exists()
    assert (entry.event, entry.application_id) == (Event.PROBES_SENT, application.pk)
    assert (entry.data["passed"], entry.data["not_passed"]) == (16, [])
    assert canonical(entry.data)


def test_a_bad_answer_that_gets_through_is_told_once(
    sending, application, webhook, settings
) -> None:
    settings.PROBE_PROXY_URL = ""
    Probe.objects.create(  # the guard rightly allows it, so that it does not do as it should
        application=application,
        name="right-answer",
        answer="The mill stands in Lyon.",
        sources=["The mill stands in Lyon."],
    )
    for _ in range(2):
        with pytest.raises(CommandError, match=r"2 of 8 probes did not pass"):
            run("run_probes", "--application", "demo")
    missed = {place for place, outcome in outcomes().items() if outcome != "passed"}
    assert missed == {("right-answer", "api"), ("right-answer", "batch")}
    assert set(ProbeResult.objects.exclude(outcome="passed").values_list("outcome", "action")) == {
        ("missed", "ALLOW")
    }
    alarm = Notification.objects.get(kind=EventKind.PROBE_FAILED)
    assert {item["way"] for item in alarm.data["probes"]} == {"api", "batch"}


def test_a_proxy_that_is_away_is_not_a_guard_that_works(sending, application, settings) -> None:
    settings.PROBE_PROXY_URL = "http://127.0.0.1:1"
    with pytest.raises(CommandError, match=r"8 of 16"):
        run("run_probes")
    proxied = ProbeResult.objects.filter(way__in=["proxy", "stream"])
    assert set(proxied.values_list("outcome", "action")) == {("unchecked", "")}
    assert all(result.detail.startswith("ConnectError") for result in proxied)


def test_each_judge_is_probed_alone(db) -> None:
    assert probing.probe_judges() == []
    results = ProbeResult.objects.all()
    assert {result.probe for result in results} == INCLUDED
    assert all(result.judge and result.application_id is None for result in results)
    assert set(results.values_list("outcome", flat=True)) == {"passed"}
    entry = TrailEntry.objects.get(event=Event.PROBES_SENT)
    assert entry.application_id is None


def test_a_judge_that_is_missing_is_not_passed_over(db, settings, tmp_path) -> None:
    settings.NLI_MODEL, settings.MODEL_DIR = "base", tmp_path
    failing = probing.probe_judges()
    assert {(r.judge, r.outcome) for r in failing} == {("base", ProbeOutcome.UNCHECKED)}


def sent(application: Application, **changes: object) -> ProbeResult:
    members = {
        "probe": "wrong-figure", "way": "api", "verdict": "flagged", "outcome": "passed",
        "action": "BLOCK", "milliseconds": 7,
    }  # fmt: skip
    return ProbeResult(application=application, **(members | changes))


def test_only_what_passed_before_is_an_alarm(application, webhook, settings) -> None:
    settings.PROBE_MINUTES = 60
    told = []
    for number, outcome in enumerate(["missed", "missed", "passed", "unchecked"]):
        result = sent(application, outcome=outcome)
        told.append(bool(record_results(UUID(int=number), [result])))
    assert told == [True, False, False, True]
    assert Notification.objects.filter(kind=EventKind.PROBE_FAILED).count() == 2


def test_what_is_sent_no_more_is_not_passed_no_more(application, settings) -> None:
    """An included probe that is switched off, and an own one that is deleted."""
    settings.PROBE_MINUTES = 60
    own = Probe.objects.create(application=application, name="opening", answer="It opens at 9.")
    results = [sent(application, outcome="missed"), sent(application, probe="opening")]
    record_results(UUID(int=1), results)
    names = [result.probe for result in probe_state([application.pk], timezone.now()).results]
    assert names == ["opening", "wrong-figure"]
    own.delete()
    off = {"name": "wrong-figure", "answer": "-", "is_active": False}
    Probe.objects.create(application=application, **off)
    assert probe_state([application.pk], timezone.now()).results == []


def test_a_check_is_no_probe_and_a_probe_no_check(application) -> None:
    new = NewCheck(answer="The mill stands in Lyon.", sources=["The mill stands in Lyon."])
    probe_id = submit(application_id=application.pk, new=new, by="probe", is_probe=True).id
    check_id = submit(application_id=application.pk, new=new, by="test").id
    assert run_check(probe_id)
    assert run_check(check_id)
    assert list(Check.objects.values_list("pk", flat=True)) == [check_id]
    assert not application.checks.filter(pk=probe_id).exists()
    refused = (
        ("UPDATE analysis_check SET is_probe = true WHERE id = %s", check_id),
        ("UPDATE analysis_check SET is_probe = false WHERE id = %s", probe_id),
        ("DELETE FROM analysis_check WHERE id = %s", check_id),
        ("DELETE FROM analysis_claim WHERE annotated_answer_id = %s", check_id),
        ("DELETE FROM analysis_annotatedanswer WHERE check_record_id = %s", check_id),
    )
    for door in ("off", "on"):
        for statement, pk in refused:
            with pytest.raises(IntegrityError), transaction.atomic():
                sql(f"SET LOCAL watchdog.erasure = '{door}'; {statement}", pk)
    assert remove_probe_checks(application_ids=[application.pk]) == 1
    assert list(Check.everything.values_list("pk", flat=True)) == [check_id]


def test_a_probe_that_is_given_up_is_told_by_its_run_alone(application, webhook, settings) -> None:
    settings.QUEUE_MAX_ATTEMPTS = 1
    new = NewCheck(answer="The mill stands in Lyon.")
    probe_id = submit(application_id=application.pk, new=new, by="probe", is_probe=True).id
    CHECKS.retry(CHECKS.claim(probe_id), error="ModelMissing")
    assert Check.everything.get(pk=probe_id).state == "failed"
    for rows in (Review, TrendPending, Notification):
        assert not rows.objects.exists(), rows
    assert not TrailEntry.objects.filter(event=Event.CHECK_FAILED).exists()


def test_a_token_for_probes_is_signed_here_and_soon_over(application, settings) -> None:
    client = APIClient(raise_request_exception=False)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {probe_token(application.pk)}")
    assert client.get("/api/v1/checks").status_code == 200
    assert client.get("/api/v1/policies").status_code == 403
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {PROBE_MARK}{application.pk}")
    assert client.get("/api/v1/checks").status_code == 401
    settings.SECRET_KEY = "another"
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {probe_token(application.pk)}")
    settings.SECRET_KEY = "a third"
    assert client.get("/api/v1/checks").status_code == 401


def test_the_api_tells_of_its_own_application(
    application, other_application, client_with, settings
) -> None:
    settings.PROBE_MINUTES = 60
    client = client_with(application)
    assert client.get("/api/v1/probes").json() == {"last_at": None, "not_passed": 0, "results": []}
    record_results(UUID(int=1), [sent(application, outcome="missed", action="ALLOW")])
    record_results(UUID(int=2), [sent(other_application)])
    with assertNumQueries(2):
        document = client.get("/api/v1/probes").json()
    assert document["not_passed"] == 1
    (result,) = document["results"]
    assert (result["probe"], result["outcome"], result["action"]) == (
        "wrong-figure", "missed", "ALLOW",
    )  # fmt: skip


def test_metrics_and_home_say_what_did_not_pass(application, desk, settings, monkeypatch) -> None:
    settings.PROBE_MINUTES, settings.METRICS_TOKEN = 60, "secret"
    record_results(
        UUID(int=1), [sent(application), sent(application, way="batch", outcome="missed")]
    )
    text = Client().get("/metrics", headers={"Authorization": "Bearer secret"}).content.decode()
    labels = 'application="demo",judge="",probe="wrong-figure",way='
    assert f'watchdog_probe_passed{{{labels}"api"}} 1.0' in text
    assert f'watchdog_probe_passed{{{labels}"batch"}} 0.0' in text
    assert "watchdog_probe_timestamp_seconds{" in text
    assert "1 probe of the guard did not pass." in desk.get("/").content.decode()
    settings.PROBE_MINUTES = 1
    monkeypatch.setattr(timezone, "now", lambda: datetime.now(UTC) + timedelta(hours=1))
    assert "No probe of the guard was sent since" in desk.get("/").content.decode()


def test_who_may_see_the_page(
    application, other_application, member, as_user, settings, django_assert_max_num_queries
) -> None:
    settings.PROBE_MINUTES = 60
    record_results(UUID(int=1), [sent(application, outcome="missed", detail="let through")])
    Probe.objects.create(application=other_application, name="elsewhere", answer="It opens at 9.")
    record_results(UUID(int=2), [sent(other_application, probe="elsewhere")])
    assert (
        as_user(member("reviewer", Role.REVIEWER, application)).get("/admin/probes/").status_code
        == 403
    )
    for name, role in (("lead", Role.LEAD), ("auditor", Role.AUDITOR)):
        browser = as_user(member(name, role, application))
        with django_assert_max_num_queries(12):
            page = browser.get("/admin/probes/").content.decode()
        assert "missed: a bad answer got through" in page
        assert "let through" in page
        assert "elsewhere" not in page


def test_a_lead_adds_a_probe_and_an_auditor_reads_it(application, member, as_user) -> None:
    lead = as_user(member("lead", Role.LEAD, application))
    form = {
        "application": str(application.pk), "name": "opening", "query": "", "verdict": "flagged",
        "answer": "It opens at 9.", "sources": "It opens at 8.\n---\nIt closes at 5.",
        "is_active": "on",
    }  # fmt: skip
    assert lead.post("/admin/analysis/probe/add/", form | {"name": "Opening"}).status_code == 200
    assert lead.post("/admin/analysis/probe/add/", form).status_code == 302
    probe = Probe.objects.get()
    assert probe.sources == ["It opens at 8.", "It closes at 5."]
    assert TrailEntry.objects.get(event=Event.PROBE_CHANGED).actor == "lead"
    auditor = as_user(member("auditor", Role.AUDITOR, application))
    where = f"/admin/analysis/probe/{probe.pk}/"
    assert auditor.get(where + "change/").status_code == 200
    assert auditor.post(where + "change/", form).status_code == 403
    assert lead.post(where + "delete/", {"post": "yes"}).status_code == 302
    assert not Probe.objects.exists()


def test_probes_come_from_a_file(application, tmp_path) -> None:
    file = tmp_path / "probes.jsonl"
    file.write_text(
        OWN + "\n" + json.dumps({"name": "negation", "answer": "x", "is_active": False})
    )
    run("load_probes", "demo", file)
    assert sorted(Probe.objects.values_list("name", flat=True)) == ["negation", "opening"]
    names = {probe.name for probe in probing.probes_of([application.pk])[application.pk]}
    assert names == INCLUDED - {"negation"} | {"opening"}
    file.write_text(OWN)
    run("load_probes", "demo", file)
    assert list(Probe.objects.values_list("name", flat=True)) == ["opening"]
    for wrong in ("{", '{"name": "A b", "answer": "x"}', '{"name": "a", "answer": "x", "n": 1}'):
        file.write_text(f"{OWN}\n{wrong}")
        with pytest.raises(CommandError, match="line 2"):
            run("load_probes", "demo", file)
    assert Probe.objects.count() == 1


def test_the_included_probes_are_long_enough() -> None:
    included = {probe.name: probe for probe in probing.included_probes()}
    assert included.keys() == INCLUDED
    late = included["late-fault"]
    assert len(late.answer) > 750, "some guards read no further"
    assert late.sources[0].split(" ")[:-1] == late.answer.split(" ")[:-1]
    assert read_probes("") == []
