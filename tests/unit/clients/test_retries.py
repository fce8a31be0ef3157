"""Repeated requests: when they are sent, after how long, and with which key."""

import asyncio
import json

import httpx
import pytest

from fake_watchdog import FakeServer, checked
from watchdog_client import ApiError, InvalidResponseError, NotConnectedError, RetryPolicy


def problem(status: int, code: str = "x", **headers: str) -> httpx.Response:
    body = {"type": f"urn:watchdog:problem:{code}", "detail": "why"}
    return httpx.Response(status, json=body, headers=headers)


@pytest.mark.parametrize("status", [408, 429, 502, 503, 504])
def test_a_check_is_sent_again_with_the_same_key(status) -> None:
    server = FakeServer([problem(status), httpx.ConnectError("down"), checked()])
    assert server.client().check("a").action == "ALLOW"
    keys = {request.headers["Idempotency-Key"] for request in server.requests}
    assert len(server.requests) == 3
    assert len(keys) == 1


def test_two_checks_have_two_keys_unless_the_caller_names_one() -> None:
    server = FakeServer([checked()])
    client = server.client()
    client.check("a")
    client.check("a")
    client.check("a", idempotency_key="mine")
    first, second, third = (request.headers["Idempotency-Key"] for request in server.requests)
    assert first != second
    assert third == "mine"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 413, 500])
def test_what_a_repetition_cannot_cure_is_raised_at_once(status) -> None:
    server = FakeServer([problem(status, "some_code", **{"X-Request-ID": "r1"})])
    with pytest.raises(ApiError) as raised:
        server.client().check("a")
    assert len(server.requests) == 1
    error = raised.value
    assert (error.status, error.code, error.detail, error.request_id) == (
        status, "some_code", "why", "r1",
    )  # fmt: skip


def test_a_batch_that_is_above_the_rate_limit_is_not_sent_again() -> None:
    server = FakeServer([problem(429, "batch_above_rate_limit")])
    with pytest.raises(ApiError, match="why"):
        server.client().submit_batch([{"answer": "a"}])
    assert len(server.requests) == 1


def test_a_request_that_must_not_be_doubled_is_repeated_only_if_it_never_arrived() -> None:
    lost = FakeServer([httpx.ReadTimeout("no response")])
    with pytest.raises(NotConnectedError):
        lost.client().create_collection("handbook")
    assert len(lost.requests) == 1
    unsent = FakeServer([httpx.ConnectError("down")])
    with pytest.raises(NotConnectedError):
        unsent.client().create_collection("handbook")
    assert len(unsent.requests) == 3


def test_the_wait_doubles_is_drawn_at_random_and_obeys_the_server() -> None:
    policy = RetryPolicy(first=1.0, longest=8.0, draw=lambda: 0.5)
    assert [policy.delay(attempt, {}) for attempt in (1, 2, 3, 9)] == [0.5, 1.0, 2.0, 4.0]
    assert policy.delay(1, {"Retry-After": "3"}) == 3.0
    assert policy.delay(1, {"Retry-After": "600"}) == 8.0
    assert policy.delay(1, {"Retry-After": "Mon, 23 Nov 2026 10:00:00 GMT"}) == 0.5


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(200, text="<html>"),
        httpx.Response(200, json=[]),
        checked("PROBABLY_FINE"),
        httpx.Response(200, json={"id": "c1", "state": "done"}),
    ],
    ids=["no JSON", "another type", "an unknown action", "members missing"],
)
def test_an_unexpected_document_is_an_error_not_a_verdict(response) -> None:
    with pytest.raises(InvalidResponseError):
        FakeServer([response]).client().check("a")


def test_the_asynchronous_client_retries_alike() -> None:
    server = FakeServer([problem(503), checked("WARN")])

    async def run() -> str | None:
        async with server.async_client() as client:
            return (await client.check("a")).action

    assert asyncio.run(run()) == "WARN"
    assert len(server.requests) == 2


def test_a_conversation_is_sent_in_place_of_an_answer() -> None:
    talk = [{"role": "user", "content": "Why?"}, {"role": "assistant", "content": "Because."}]
    server = FakeServer([checked()])
    server.client().check(talk, sources=["x"])
    assert json.loads(server.requests[0].content) == {"messages": talk, "sources": ["x"]}


def test_erasing_is_sent_again_and_carries_its_reason() -> None:
    gone = httpx.Response(204)
    server = FakeServer([problem(503), gone, gone])
    server.client().delete_check("c1", reason="asked for")
    asyncio.run(server.async_client().delete_check("c1"))
    urls = [(request.method, str(request.url)) for request in server.requests]
    erased = ("DELETE", "http://w/api/v1/checks/c1?reason=asked+for")
    assert urls == [erased, erased, ("DELETE", "http://w/api/v1/checks/c1")]
