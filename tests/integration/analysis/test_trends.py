"""Trends equal a direct count, whatever happens in which order: each check counts once."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from functools import cache
from unittest import mock

import pytest
from django.contrib.auth.models import User
from django.db import connections, transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django.asserts import assertNumQueries

from accounts.services import create_application
from analysis.engine import Decision, Measurement, decide, measure
from analysis.engine.policy import PRESETS
from analysis.engine.signal_types import SignalState
from analysis.engine.types import SignalStatus, Source, Submission
from analysis.models import Check, CheckState, TrendCell, TrendPending
from analysis.services import checking, lifecycle, trends
from analysis.services.answer_vectors import EmbeddingRow
from analysis.services.checking import Result
from analysis.services.policies import create_policy
from analysis.tasks import count_trends
from tests.integration.analysis.trend_counts import direct, listed, stored, used, used_directly

pytestmark = pytest.mark.usefixtures("empty_redis")
MILL = (Source("m", "The old mill stands in Lyon. It was built in 1840 of grey stone."),)
ANSWERS = (
    Submission("The old mill stands in Lyon. It was built in 1840.", "Where is it?", MILL),
    Submission("The old mill stands in Oslo [7].", "Who wrote Hamlet?", MILL),
    Submission("It definitely closed in 2010. It closed in 2015."),
    Submission("Hello there!", sources=()),
)
NAMES = tuple(sorted(PRESETS))
USED = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@cache
def outcome(answer: int, preset: str, broken: bool) -> tuple[Measurement, Decision]:
    """Return a real measurement and decision; `broken`: as if a signal had failed."""
    measurement = measure(ANSWERS[answer])
    if broken:
        failed = SignalState(SignalStatus.UNAVAILABLE, "model missing", "", 0.0)
        states = measurement.states | {"grounding": failed, "judge": failed}
        measurement = replace(measurement, states=states)
    return measurement, decide(ANSWERS[answer].answer, measurement, PRESETS[preset])


class _Killed(BaseException):
    pass


class World:
    """Two applications with policies, checks in every state, and what can happen to them."""

    def __init__(self, person: User) -> None:
        self.person = person
        self.applications = [create_application(name=n, slug=n, by="t") for n in ("one", "two")]
        self.policies = {
            (application.pk, name): create_policy(
                application_id=application.pk, rules=PRESETS[name].to_json(), by="t"
            ).pk
            for application in self.applications
            for name in NAMES
        }
        self.waiting: list[tuple[Check, int]] = []
        self.failed: list[tuple[Check, int]] = []

    def submit(self, at: int, answer: int, minutes: int, collections: list[str]) -> None:
        application = self.applications[at % 2]
        check = Check.objects.create(
            application=application,
            answer=ANSWERS[answer].answer,
            collections=collections,
            source_model=("", "gpt", "claude")[at % 3],
            created_at=timezone.now() - timedelta(minutes=minutes),
        )
        self.waiting.append((check, answer))

    def finish(self, at: int, answer: int, minutes: int, collections: list[str]) -> None:
        if not self.waiting:
            self.submit(at, answer, minutes, collections)
        check, answered = self.waiting.pop(at % len(self.waiting))
        preset = NAMES[at % len(NAMES)]
        measurement, decision = outcome(answered, preset, broken=at % 5 == 0)
        running_check = lifecycle.CHECKS.claim(check.pk)
        assert running_check is not None
        policy = self.policies[check.application_id, preset]
        vectors = EmbeddingRow(reason="a test")
        checking.record(running_check, Result(policy, measurement, decision, vectors, minutes / 7))

    def die(self, at: int, *_: object) -> None:
        if self.waiting:
            check, answer = self.waiting.pop(at % len(self.waiting))
            assert give_up(check) == 1
            self.failed.append((check, answer))

    def replay(self, at: int, *_: object) -> None:
        if self.failed:
            check, answer = self.failed.pop(at % len(self.failed))
            lifecycle.replay_failed(check, by=self.person)
            self.waiting.append((check, answer))

    def count(self, at: int, *_: object) -> None:
        trends.count_batch(limit=1 + at % 4)

    def fail_to_count(self, *_: object) -> None:
        """Count as a worker that is killed after taking its entries, before it commits."""
        pending = TrendPending.objects.count()
        with mock.patch.object(trends, "_add", side_effect=[None, _Killed]), suppress(_Killed):
            trends.count_batch()
        assert TrendPending.objects.count() == pending

    def rebuild(self, *_: object) -> None:
        trends.forget_counts()


STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["submit", "finish", "finish", "finish", "die", "die", "replay", "count", "count",
             "fail_to_count", "rebuild"]
        ),
        st.integers(0, 59),
        st.integers(0, len(ANSWERS) - 1),
        st.integers(0, 60 * 24 * 3),
        st.lists(st.sampled_from(["osha", "nist", "law"]), max_size=3),
    ),
    max_size=25,
)  # fmt: skip


class _Undo(Exception):
    pass


@contextmanager
def undone() -> Iterator[None]:
    with suppress(_Undo), transaction.atomic():
        yield
        raise _Undo


@USED
@given(STEPS)
def test_the_stored_counts_equal_a_direct_count(superuser, steps) -> None:
    with undone():
        world = World(superuser)
        for name, *rest in steps:
            getattr(world, name)(*rest)
        require_right_usage(world)
        count_trends()
        assert not TrendPending.objects.exists()
        require_right_usage(world)
        expected = direct()
        assert stored() == expected
        count_trends()
        assert stored() == expected
        trends.forget_counts()
        assert not TrendCell.objects.exists()
        require_right_usage(world)
        count_trends()
        assert stored() == expected
        require_right_usage(world)


def require_right_usage(world: World) -> None:
    """Require that usage is right for checks that are counted, that wait for it, and unended."""
    for application in world.applications:
        assert used(application.pk) == used_directly(application.pk)


def test_a_check_is_counted_at_its_submission_not_at_its_end(make_check) -> None:
    """A late check changes the bucket in which it was submitted."""
    early = make_check("The bridge has 3 arches.")
    late = Check.objects.create(
        application=early.application,
        answer="Late.",
        created_at=early.created_at - timedelta(days=9),
    )
    checking.run_check(early.pk)
    count_trends()
    checking.run_check(late.pk)
    count_trends()
    days = TrendCell.objects.filter(grain="day", dimension="all").values_list("bucket", flat=True)
    assert {day.date() for day in days} == {early.created_at.date(), late.created_at.date()}
    assert stored() == listed() == direct()


def give_up(check: Check) -> int:
    Check.objects.filter(pk=check.pk).update(attempts=99)
    return lifecycle.CHECKS.give_up([check.pk])


def test_a_failed_check_that_is_tried_again_and_done_is_counted_as_done_only(
    make_check, superuser
) -> None:
    check = make_check("The bridge has 3 arches.")
    give_up(check)
    count_trends()
    assert {counts[("checks", "failed")] for counts in stored().values()} == {1}
    lifecycle.replay_failed(check, by=superuser)
    count_trends()
    assert stored() == {}
    checking.run_check(check.pk)
    count_trends()
    assert {counts[("checks", "done")] for counts in stored().values()} == {1}
    assert stored() == listed() == direct()


def test_counting_costs_the_same_for_one_check_and_for_thirty(checked) -> None:
    for checks in (1, 30):
        for _ in range(checks):
            checked("The bridge has 3 arches.")
        # savepoint, lock, take, facts, add, checks, models, claims, release
        with assertNumQueries(9):
            assert trends.count_batch() == checks


@pytest.mark.django_db(transaction=True)
def test_counters_at_the_same_time_some_of_them_killed(application) -> None:
    for n in range(60):
        check = Check.objects.create(application=application, answer=f"The bridge has {n} arches.")
        checking.run_check(check.pk)
    threads = [threading.Thread(target=_count_in_a_thread, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    trends.count_waiting()
    assert not TrendPending.objects.exists()
    assert stored() == listed() == direct()
    assert used(application.pk) == used_directly(application.pk)


def _count_in_a_thread(number: int) -> None:
    try:
        for turn in range(15):
            try:
                with transaction.atomic():
                    trends.count_batch(limit=3)
                    if (turn + number) % 3 == 0:
                        raise _Undo
            except _Undo:
                continue
    finally:
        connections.close_all()


@pytest.mark.django_db(transaction=True)
def test_who_counts_is_alone_and_checks_end_meanwhile(application) -> None:
    for n in range(3):
        check = Check.objects.create(application=application, answer=f"The bridge has {n} arches.")
        checking.run_check(check.pk)
    seen: list[int] = []

    def elsewhere() -> None:
        try:
            seen.append(trends.count_batch())
            late = Check.objects.create(application=application, answer="The bridge has 9 arches.")
            checking.run_check(late.pk)
        finally:
            connections.close_all()

    with transaction.atomic():
        assert trends.count_batch(limit=2) == 2
        other = threading.Thread(target=elsewhere)
        other.start()
        other.join(timeout=20)
        assert not other.is_alive()
    assert seen == [0]
    assert Check.objects.filter(state=CheckState.DONE).count() == 4
    assert trends.count_waiting() == 2
    assert stored() == listed() == direct()
