"""The life of a check, move by move, and what the database itself refuses."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from unittest import mock
from uuid import UUID

import pytest
from django.conf import settings
from django.db import IntegrityError, connections, transaction
from django.db.models.functions import Now
from pytest_django.asserts import assertNumQueries

from accounts.models import Application
from analysis.engine import Measurement, PolicyRules, decide
from analysis.models import AnnotatedAnswer, Check, CheckState, Claim, Policy, Review
from analysis.selectors.results import stored_decision, stored_measurement
from analysis.services import checking, lifecycle
from analysis.services.lifecycle import CHECKS
from analysis.services.policies import active_policy, create_policy
from analysis.tasks import forget_idempotency_keys, sweep
from audit.models import Event, TrailEntry
from lib.workqueue.queue import LeaseLost, Swept
from tests.database import sql
from tests.sockets import wait_until

pytestmark = pytest.mark.usefixtures("empty_redis")
ANSWER = "The bridge has 3 arches."


def make_overdue(check: Check) -> None:
    past = Now() - timedelta(hours=1)
    field = "lease_until" if Check.objects.get(pk=check.pk).state == "running" else "due_at"
    Check.objects.filter(pk=check.pk).update(**{field: past})


def commits_at_once() -> str:
    return str(sql("SHOW synchronous_commit")[0][0])


class TestClaim:
    def test_one_worker_gets_it_another_does_not(self, make_check) -> None:
        check = make_check(ANSWER)
        mine = CHECKS.claim(check.pk)
        assert (mine.state, mine.epoch, mine.attempts) == ("running", 1, 1)
        assert mine.lease_until is not None
        assert CHECKS.claim(check.pk) is None

    def test_a_lease_that_ran_out_can_be_taken_over(self, make_check) -> None:
        check = make_check(ANSWER)
        CHECKS.claim(check.pk)
        make_overdue(check)
        second = CHECKS.claim(check.pk)
        assert (second.epoch, second.attempts) == (2, 2)

    def test_only_the_claim_does_not_wait_for_the_disk(self, make_check) -> None:
        check = make_check(ANSWER)
        assert commits_at_once() == "on"
        with transaction.atomic():
            assert CHECKS.claim(check.pk) is not None
            assert commits_at_once() == "off"
            transaction.set_rollback(True)
        with transaction.atomic():
            replace(CHECKS, durable_claims=True).claim(check.pk)
            assert commits_at_once() == "on"

    def test_who_lost_the_lease_records_nothing(self, make_check) -> None:
        check = make_check(ANSWER)
        first = CHECKS.claim(check.pk)
        result = checking._result(first)
        make_overdue(check)
        second = CHECKS.claim(check.pk)
        assert second is not None
        with pytest.raises(LeaseLost):
            checking.record(first, result)
        assert not AnnotatedAnswer.objects.exists()
        assert not Review.objects.exists()
        checking.record(second, result)
        assert AnnotatedAnswer.objects.count() == 1

    def test_nothing_to_claim(self, checked) -> None:
        check = checked(ANSWER)
        assert CHECKS.claim(check.pk) is None


class TestTasks:
    def test_each_task_twice_changes_nothing_more(self, make_check) -> None:
        check = make_check(ANSWER)
        for _ in range(2):
            checking.run_check(check.pk)
            sweep()
            forget_idempotency_keys()
        assert AnnotatedAnswer.objects.count() == Review.objects.count() == 1
        assert TrailEntry.objects.filter(event=Event.CHECK_DECIDED).count() == 1

    def test_a_check_that_takes_too_long_ends_with_what_there_is(self, checked, settings) -> None:
        settings.CHECK_SOFT_LIMIT_SECONDS = 0.0
        check = checked(ANSWER, sources=[ANSWER])
        assert (check.state, check.attempts) == ("done", 1)
        assert check.action != "ALLOW"
        states = AnnotatedAnswer.objects.get(pk=check.pk).measurement["states"]
        assert states["claims"]["status"] == "truncated"

    def test_a_check_that_does_not_exist_is_no_error(self, db) -> None:
        assert not checking.run_check(UUID(int=0))

    def test_running_a_check_costs_two_statements(self, make_check) -> None:
        checking.run_check(make_check(ANSWER).pk)  # the first reads the policy into memory
        check = make_check(ANSWER)
        with assertNumQueries(2):  # claim; finish
            assert checking.run_check(check.pk)


class TestFailure:
    def test_a_failed_attempt_is_tried_again_later(self, make_check) -> None:
        check = make_check(ANSWER)
        with mock.patch.object(checking, "measure_submission", side_effect=RuntimeError("secret")):
            assert not checking.run_check(check.pk)
        check.refresh_from_db()
        assert (check.state, check.attempts, check.last_error) == ("queued", 1, "RuntimeError")
        assert checking.run_check(check.pk)

    def test_after_the_last_attempt_it_is_given_up_and_on_the_desk(self, make_check) -> None:
        check = make_check(ANSWER)
        with mock.patch.object(checking, "measure_submission", side_effect=RuntimeError):
            for _ in range(settings.QUEUE_MAX_ATTEMPTS):
                checking.run_check(check.pk)
        check.refresh_from_db()
        assert check.state == CheckState.FAILED
        assert Review.objects.get().reason == "failed"
        assert TrailEntry.objects.filter(event=Event.CHECK_FAILED).count() == 1
        assert CHECKS.claim(check.pk) is None

    def test_a_failed_check_can_be_replayed_by_a_person(self, make_check, superuser) -> None:
        check = make_check(ANSWER)
        Check.objects.filter(pk=check.pk).update(attempts=settings.QUEUE_MAX_ATTEMPTS)
        make_overdue(check)
        lifecycle.sweep()
        lifecycle.replay_failed(check, by=superuser)
        assert Review.objects.get().decision == "replayed"
        assert checking.run_check(check.pk)
        assert set(Review.objects.values_list("reason", flat=True)) == {"failed", "warn"}
        with pytest.raises(lifecycle.NotFailed):
            lifecycle.replay_failed(check, by=superuser)

    def test_a_fresh_check_is_not_enqueued_again(self, make_check) -> None:
        make_check(ANSWER)
        assert lifecycle.sweep() == Swept(enqueued=0, given_up=0)

    def test_an_overdue_check_is_enqueued_once_a_while(self, make_check) -> None:
        make_overdue(make_check(ANSWER))
        assert lifecycle.sweep().enqueued == 1
        assert lifecycle.sweep().enqueued == 0


class TestSample:
    def test_every_check_is_drawn_at_rate_one(self, checked) -> None:
        Application.objects.update(quality_sample_rate=1.0)
        check = checked("Hello!")
        assert (check.action, check.sampled, check.sampling_probability) == ("ALLOW", True, 1.0)
        assert Review.objects.get().reason == "quality_sample"

    def test_none_is_drawn_at_rate_zero(self, checked) -> None:
        check = checked("Hello!")
        assert (check.sampled, check.sampling_probability) == (False, 0.0)
        assert not Review.objects.exists()


class TestPolicies:
    def test_the_first_version_is_made_when_needed_and_only_once(self, application) -> None:
        assert active_policy(application.pk) == active_policy(application.pk)
        assert Policy.objects.get().version == 1

    @pytest.mark.django_db(transaction=True)
    def test_of_two_processes_that_need_it_one_makes_it(self, application) -> None:
        def in_a_thread() -> int:
            try:
                return active_policy(application.pk).pk
            finally:
                connections.close_all()

        with ThreadPoolExecutor(2) as pool:
            with transaction.atomic():
                Application.objects.select_for_update().get(pk=application.pk)
                both = [pool.submit(in_a_thread) for _ in range(2)]
                wait_until(lambda: len(sql("SELECT 1 FROM pg_locks WHERE NOT granted")) == 2)
            assert len({each.result(60) for each in both}) == 1
        assert Policy.objects.get().version == 1

    def test_a_result_names_the_version_in_force(self, application, checked) -> None:
        checked(ANSWER)
        strict = {"verdicts": {"no_sources": "BLOCK"}}
        create_policy(application_id=application.pk, rules=strict, by="lead", activate=True)
        checked(ANSWER)
        results = AnnotatedAnswer.objects.order_by("created_at", "policy__version")
        assert [(a.policy.version, a.check_record.action) for a in results] == [
            (1, "WARN"),
            (2, "BLOCK"),
        ]


class TestTheDatabaseRefuses:
    """Each rule by a write around the services."""

    @pytest.fixture
    def done(self, checked) -> Check:
        return checked(ANSWER)

    @pytest.mark.parametrize("field", ["answer", "query", "sources", "created_at", "metadata"])
    def test_to_edit_an_input(self, done, field) -> None:
        with pytest.raises(IntegrityError, match="evidence"), transaction.atomic():
            Check.objects.filter(pk=done.pk).update(**{field: getattr(done, field)})

    @pytest.mark.parametrize("model", [Check, AnnotatedAnswer, Claim, Policy, TrailEntry])
    def test_to_delete_evidence(self, done, model) -> None:
        row = model.objects.first()
        assert row is not None
        with pytest.raises(IntegrityError, match="evidence"), transaction.atomic():
            model.objects.filter(pk=row.pk)._raw_delete("default")

    @pytest.mark.parametrize(
        ("model", "change"),
        [
            (AnnotatedAnswer, {"engine_version": "other"}),
            (Claim, {"status": "Supported"}),
            (Policy, {"rules": {}}),
            (TrailEntry, {"actor": "somebody else"}),
        ],
    )
    def test_to_edit_a_result(self, done, model, change) -> None:
        with pytest.raises(IntegrityError, match="evidence"), transaction.atomic():
            model.objects.update(**change)

    @pytest.mark.parametrize(
        "change",
        [
            {"state": "gone"},
            {"risk_score": 101},
            {"sampling_probability": 1.5},
            {"action": "MAYBE"},
            {"state": "queued"},
            {"lease_until": Now()},
            {"action": None},
            {"risk_level": None},
            {"risk_score": None},
            {"sampled": None},
            {"sampling_probability": None},
            {"finished_at": None},
        ],
    )
    def test_a_half_set_outcome(self, done, change) -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            Check.objects.filter(pk=done.pk).update(**change)

    def test_a_second_active_policy(self, done, application) -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            Policy.objects.create(
                application=application, version=9, rules={}, is_active=True, created_by="x"
            )

    @pytest.mark.parametrize("left_out", ["decision", "decided_by", "decided_at"])
    def test_a_half_decided_review(self, done, superuser, left_out) -> None:
        decided = {"decision": "confirmed", "decided_by": superuser, "decided_at": Now()}
        Review.objects.update(**decided)
        with pytest.raises(IntegrityError), transaction.atomic():
            Review.objects.update(**{left_out: None})

    def test_a_second_open_review(self, done) -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            Review.objects.create(
                check_record=done, application_id=done.application_id, reason="block"
            )


class TestNotCheckedIsNotClean:
    SUPPORTED = {"answer": ANSWER, "sources": [ANSWER]}

    def test_a_collection_that_is_missing_ends_at_least_in_warn(self, checked) -> None:
        check = checked(**self.SUPPORTED, collections=["handbook"])
        decision = check.annotated_answer.decision
        assert check.action == "WARN"
        assert [r["code"] for r in decision["reasons"] if r["decided"]] == ["not_checked_retrieval"]
        assert any("handbook" in missing["reason"] for missing in decision["not_checked"])

    def test_a_stored_result_can_be_decided_again_bit_for_bit(self, checked) -> None:
        check = checked(ANSWER, sources=["The bridge has 4 arches.", "Other text."])
        answer = AnnotatedAnswer.objects.get()
        measurement = Measurement.from_json(stored_measurement(answer))
        rules = PolicyRules.from_json(answer.policy.rules)
        again = json.dumps(decide(check.answer, measurement, rules).to_json())
        assert json.loads(again) == stored_decision(answer)
