"""Auditors verify trail and records in the browser; a command decides stored checks again."""

from functools import partial
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError
from django.db import IntegrityError, connection, transaction
from django.test import Client

from accounts.models import Application, Role
from analysis.engine.policy import PRESETS
from analysis.models import AnnotatedAnswer, Check, Job, JobKind, Review
from analysis.selectors.jobs import last_verifications
from analysis.services import verification
from analysis.services.checking import run_check
from analysis.services.jobs import run_job
from analysis.services.policies import create_policy
from analysis.services.records import export_record
from audit.models import TrailEntry, TrailSeal
from audit.seals import seal_trail, watermark
from tests.commands import run
from tests.integration.people import person, unguarded, unlocked

pytestmark = pytest.mark.usefixtures("empty_redis")
PAGE = "/admin/audit/trailentry/verification/"


@pytest.fixture
def sealed(make_check, monkeypatch) -> Check:
    """Make a decided check, and more seals than one step of a job compares."""
    check = make_check("The bridge was built in 1840.", query="When?")
    assert run_check(check.pk)
    for number in range(5):
        make_check(f"It has {number} arches.")
    seal_trail(at_once=1)
    monkeypatch.setattr(verification, "SEALS_AT_ONCE", 3)
    return Check.objects.get(pk=check.pk)


@pytest.fixture
def auditor(application, as_user) -> Client:
    return as_user(person("arun", Role.AUDITOR, application))


def verified(client: Client, application: Application) -> Job:
    """Run the job behind the button to its end."""
    answer = client.post(PAGE, {"application": str(application.pk)})
    job = Job.objects.get(kind=JobKind.VERIFICATION)
    assert answer["Location"] == f"/admin/analysis/job/{job.pk}/change/"
    assert run_job(job.pk)
    job.refresh_from_db()
    return job


def alter(actor: str) -> None:
    with unguarded():
        of_applications = TrailEntry.objects.filter(application_id__isnull=False)
        last = of_applications.filter(pk__lte=watermark()).latest("id")
        TrailEntry.objects.filter(pk=last.pk).update(actor=actor)


def test_an_auditor_verifies_the_trail_and_reads_when_it_was_verified_last(
    sealed, auditor, application
) -> None:
    assert f"{application.name}: never" in auditor.get("/").content.decode()
    job = verified(auditor, application)
    seals = TrailSeal.objects.filter(chain=application.pk).count()
    assert seals > verification.SEALS_AT_ONCE
    assert job.result == {
        "seal": seals, "entries": seals, "erased": 0, "faults": 0, "named": [],
        "unsealed": 1,  # the auditor's role
    }  # fmt: skip
    for address in ("/", PAGE, f"/admin/analysis/job/{job.pk}/change/"):
        assert f"{seals} entries as sealed" in auditor.get(address).content.decode()


def test_what_was_altered_is_counted_and_named(sealed, auditor, application) -> None:
    alter("nobody")
    job = verified(auditor, application)
    page = auditor.get(f"/admin/analysis/job/{job.pk}/change/").content.decode()
    assert "1 difference from what was sealed" in page
    assert "is not as it was sealed" in page
    assert "1 difference from what was sealed" in auditor.get(PAGE).content.decode()


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.LEAD, None])
def test_others_verify_nothing(
    role, sealed, application, other_application, member, as_user
) -> None:
    client = as_user(member("someone", role, application))
    assert client.get(PAGE).status_code == 403
    assert client.post(PAGE, {"application": str(application.pk)}).status_code == 403
    foreign = as_user(person("foreign", Role.AUDITOR, other_application))
    assert foreign.post(PAGE, {"application": str(application.pk)}).status_code == 403
    assert not Job.objects.exists()


@pytest.mark.parametrize("as_", ["pdf", "json"])
def test_an_uploaded_record_is_verified_and_compared(
    as_, sealed, auditor, other_application, as_user
) -> None:
    data = export_record(check=sealed, as_=as_, by="test", reviews=Review.objects.all())

    def verdict(client: Client, file: bytes) -> str:
        answer = client.post(PAGE, {"file": SimpleUploadedFile(f"record.{as_}", file)})
        assert answer.status_code == 200
        return answer.content.decode()

    assert "what was handed out, and what is stored here" in verdict(auditor, data)
    changed = data.replace(b"1840", b"1850") if as_ == "json" else data[:-9] + b"x" + data[-8:]
    assert "Not valid" in verdict(auditor, changed)
    foreign = as_user(person("foreign", Role.AUDITOR, other_application))
    assert "you do not audit its application" in verdict(foreign, data)
    assert "Not valid" not in verdict(foreign, data)
    alter("nobody")
    changed_since = verdict(auditor, data)
    assert "Valid" in changed_since  # the entry that was altered is of another check


def test_what_is_stored_otherwise_is_told(sealed, auditor) -> None:
    data = export_record(check=sealed, as_="json", by="test", reviews=Review.objects.all())
    with unguarded():
        Check.objects.filter(pk=sealed.pk).update(query="Where?")
    page = auditor.post(PAGE, {"file": SimpleUploadedFile("r.json", data)}).content.decode()
    assert "Not valid" in page
    assert "stored input" in page


def test_one_decision_is_verified_from_its_page(
    sealed, auditor, application, other_application, as_user, member
) -> None:
    page = f"/admin/analysis/check/{sealed.pk}/change/"
    assert "Verify this decision" in auditor.get(page).content.decode()
    lead = as_user(member("lea", Role.LEAD, application))
    assert "Verify this decision" not in lead.get(page).content.decode()
    foreign = as_user(person("foreign", Role.AUDITOR, other_application))
    for client in (lead, foreign):
        assert client.post(PAGE, {"check": str(sealed.pk)}).status_code == 403
    assert auditor.post(PAGE, {"check": "nonsense"}).status_code == 403
    verdict = auditor.post(PAGE, {"check": str(sealed.pk)}).content.decode()
    assert "The decision is stored as it was made and sealed." in verdict
    assert "Decided again with the same result" in verdict
    with unguarded():
        Check.objects.filter(pk=sealed.pk).update(query="Where?")
    verdict = auditor.post(PAGE, {"check": str(sealed.pk)}).content.decode()
    assert "The decision is not stored as it was made or sealed." in verdict
    assert "Not: agreement" in verdict


@pytest.mark.parametrize("junk", [b"", b"hello", b"{}", b"%PDF-1.7 nothing", b"[" * 100_000])
def test_what_is_no_record_is_told(junk, auditor) -> None:
    answer = auditor.post(PAGE, {"file": SimpleUploadedFile("<b>.pdf", junk)})
    page = answer.content.decode()
    assert answer.status_code == 200
    assert any(words in page for words in ("no decision record", "Not valid", "file is empty"))
    assert "<b>.pdf" not in page


def test_the_last_verifications_are_read_at_once(
    sealed, auditor, application, other_application
) -> None:
    first = verified(auditor, application)
    found = dict(last_verifications(Application.objects.order_by("pk")))
    assert found == {application: first, other_application: None}


SOURCES = ["The old mill stands in Lyon. It was built in 1840 of grey stone."]
CASES: list[dict[str, Any]] = [
    {"answer": "The old mill stands in Lyon [1]. It was built in 1840.", "sources": SOURCES},
    {"answer": "The old mill stands in Oslo [7].", "sources": SOURCES, "query": "Where is it?"},
    {"answer": "It definitely closed in 2010. It closed in 2015."},
    {"answer": "Hello there!", "sources": []},
]


verify = partial(run, "verify_decisions")


def test_every_decision_comes_out_as_it_is_stored(application, checked) -> None:
    for name in sorted(PRESETS):
        create_policy(
            application_id=application.pk, rules=PRESETS[name].to_json(), by="test", activate=True
        )
        for case in CASES:
            checked(**case)
    assert verify() == f"{len(PRESETS) * len(CASES)} decisions match their policy and signals.\n"


def test_another_engine_version_is_counted_and_not_verified(checked) -> None:
    checked(**CASES[0])
    unlocked("UPDATE analysis_annotatedanswer SET engine_version = '0.9.0'")
    assert "0 decisions match" in verify()
    assert "1 cannot be replayed: this build does not contain their engine version." in verify()


def test_an_altered_decision_is_named(checked) -> None:
    check = checked(**CASES[1])
    assert AnnotatedAnswer.objects.get(pk=check.pk).decision["action"] != "ALLOW"
    unlocked(
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
def test_so_is_a_column_that_tells_of_another_decision(checked, change, name) -> None:
    """Lists and answers of the API are made of the columns."""
    check = checked(**CASES[1])
    with pytest.raises(IntegrityError, match="evidence"), transaction.atomic():
        connection.cursor().execute(f"UPDATE {change}")
    unlocked(f"UPDATE {change}")
    with pytest.raises(CommandError, match=f"{check.pk}: stored {name}"):
        verify()
    unlocked("UPDATE analysis_annotatedanswer SET engine_version = '0.9.0'")
    with pytest.raises(CommandError, match=f"{check.pk}: stored {name}"):
        verify()
