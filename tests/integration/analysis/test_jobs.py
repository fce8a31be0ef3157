"""Long work in slices: nothing is done twice, and what fails is tried again and then given up."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertNumQueries

from accounts.models import Application, Role
from analysis.engine.policy import CONSERVATIVE, EXPLORATORY
from analysis.models import Job, JobKind, JobState, Policy, Review, ReviewDecision
from analysis.services import jobs
from analysis.services.policies import create_policy
from analysis.tasks import run_job, sweep
from audit.models import Event, TrailEntry
from desk.policies.selectors.policies import replay_document
from desk.policies.selectors.replaying import ReplaySelection
from desk.policies.services import replays
from desk.reviews.services import bulk as bulk_jobs
from desk.reviews.services.reviews import decide_review
from lib.workqueue.queue import LeaseLost
from tests.integration.people import person, put

pytestmark = pytest.mark.usefixtures("empty_redis")
SOURCES = ["The old mill stands in Lyon."]
LIST, BULK = "/admin/analysis/review/", "/admin/analysis/review/bulk/"


@pytest.fixture
def strict(application, checked) -> Policy:
    """Make a version under which some of the six stored checks come to another action."""
    rules = EXPLORATORY.to_json()
    create_policy(application_id=application.pk, rules=rules, by="test", activate=True)
    for n in range(6):
        checked(f"The old mill stands in {'Oslo' if n % 2 else 'Lyon'}.", sources=SOURCES)
    return create_policy(application_id=application.pk, rules=CONSERVATIVE.to_json(), by="test")


def bulk_job(application: Application, by: User, ids: list[int]) -> Job:
    """Make a queued job that confirms these reviews as they are now."""
    seen = list(map(list, Review.objects.filter(pk__in=ids).values_list("pk", "version")))
    options = {"seen": sorted(seen), "decision": "confirmed", "note": "", "reason_codes": []}
    return jobs.start_job(
        application_id=application.pk, kind=JobKind.BULK, options=options, by=str(by), person=by
    )


def run_to_the_end(job: Job) -> Job:
    for _ in range(20):
        jobs.run_job(job.pk, seconds=0.0001)
        job.refresh_from_db()
        if job.is_finished:
            break
    return job


class TestReplay:
    @pytest.mark.parametrize("sample", [4, 100])
    def test_in_slices_it_comes_to_what_one_replay_says(self, strict, monkeypatch, sample) -> None:
        monkeypatch.setattr(replays, "REPLAYED_AT_ONCE", 2)
        selection = ReplaySelection(since=timezone.now() - timedelta(days=1), sample=sample)
        job = run_to_the_end(replays.start_replay(strict, selection, by="a key"))
        assert (job.state, job.done, job.total) == ("done", min(sample, 6), min(sample, 6))
        assert job.result == replay_document(strict, selection) | {"changes": job.result["changes"]}
        assert {item["check_id"] for item in job.result["changes"]} == {
            item["check_id"] for item in replay_document(strict, selection)["changes"]
        }
        assert (job.progress, job.lease_until, job.person) == ({}, None, None)

    def test_the_same_one_is_not_begun_twice_and_not_too_many(self, strict) -> None:
        first = replays.start_replay(strict, ReplaySelection(sample=20_000), by="a key")
        assert replays.start_replay(strict, ReplaySelection(sample=20_000), by="a key") == first
        for n in range(1, jobs.MAX_OPEN):
            replays.start_replay(strict, ReplaySelection(sample=20_000 + n), by="a key")
        with pytest.raises(jobs.TooManyJobs):
            replays.start_replay(strict, ReplaySelection(sample=30_000), by="a key")

    def test_the_page_offers_begins_and_follows_it(self, strict, desk) -> None:
        url = reverse("admin:analysis_policy_replay", args=[strict.pk])
        response = desk.get(url, {"sample": "10001"})
        assert (response.context["long"], response.context["found"]) == (True, None)
        assert "Start" in response.content.decode()
        where = desk.post(url, {"sample": "10001", "since": "2020-01-01", "until": ""})["Location"]
        job = Job.objects.get()
        assert where == reverse("admin:analysis_job_change", args=[job.pk])
        assert (job.created_by, job.input["sample"]) == ("root", 10_001)
        page = desk.get(where).content.decode()
        assert 'hx-trigger="every 2s"' in page
        part = desk.get(where, headers={"HX-Request": "true"})
        assert "<html" not in part.content.decode()
        run_to_the_end(job)
        assert desk.get(where, headers={"HX-Request": "true"})["HX-Refresh"] == "true"
        assert "actions change" in desk.get(where).content.decode()
        for _ in range(2):
            # session, user, second factor, count, keys, rows
            with assertNumQueries(6):
                assert desk.get("/admin/analysis/job/").status_code == 200
            replays.start_replay(strict, ReplaySelection(sample=20_000), by="a key")


class TestBulk:
    def test_more_than_a_page_can_wait_for_are_decided_by_a_job(
        self, application, anna, as_user, monkeypatch
    ) -> None:
        monkeypatch.setattr("desk.reviews.admin.bulk.LIMIT", 4)
        monkeypatch.setattr(bulk_jobs, "DECIDED_AT_ONCE", 2)
        ids, client = put(application, 7), as_user(anna)
        form = {"action": "decide_together", "_selected_action": ids}
        page = client.post(LIST, form)
        job = Job.objects.get()
        assert page.context["hidden"] == [("job", str(job.pk))]
        assert (page.context["total"], job.state, job.total) == (7, JobState.PREPARED, 7)
        assert client.get("/admin/analysis/job/").context["cl"].result_count == 0
        assert not jobs.run_job(job.pk)

        wrong = client.post(BULK, {"job": [job.pk], "decision": "overturned"})
        assert "Nothing was decided." in wrong.content.decode()
        assert wrong.context["total"] == 7
        started = client.post(BULK, {"job": [job.pk], "decision": "confirmed"})
        assert started["Location"] == reverse("admin:analysis_job_change", args=[job.pk])
        decide_review(
            review=Review.objects.get(pk=ids[3]), by=person("ben", Role.REVIEWER, application),
            decision=ReviewDecision.CONFIRMED,
        )  # fmt: skip
        run_to_the_end(job)
        assert (job.state, job.done) == ("done", 7)
        assert (job.result["decided"], job.result["left_out"]) == (6, 1)
        assert job.result["named"][0]["review_id"] == ids[3]
        assert Review.objects.filter(decision="confirmed", decided_by=anna).count() == 6
        trail_entries = TrailEntry.objects.filter(event=Event.REVIEW_DECIDED, actor="anna")
        assert [entry.data["via"] for entry in trail_entries] == ["bulk"] * 6
        assert "6 decided: Confirmed" in client.get(started["Location"]).content.decode()

    def test_nobody_starts_what_another_has_prepared(self, application, anna, as_user) -> None:
        job = jobs.prepare_job(
            application_id=application.pk, kind=JobKind.BULK, person=anna, total=1,
            options={"seen": [[put(application, 1)[0], 1]]},
        )  # fmt: skip
        ben = as_user(person("ben", Role.REVIEWER, application))
        ben.post(BULK, {"job": [job.pk], "decision": "confirmed"})
        job.refresh_from_db()
        assert job.state == JobState.PREPARED

    def test_a_role_that_was_withdrawn_decides_nothing(self, application, anna) -> None:
        job = bulk_job(application, anna, put(application, 3))
        anna.memberships.all().delete()
        assert run_to_the_end(job).result["decided"] == 0
        assert not Review.objects.exclude(decision=None).exists()


class TestLife:
    def test_a_step_that_is_lost_has_done_nothing(self, application, anna, monkeypatch) -> None:
        monkeypatch.setattr(bulk_jobs, "DECIDED_AT_ONCE", 2)
        job = bulk_job(application, anna, put(application, 4))

        def taken_over(claimed_job: Job) -> jobs.JobStep:
            bulk_jobs.bulk_step(claimed_job)
            Job.objects.filter(pk=claimed_job.pk).update(epoch=claimed_job.epoch + 1)
            raise LeaseLost

        with monkeypatch.context() as patch:
            patch.setattr(jobs, "STEPS", {JobKind.BULK: taken_over})
            assert not jobs.run_job(job.pk)
        assert not Review.objects.exclude(decision=None).exists()
        Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
        assert run_to_the_end(job).result == {
            "decided": 4, "left_out": 0, "named": [], "decision": "confirmed",
        }  # fmt: skip

    def test_what_fails_three_times_is_given_up(self, application, anna, monkeypatch) -> None:
        job = bulk_job(application, anna, put(application, 1))

        def fail(claimed_job: Job) -> Any:
            raise OSError(claimed_job.pk)

        monkeypatch.setattr(jobs, "STEPS", {JobKind.BULK: fail})
        for state in ("queued", "queued", "failed"):
            assert not jobs.run_job(job.pk)
            job.refresh_from_db()
            assert (job.state, job.last_error) == (state, "OSError")
        assert not jobs.run_job(job.pk)

    def test_the_sweeper_enqueues_what_was_left_and_deletes_what_was_never_begun(
        self, application, anna
    ) -> None:
        job = bulk_job(application, anna, put(application, 1))
        prepared = jobs.prepare_job(
            application_id=application.pk, kind=JobKind.BULK, person=anna, total=1, options={}
        )
        assert jobs.sweep_jobs().enqueued == 0
        before = timezone.now() - timedelta(days=2)
        Job.objects.update(created_at=before)
        Job.objects.filter(pk=job.pk).update(due_at=before)
        assert jobs.sweep_jobs().enqueued == 1
        assert not Job.objects.filter(pk=prepared.pk).exists()
        sweep()
        run_job(job.pk)
        assert jobs.sweep_jobs().enqueued == 0
        with pytest.raises(IntegrityError), transaction.atomic():
            Job.objects.filter(pk=job.pk).update(result=None)
