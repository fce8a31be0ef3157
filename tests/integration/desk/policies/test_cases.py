"""Cases: seeded ones among the reviews, regression ones under every policy."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError
from django.utils import timezone
from pytest_django.asserts import assertNumQueries

from accounts.models import Application, Role, Scope
from analysis.engine import ENGINE_VERSION
from analysis.engine.policy import PolicyRules
from analysis.models import (
    Case,
    CaseUse,
    Check,
    DecidedDay,
    Policy,
    Review,
    ReviewDecision,
    ReviewReason,
    TrendPending,
)
from analysis.selectors.cases import case_outcomes
from analysis.services.checking import run_check
from analysis.services.policies import activate_policy, create_policy, merged
from analysis.services.probing import remove_probe_checks
from audit.models import Event, TrailEntry
from desk.policies.services import cases as services
from desk.policies.services.cases import add_cases, read_cases
from desk.policies.tasks import watch_cases
from desk.reviews.selectors import desk
from desk.reviews.selectors.decision_counts import decided_within
from desk.reviews.selectors.oversight import decisions_on_seeded, oversight
from desk.reviews.services.queue import claim_next
from desk.reviews.services.reviews import decide_review
from notifications.delivery import NotificationText, mail_text
from notifications.models import EventKind, Notification
from operations.evidence import Period, chapters_of
from tests.commands import run
from tests.integration.people import subscribed

pytestmark = pytest.mark.usefixtures("empty_redis")
SOURCE = "The mill has 10 rooms. It opens at 8."
BAD = {"id": "mill-rooms", "response": "The mill has 20 rooms.", "context": [SOURCE], "label": 1}
GOOD = {"id": "opening", "response": "It opens at 8.", "context": SOURCE, "label": 0}
CONFIRMED, OVERTURNED = ReviewDecision.CONFIRMED, ReviewDecision.OVERTURNED
LIST, ADD = "/admin/analysis/case/", "/admin/analysis/case/add/"
OVERSIGHT = "/admin/analysis/review/oversight/"


def lines(*rows: dict[str, object]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def added(application: Application, use: CaseUse, *rows: dict[str, object]) -> list[Case]:
    """Cases whose answers the real engine has checked."""
    cases = read_cases(lines(*rows).splitlines())
    rows_of_cases = add_cases(application=application, use=use, cases=cases, by="who-adds")
    for case in rows_of_cases:
        assert run_check(case.pk)
    return rows_of_cases


def test_a_seeded_case_is_a_review_like_any_other_and_no_traffic(
    application, anna, as_user
) -> None:
    kinds = (EventKind.CHECK_DONE, EventKind.REVIEW_DECIDED)
    subscribed(application, "https://receiver.example/", *kinds)
    Application.objects.update(second_review_share=1, quality_sample_rate=0.02)
    bad, good = added(application, CaseUse.SEEDED, BAD, GOOD)
    reviews = {review.check_record_id: review for review in Review.objects.all()}
    assert reviews[bad.pk].reason == ReviewReason.BLOCK
    assert reviews[good.pk].reason == ReviewReason.QUALITY_SAMPLE
    of_good = Check.everything.get(pk=good.pk)
    assert (of_good.sampled, of_good.sampling_probability) == (True, 0.02)  # as of any sample
    assert not Check.objects.exists()
    assert not TrendPending.objects.exists()

    browser = as_user(anna)
    page = browser.get(f"/admin/analysis/review/{reviews[bad.pk].pk}/workbench/")
    assert "20 rooms" in page.content.decode()
    page = browser.get(f"/admin/analysis/check/{bad.pk}/change/")
    assert page.status_code == 200
    for secret in ("eeded", "mill-rooms", "who-adds"):
        assert secret not in page.content.decode()
    assert browser.get(LIST).status_code == 403

    first = claim_next(by=anna)
    assert first.check_record_id == bad.pk
    assert decide_review(review=first, decision=CONFIRMED, by=anna) is None
    decide_review(review=reviews[good.pk], decision=OVERTURNED, by=anna, note="no")
    assert not Review.objects.filter(decision=None).exists()  # no second review
    assert not Notification.objects.exists()
    now = timezone.now()
    day = {"start": now - timezone.timedelta(hours=1), "end": now + timezone.timedelta(hours=1)}
    assert sum(row.count for row in decided_within([application.pk], **day)) == 0
    assert oversight(Review.objects.all(), **day) == []
    (row,) = decisions_on_seeded(Review.objects.all(), **day)
    assert (row.reviewer, row.decided, row.right, row.bad, row.passed) == ("anna", 2, 1, 1, 0)
    assert row.low < 0.5 < row.high
    remove_probe_checks(application_ids=[application.pk])
    assert Check.everything.count() == 2
    assert not DecidedDay.objects.exists()


def test_traffic_beside_seeded_cases_is_counted_alone(application, anna, checked) -> None:
    (bad,) = added(application, CaseUse.SEEDED, BAD)
    own = checked(answer="The mill has 20 rooms.", sources=[SOURCE])
    for check_id in (bad.pk, own.pk):
        review = Review.objects.get(check_record=check_id)
        decide_review(review=review, decision=CONFIRMED, by=anna)
    today = timezone.now().date()
    chapters = {c.name: c for c in chapters_of(Period(application, today, today))}
    tables = {table.name: table.rows for table in chapters["reviewers"].tables}
    assert tables["decisions"] == (("anna", "first", "block", "confirmed", 1),)
    assert tables["seeded"][0][:3] == (1, 1, 1.0)
    quality = {row[0]: row[2] for row in chapters["quality"].tables[0].rows}
    assert quality["overturn_rate"] == 1


def test_leads_alone_see_how_reviewers_decide_them(
    application, anna, member, as_user, client_with
) -> None:
    bad, _ = added(application, CaseUse.SEEDED, BAD, GOOD)
    review = Review.objects.get(check_record=bad.pk)
    decide_review(review=review, decision=OVERTURNED, by=anna, note="fine")
    lead, auditor = (
        as_user(member(name, role, application))
        for name, role in (("lead", Role.LEAD), ("auditor", Role.AUDITOR))
    )
    page = lead.get(OVERSIGHT).content.decode()
    assert "Seeded cases" in page
    assert "1 of 1" in page  # bad answers let through
    assert "Seeded cases" not in auditor.get(OVERSIGHT).content.decode()
    assert auditor.get(LIST).status_code == 403
    with assertNumQueries(10):
        page = lead.get(LIST).content.decode()
    assert "anna: wrong" in page
    path = "/api/v1/cases/seeded"
    (row,) = client_with(application, Scope.POLICIES_WRITE).get(path).json()["results"]
    assert (row["reviewer"], row["right"], row["passed"]) == ("anna", 0, 1)


def test_leads_add_and_delete_them_on_the_page(
    application, other_application, anna, member, as_user
) -> None:
    lead = as_user(member("lead", Role.LEAD, application))
    one = {
        "application": application.pk, "use": "seeded", "query": "How many rooms?",
        "answer": "The mill has 20 rooms.", "sources": f"{SOURCE}\r\n---\r\nMore.", "is_bad": "on",
    }  # fmt: skip
    empty = lead.get(LIST).content.decode()
    assert "Answers whose right decision is known, used to test reviewers and policies." in empty
    assert "changelist-filter" not in empty
    assert lead.post(ADD, {**one, "answer": ""}).status_code == 200
    assert lead.post(ADD, {**one, "application": other_application.pk}).status_code == 200
    assert lead.post(ADD, one).status_code == 302
    check = Check.everything.get()
    assert check.sources == [SOURCE, "More."]
    assert "changelist-filter" in lead.get(LIST).content.decode()
    file = SimpleUploadedFile("cases.jsonl", lines(BAD, GOOD))
    form = {"application": application.pk, "use": "regression", "file": file}
    assert lead.post(ADD, form).status_code == 302
    assert Case.objects.filter(use="regression").count() == 2
    broken = SimpleUploadedFile("cases.jsonl", b'{"response": "No label."}\n')
    page = lead.post(ADD, {**form, "file": broken})
    assert "Line 1" in page.content.decode()
    assert run_check(check.pk)
    review = Review.objects.get()
    delete = f"{LIST}{check.pk}/delete/"
    decide_review(review=review, decision=CONFIRMED, by=anna)
    lead.post(delete, {"post": "yes"})
    assert Case.objects.filter(pk=check.pk).exists()  # it was decided
    other = Case.objects.filter(use="regression").first()
    assert lead.post(f"{LIST}{other.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not Check.everything.filter(pk=other.pk).exists()
    changes = TrailEntry.objects.filter(event=Event.CASE_CHANGED)
    assert sorted(entry.data["change"] for entry in changes) == ["added"] * 3 + ["deleted"]


def test_the_api_of_cases(application, client_with) -> None:
    client = client_with(application, Scope.POLICIES_WRITE)
    body = {"use": "regression", "items": [BAD, GOOD]}
    response = client.post("/api/v1/cases", body, format="json")
    assert response.status_code == 201
    assert [row["name"] for row in response.json()["results"]] == ["mill-rooms", "opening"]
    wrong = {**body, "items": [{"response": "x", "label": 3}]}
    assert client.post("/api/v1/cases", wrong, format="json").status_code == 400
    with assertNumQueries(2):
        page = client.get("/api/v1/cases", {"use": "regression"}).json()
    assert [row["state"] for row in page["results"]] == ["queued", "queued"]
    assert client.delete(f"/api/v1/cases/{page['results'][0]['id']}").status_code == 204


def test_regression_cases_are_decided_by_each_version(
    application, member, as_user, client_with
) -> None:
    added(application, CaseUse.REGRESSION, BAD, GOOD)
    assert not Review.objects.exists()
    assert "All 2 regression cases passed." in run("cases", "run", application.slug)
    policy = lax_version(application)
    with pytest.raises(CommandError, match="1 of 2 regression cases failed"):
        run("cases", "run", application.slug, "--version", str(policy.version))
    lead = as_user(member("lead", Role.LEAD, application))
    page = lead.get(f"/admin/analysis/policy/{policy.pk}/activate/").content.decode()
    assert "1 of 2 do not pass" in page
    client = client_with(application, Scope.POLICIES_READ)
    found = client.get(f"/api/v1/policies/{policy.pk}/cases").json()
    assert (found["passed"], found["failed"]) == (1, 1)
    assert "A superuser may override this." in page


def lax_version(application: Application) -> Policy:
    """A version that allows BAD."""
    verdicts = ("contradictory", "contradictory_high_confidence", "no_claim_supported")
    lax = {"verdicts": dict.fromkeys(verdicts, "ALLOW"), "warn_at": 100, "block_at": 100}
    rules = merged(application.pk, "active", lax)
    return create_policy(application_id=application.pk, rules=rules, by="lea")


def test_a_version_that_fails_a_case_is_refused_until_a_superuser_overrides(
    application, member, as_user, superuser, client_with, tmp_path
) -> None:
    bad, _ = added(application, CaseUse.REGRESSION, BAD, GOOD)
    policy = lax_version(application)
    path = f"/admin/analysis/policy/{policy.pk}/activate/"
    form = {"reason": "An auditor asked for it.", "despite_cases": "on"}
    lead = as_user(member("lead", Role.LEAD, application))
    page = lead.post(path, form, follow=True).content.decode()
    assert "1 of 2 regression cases do not pass." in page  # the box is for superusers
    api = client_with(application, Scope.POLICIES_WRITE)
    refused = api.post(f"/api/v1/policies/{policy.pk}/activate")
    assert refused.status_code == 409
    assert refused.json()["type"].endswith(":cases_failed")
    new = {"rules": policy.rules, "activate": True}
    refused = api.post("/api/v1/policies", new, format="json")
    assert refused.json()["type"].endswith(":cases_failed")
    file = tmp_path / "lax.yaml"
    run("policy", "export", "--application", application.slug, "--version", str(policy.version),
        "--out", str(file))  # fmt: skip
    bring = ("policy", "import", str(file), "--application", application.slug, "--activate")
    with pytest.raises(CommandError, match="1 of 2 regression cases do not pass"):
        run(*bring)
    assert policy.version == 2
    assert not Policy.objects.filter(is_active=True).exclude(version=1).exists()
    assert Policy.objects.count() == 2  # what was refused left nothing behind

    desk = as_user(superuser)
    assert "wd-choice" in desk.get(path).content.decode()
    desk.post(path, {"reason": form["reason"]})
    assert not Policy.objects.get(pk=policy.pk).is_active
    desk.post(path, form)
    assert Policy.objects.get(pk=policy.pk).is_active
    entry = TrailEntry.objects.filter(event=Event.POLICY_ACTIVATED).latest("id")
    assert entry.data["cases"] == {
        "passed": 1, "failed": [str(bad.pk)], "overridden": form["reason"],
    }  # fmt: skip
    assert "in force" in run(*bring, "--despite-cases", "An incident.")
    entry = TrailEntry.objects.filter(event=Event.POLICY_ACTIVATED).latest("id")
    assert entry.data["cases"]["overridden"] == "An incident."
    Application.objects.update(cases_must_pass=False)
    assert api.post(f"/api/v1/policies/{policy.pk}/activate").status_code == 200


def test_another_judge_or_engine_has_the_cases_run_again(application, monkeypatch) -> None:
    subscribed(application, "lea@example.com")
    bad, _ = added(application, CaseUse.REGRESSION, BAD, GOOD)
    now = timezone.now()
    watch_cases()
    watch_cases()
    begun, ended = TrailEntry.objects.filter(event=Event.CASES_RUN).order_by("id")
    assert (begun.data["state"], ended.data["state"]) == ("begun", "ended")
    assert (ended.data["engine"], ended.data["passed"]) == (ENGINE_VERSION, 2)
    assert Case.objects.filter(pk=bad.pk).exists()  # they were measured by this engine
    assert services.watch_cases(now) == 0

    create_policy(
        application_id=application.pk, rules=lax_version(application).rules, by="lea",
        activate=True, despite_cases="A test.",
    )  # fmt: skip
    monkeypatch.setattr(services, "ENGINE_VERSION", "99.0")
    assert services.watch_cases(now) == 0  # soon after the last run
    later = now + timezone.timedelta(hours=1)
    assert services.watch_cases(later) == 1
    assert not Case.objects.filter(pk=bad.pk).exists()  # each is a new check
    assert services.watch_cases(later) == 0  # which has not ended
    for case in Case.objects.all():
        assert run_check(case.pk)
    assert services.watch_cases(later) == 1
    entry = TrailEntry.objects.filter(event=Event.CASES_RUN).latest("id")
    assert (entry.data["engine"], entry.data["passed"], len(entry.data["failed"])) == ("99.0", 1, 1)
    row = Notification.objects.get(kind=EventKind.CASES_FAILED)
    assert (row.data["failed"], row.data["cases"]) == (1, 2)
    text = mail_text([NotificationText(EventKind.CASES_FAILED, row.data, now)], "Demo")
    assert "1 of 2 regression cases do not pass" in text


def test_a_case_of_another_engine_fails_until_it_is_measured_again(application, tmp_path) -> None:
    (bad,) = added(application, CaseUse.REGRESSION, BAD)
    file = tmp_path / "one.jsonl"
    file.write_bytes(lines(GOOD))
    assert "1 cases added" in run(
        "cases", "add", application.slug, str(file), "--use", "regression"
    )
    with pytest.raises(CommandError, match="1 of 2"):  # it was not checked yet
        run("cases", "run", application.slug)
    with pytest.raises(CommandError, match="within 0 seconds"):
        run("cases", "run", application.slug, "--fresh", "0")
    assert not Check.everything.filter(pk=bad.pk).exists()
    for case in Case.objects.all():
        assert run_check(case.pk)
    assert "All 2" in run("cases", "run", application.slug)


def test_reviews_come_back_as_cases_and_are_marked_in_exports(
    application, anna, checked, tmp_path
) -> None:
    check = checked(answer="The mill has 20 rooms.", sources=[SOURCE])
    decide_review(review=Review.objects.get(check_record=check), decision=CONFIRMED, by=anna)
    file = tmp_path / "reviewed.jsonl"
    run("export_reviewed", str(file))
    assert json.loads(file.read_text())["meta"]["seeded"] is False
    run("cases", "add", application.slug, str(file), "--use", "seeded")
    case = Case.objects.get()
    assert case.is_bad
    assert run_check(case.pk)
    decide_review(review=Review.objects.get(decision=None), decision=CONFIRMED, by=anna)
    run("export_reviewed", str(file))
    assert len(file.read_text().splitlines()) == 1
    run("export_reviewed", str(file), "--seeded")
    assert json.loads(file.read_text())["meta"]["seeded"] is True
    assert desk.decisions_since(anna, check.created_at).total == 2


def test_a_policy_that_holds_everything_is_held_to_its_cases_like_any_other(
    application, checked
) -> None:
    """Held answers warn: a good case would fail and a bad one pass, whatever is measured."""
    rules = {"hold": {"risk_at": 0}, "overrides": []}
    policy = create_policy(application_id=application.pk, rules=rules, by="test")
    activate_policy(policy=policy, by="test")
    cases = {case.name: case for case in added(application, CaseUse.REGRESSION, BAD, GOOD)}
    assert Check.everything.get(pk=cases["opening"].pk).action == "ALLOW"
    outcomes = case_outcomes(application.pk, PolicyRules.from_json(policy.rules))
    assert {outcome.case.name: outcome.passed for outcome in outcomes} == dict.fromkeys(cases, True)
    (seeded,) = added(application, CaseUse.SEEDED, GOOD)
    review = Review.objects.get(check_record=seeded.pk)
    assert review.reason == ReviewReason.QUALITY_SAMPLE
    held = checked(answer="It opens at 8.", sources=[SOURCE])
    assert held.action == "WARN"
    assert "1 decisions match" in run("verify_decisions")
