"""Waiting for a verdict, a batch and a document."""

import json

import httpx
import pytest

from fake_watchdog import FakeServer, checked
from watchdog_client import CheckFailedError, PendingError, flow


@pytest.fixture(autouse=True)
def short_polls(monkeypatch) -> None:
    monkeypatch.setattr(flow, "POLL_SECONDS", 0.001)


def test_a_verdict_that_is_late_is_asked_for() -> None:
    server = FakeServer([checked(None, 202), checked(None), checked("BLOCK")])
    assert server.client().check("a", query="q", timeout=7).action == "BLOCK"
    first, second, _ = server.requests
    assert first.headers["Prefer"] == "wait=7"
    assert json.loads(first.content) == {"answer": "a", "query": "q"}
    assert (second.method, second.url.path) == ("GET", "/api/v1/checks/c1")


def test_no_verdict_in_time_names_the_check() -> None:
    server = FakeServer([checked(None, 202), checked(None)])
    with pytest.raises(PendingError) as raised:
        server.client().check("a", timeout=0.02)
    assert raised.value.id == "c1"


def test_a_dead_check_is_an_error() -> None:
    server = FakeServer([checked(None, state="failed")])
    with pytest.raises(CheckFailedError, match="c1"):
        server.client().check("a")


def test_submitting_does_not_wait() -> None:
    server = FakeServer([checked(None, 202)])
    assert server.client().submit("a").state == "queued"
    assert server.requests[0].headers["Prefer"] == "wait=0"


def batch(**states: int) -> httpx.Response:
    body = {"id": "b1", "created_at": "2026-11-23T10:00:00Z", "items_total": 2, "refused": 1}
    error = {"field": "answer", "detail": "blank", "code": "blank"}
    return httpx.Response(
        200, json=body | {"states": states, "items": [{"index": 0, "errors": [error]}]}
    )


def test_a_batch_is_finished_when_nothing_of_it_is_queued_or_running() -> None:
    server = FakeServer(
        [batch(queued=1, done=1), batch(running=1, done=1), batch(done=1, failed=1)]
    )
    result = server.client().wait_for_batch("b1")
    assert len(server.requests) == 3
    assert result.items[0].errors[0].code == "blank"


def test_a_batch_that_is_finished_already_is_asked_for_once() -> None:
    server = FakeServer([batch(done=1)])
    server.client().wait_for_batch("b1")
    assert len(server.requests) == 1


def test_a_batch_that_takes_longer_is_pending() -> None:
    with pytest.raises(PendingError, match="b1"):
        FakeServer([batch(queued=1)]).client().wait_for_batch("b1", timeout=0.02)
