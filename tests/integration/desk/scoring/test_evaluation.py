"""Evaluation of reviewed checks: one click, a job, a page that says what its labels are worth."""

import pytest

from accounts.models import Role
from analysis.models import Job, JobKind, JobState, ReviewDecision
from analysis.services.jobs import run_job, start_job
from desk.scoring.assessing import step
from tests.integration.people import person

pytestmark = pytest.mark.usefixtures("empty_redis")
PAGE = "/admin/analysis/review/evaluation/"
GOOD, BAD = "The old mill stands in Lyon.", "The old mill stands in Oslo."
SOURCES = ["The old mill stands in Lyon. It was built in 1840 of grey stone."]
CONFIRMED, OVERTURNED = ReviewDecision.CONFIRMED, ReviewDecision.OVERTURNED


def test_one_click_and_the_figures_of_both_sets(
    application, reviewed, as_user, monkeypatch
) -> None:
    for answer, decision, sampled in [
        (BAD, CONFIRMED, True), (GOOD, CONFIRMED, True), (GOOD, OVERTURNED, True),
        (BAD, CONFIRMED, False), (BAD, OVERTURNED, False),
    ]:  # fmt: skip
        reviewed(decision, sampled=sampled, answer=answer, query="Where?", sources=SOURCES)
    monkeypatch.setattr(step, "AT_ONCE", 2)  # several steps
    client = as_user(person("lea", Role.LEAD, application))
    assert "Evaluate Demo" in client.get(PAGE).content.decode()
    started = client.post(PAGE, {"application": str(application.pk)})
    job = Job.objects.get(kind=JobKind.EVALUATION)
    assert started["Location"] == f"/admin/analysis/job/{job.pk}/change/"
    assert run_job(job.pk, seconds=120)
    job.refresh_from_db()
    assert (job.state, job.done, job.total) == (JobState.DONE, 5, 5)
    sample, everything = job.result["quality_sample"], job.result["all"]
    table = [sample["flagged"][name] for name in ("tp", "fp", "tn", "fn")]
    assert (sample["n"], table) == (3, [1, 0, 1, 1])
    table = [everything["flagged"][name] for name in ("tp", "fp", "tn", "fn")]
    assert (everything["n"], table) == (5, [2, 1, 1, 1])
    assert sample["models"]
    assert sample["auroc"]["value"] is not None
    page = client.get(started["Location"]).content.decode()
    assert page.index("The quality sample") < page.index("not a representative sample")
    assert "WARN or BLOCK" in page
    assert f"/admin/analysis/job/{job.pk}/change/" in client.get(PAGE).content.decode()


def test_nothing_reviewed(application, superuser) -> None:
    job = start_job(
        application_id=application.pk, kind=JobKind.EVALUATION, options={}, by="x", person=superuser
    )
    assert run_job(job.pk, seconds=60)
    job.refresh_from_db()
    assert job.result == {"quality_sample": None, "all": None}


@pytest.mark.parametrize("role", ["lead", "reviewer", "auditor", "foreign lead"])
def test_leads_start_it(role, application, other_application, as_user) -> None:
    where = other_application if role == "foreign lead" else application
    client = as_user(person("someone", Role(role.removeprefix("foreign ")), where))
    assert ("Evaluate Demo" in client.get(PAGE).content.decode()) == (role == "lead")
    answer = client.post(PAGE, {"application": str(application.pk)})
    assert answer.status_code == (302 if role == "lead" else 403)
    assert Job.objects.exists() == (role == "lead")
