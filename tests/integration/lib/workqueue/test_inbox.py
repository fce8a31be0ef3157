"""Keys in a list of Redis, and the messages that bring workers to it."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import structlog

from analysis.models import Check, CheckState
from analysis.services import lifecycle
from analysis.services.lifecycle import CHECKS, INBOX
from analysis.tasks import run_checks
from lib.workqueue import broker, inbox
from lib.workqueue.broker import Route, redis_client, redis_outage
from lib.workqueue.inbox import Entry, Inbox
from tests.integration.analysis.test_lifecycle import make_overdue

FIRST, SECOND = Route("checks"), Route("batches", priority=6)
pytestmark = pytest.mark.usefixtures("empty_redis")


@pytest.fixture
def patient(monkeypatch) -> Inbox:
    """Return an inbox whose task is never over: a slow machine is no fault."""
    monkeypatch.setattr(inbox, "TASK_SECONDS", 600.0)
    return Inbox("analysis.tasks.run_checks", (FIRST, SECOND))


def messages() -> tuple[int, int]:
    return broker.pending(FIRST), broker.pending(SECOND)


def test_one_message_for_all_keys_that_wait(patient) -> None:
    assert patient.put(["a", "b"], FIRST) == 2
    assert patient.put(["c"], FIRST) == 1
    assert patient.put(["d"], SECOND) == 1
    assert patient.put([], FIRST) == 0
    assert (patient.waiting(FIRST), patient.waiting(SECOND)) == (3, 1)
    assert messages() == (1, 1)


def test_keys_of_the_first_route_are_taken_first_and_the_oldest_of_each(patient) -> None:
    patient.put(["batch 1", "batch 2"], SECOND)
    patient.put(["a"], FIRST)
    patient.put(["b"], FIRST)
    assert [entry.key for entry in patient.entries()] == ["a", "b", "batch 1", "batch 2"]
    assert (patient.waiting(FIRST), patient.waiting(SECOND)) == (0, 0)


def test_a_worker_calls_another_for_what_is_left(patient) -> None:
    patient.put(["a", "b", "c"], FIRST)
    redis_client().delete(FIRST.list_name)  # the worker has taken its message
    entries = patient.entries()
    assert next(entries).key == "a"
    assert messages() == (1, 0)
    redis_client().delete(FIRST.list_name)
    assert [entry.key for entry in entries] == ["b", "c"]
    assert messages() == (0, 0), "one call a task is enough"


def test_a_worker_that_waits_needs_no_message(patient, monkeypatch) -> None:
    monkeypatch.setattr(inbox, "IDLE_SECONDS", 1.5)
    with ThreadPoolExecutor(1) as pool:
        taken = pool.submit(lambda: [entry.key for entry in patient.entries()])
        while not redis_client().info("clients")["blocked_clients"]:
            assert not taken.done()
            time.sleep(0.005)
        patient.put(["a"], FIRST)
        assert taken.result(60) == ["a"]
    assert messages() == (0, 0)


def test_a_paused_worker_takes_nothing(stack) -> None:
    stack.pause()
    assert redis_client().info("clients")["blocked_clients"] == 0


def test_a_task_takes_nothing_after_its_time(monkeypatch) -> None:
    monkeypatch.setattr(inbox, "TASK_SECONDS", 0.0)
    INBOX.put(["a"], FIRST)
    assert list(INBOX.entries()) == []
    assert INBOX.waiting(FIRST) == 1


def test_in_an_outage_nothing_is_sent_and_nothing_is_waited_for(patient) -> None:
    redis_outage.note()
    try:
        assert patient.put(["a"], FIRST) == 0
    finally:
        redis_outage.end()
    assert patient.waiting(FIRST) == 0


def test_work_is_logged_under_the_request_that_sent_it(patient) -> None:
    with structlog.contextvars.bound_contextvars(request_id="mine"):
        patient.put(["a"], FIRST)
    patient.put(["b"], FIRST)
    seen = {}
    with structlog.contextvars.bound_contextvars(request_id="of the message"):
        for entry in patient.entries():
            with entry.in_context():
                seen[entry.key] = structlog.contextvars.get_contextvars().get("request_id")
    assert seen == {"a": "mine", "b": None}


def test_a_key_without_headers_is_an_entry() -> None:
    with Entry("a", {}).in_context():
        assert "request_id" not in structlog.contextvars.get_contextvars()


def test_one_task_runs_all_checks_that_wait(make_check, monkeypatch) -> None:
    monkeypatch.setattr(inbox, "TASK_SECONDS", 600.0)
    checks = [make_check() for _ in range(3)]
    CHECKS.enqueue([check.pk for check in checks])
    CHECKS.enqueue([checks[0].pk])  # twice
    run_checks()
    assert set(Check.objects.values_list("state", "attempts")) == {(CheckState.DONE, 1)}


def test_the_sweep_calls_workers_whose_message_was_lost(make_check) -> None:
    CHECKS.enqueue([make_check().pk])
    redis_client().delete(FIRST.list_name)
    lifecycle.sweep()
    assert messages() == (1, 0)
    assert INBOX.waiting(FIRST) == 1


def test_the_sweep_puts_back_what_redis_lost(make_check) -> None:
    check = make_check()
    CHECKS.enqueue([check.pk])
    redis_client().flushall()
    make_overdue(check)
    assert lifecycle.sweep().enqueued == 1
    assert (INBOX.waiting(FIRST), messages()) == (1, (1, 0))
    make_overdue(check)
    assert lifecycle.sweep().enqueued == 0, "it waits already"
