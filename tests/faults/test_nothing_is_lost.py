"""Work that was accepted is kept and decided once, whatever is killed or forgotten on the way."""

import time
from uuid import UUID

import pytest
from django.conf import settings

from accounts.models import Application
from analysis.models import AnnotatedAnswer, Check, CheckState, Review
from analysis.services.lifecycle import CHECKS, SINGLE
from analysis.services.submission import NewCheck, submit
from audit.models import Event, TrailEntry
from lib.workqueue.broker import redis_client
from tests.sockets import wait_until
from tests.stack import Stack

CHECKS_URL = "/api/v1/checks"
PATIENCE_S = 180
"""The time a worker may take to start and to work, generous for slow machines."""
# Long enough to be caught in the middle, well below the time limit of 4 s.
SLOW = ". ".join(
    f"The bridge number {n} has {n} arches and was built in {1000 + n}" for n in range(1500)
)

SHORT_LEASE = {"CHECK_TIME_LIMIT_SECONDS": "3"}
"""For work that no worker finishes; a lost one is noticed when its lease has run out."""


@pytest.fixture
def halted(transactional_db, empty_redis):
    """Run beat alone: each test starts the other processes itself."""
    stack = Stack.start("beat")
    yield stack
    stack.stop()


def accept(
    application: Application, count: int, answer: str = "The bridge has {n} arches."
) -> list[UUID]:
    checks = [
        submit(
            application_id=application.id,
            new=NewCheck(answer=answer.replace("{n}", str(n))),
            by="t",
        )
        for n in range(count)
    ]
    return [check.id for check in checks]


def wait_until_all(state: CheckState) -> None:
    states = lambda: list(Check.objects.values_list("state", "attempts", "last_error"))  # noqa: E731
    others = Check.objects.exclude(state=state)
    wait_until(lambda: not others.exists(), states, seconds=PATIENCE_S)


def assert_each_decided_once(count: int) -> None:
    assert Check.objects.filter(state=CheckState.DONE).count() == count
    assert AnnotatedAnswer.objects.count() == count
    assert Review.objects.count() == count
    assert TrailEntry.objects.filter(event=Event.CHECK_DECIDED).count() == count


def test_a_worker_killed_in_mid_check_loses_and_doubles_nothing(halted, application) -> None:
    accept(application, 4, SLOW)
    halted.spawn("worker")
    running = Check.objects.filter(state=CheckState.RUNNING)
    wait_until(running.exists, halted.logs, seconds=PATIENCE_S, pause=0.01)
    halted.kill("worker")
    assert running.exists(), "killed too late to prove anything"
    halted.spawn("worker-2")
    wait_until_all(CheckState.DONE)
    assert_each_decided_once(4)
    assert Check.objects.filter(attempts__gte=2).exists()


def test_flushall_loses_nothing(halted, application) -> None:
    accept(application, 50)
    redis_client().flushall()
    assert not redis_client().dbsize(), "every message is gone"
    halted.spawn("worker")
    wait_until_all(CheckState.DONE)
    assert_each_decided_once(50)


def test_flushall_under_a_running_worker_loses_nothing(halted, application) -> None:
    halted.spawn("worker")
    for _ in range(5):
        accept(application, 10)
        redis_client().flushall()
    wait_until_all(CheckState.DONE)
    assert_each_decided_once(50)


def test_doubled_and_late_messages_decide_once(halted, application) -> None:
    ids = accept(application, 10)
    for _ in range(5):
        CHECKS.enqueue(ids, SINGLE)
    halted.spawn("worker")
    wait_until_all(CheckState.DONE)
    CHECKS.enqueue(ids, SINGLE)
    time.sleep(2)
    assert_each_decided_once(10)


def test_without_redis_an_answer_is_accepted_and_checked_once_it_is_back(
    transactional_db, empty_redis, api_key
) -> None:
    stack = Stack.start("web", REDIS_URL="redis://127.0.0.1:1/0")
    try:
        with stack.client(api_key[1]) as client:
            started = time.monotonic()
            response = client.post(
                CHECKS_URL,
                json={"answer": "The bridge has 3 arches."},
                headers={"Prefer": "wait=1"},
            )
            assert response.status_code == 202
            assert time.monotonic() - started < 10, "a missing Redis never hangs a request"
            ready = client.get("/readyz")
            assert ready.status_code == 200, "it accepts"
            assert client.get("/readyz?all").status_code == 503
            assert ready.json()["parts"]["redis"].startswith("does not answer")
            assert ready.json()["parts"]["database"] == "ok"
        stack.environment.clear()  # Redis is back: those that start now have it
        stack.spawn("worker")
        stack.spawn("beat")
        wait_until_all(CheckState.DONE)
        assert_each_decided_once(1)
    finally:
        stack.stop()


def test_a_check_that_kills_its_workers_is_given_up_and_on_the_desk(
    transactional_db, empty_redis, application
) -> None:
    """Every worker that takes it is killed, as often as it may be tried."""
    halted = Stack.start("beat", **SHORT_LEASE)
    try:
        kill_every_worker(halted, application)
    finally:
        halted.stop()
    assert Review.objects.get().reason == "failed"
    assert not AnnotatedAnswer.objects.exists()


def kill_every_worker(halted: Stack, application: Application) -> None:
    check_id = accept(application, 1, SLOW * 2)[0]
    for attempt in range(1, settings.QUEUE_MAX_ATTEMPTS + 1):
        halted.spawn(f"worker-{attempt}")
        taken = Check.objects.filter(pk=check_id, attempts__gte=attempt)
        wait_until(taken.exists, halted.logs, seconds=PATIENCE_S, pause=0.01)
        halted.kill(f"worker-{attempt}")
    halted.spawn("worker-last")
    wait_until_all(CheckState.FAILED)
