"""A database or a Redis that hangs, and clients that stop in the middle of a request."""

import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import httpx
import psutil
import pytest

from analysis.models import Check
from tests.faults import servers
from tests.stack import Stack

CHECKS = "/api/v1/checks"
ASYNC = {"Prefer": "respond-async"}
BODY = {"answer": "The bridge has 3 arches."}


@pytest.fixture(scope="module")
def shared_web(django_db_setup) -> Iterator[Stack]:
    """Start one web for the tests that leave it as it was."""
    started = _start()
    yield started
    started.stop()


@pytest.fixture
def web(transactional_db, empty_redis, shared_web) -> Stack:
    return shared_web


@pytest.fixture
def own_web(transactional_db, empty_redis) -> Iterator[Stack]:
    """Start one that a test may end, or that has not met an outage yet, which it would remember."""
    started = _start()
    yield started
    started.stop()


def _start() -> Stack:
    return Stack.start("web", DATABASE_CONNECT_SECONDS="2", WEB_STATEMENT_SECONDS="2")


@contextmanager
def stopped(*processes: psutil.Process) -> Iterator[None]:
    """Stop a process for the block (SIGSTOP), then continue it (SIGCONT)."""
    for process in processes:
        process.suspend()
    try:
        yield
    finally:
        for process in processes:
            process.resume()


def connect(stack: Stack) -> socket.socket:
    address = urlsplit(stack.url)
    return socket.create_connection((address.hostname, address.port), timeout=5)


def health_seconds(stack: Stack) -> float:
    """Return the best of five, so that a busy machine does not decide."""
    return min(_ask_health(stack) for _ in range(5))


def _ask_health(stack: Stack) -> float:
    started = time.monotonic()
    with connect(stack) as client:
        client.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert client.recv(100).startswith(b"HTTP/1.1 200")
    return time.monotonic() - started


def submit(stack: Stack, token: str) -> tuple[httpx.Response, float]:
    with stack.client(token) as client:
        started = time.monotonic()
        response = client.post(CHECKS, json=BODY, headers=ASYNC)
        return response, time.monotonic() - started


def test_half_sent_requests_hold_no_thread(web, api_key) -> None:
    halves = [
        b"POST /api/v1/checks HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{",
        b"GET /api/v1/checks HTT",
    ]
    clients = [connect(web) for _ in range(200)]
    for number, client in enumerate(clients):
        client.sendall(halves[number % 2])
    assert health_seconds(web) < 0.1
    assert submit(web, api_key[1])[0].status_code == 202
    for client in clients:
        client.close()


def test_a_hung_database_is_a_503_that_says_what_to_do(web, api_key) -> None:
    assert submit(web, api_key[1])[0].status_code == 202
    request = b"GET /api/v1/checks HTTP/1.1\r\nHost: localhost\r\nX-API-Key: wd_a_b\r\n\r\n"
    with stopped(*servers.postgres_processes()):
        clients = [connect(web) for _ in range(60)]
        for client in clients:
            client.sendall(request)
        assert health_seconds(web) < 0.1
        response, _ = submit(web, api_key[1])
        for client in clients:
            client.close()
    assert response.status_code == 503
    assert response.headers["Retry-After"] == "5"
    assert response.headers["Content-Type"] == "application/problem+json"
    assert "same Idempotency-Key" in response.json()["detail"]
    assert submit(web, api_key[1])[0].status_code == 202


def test_a_restarted_database_costs_no_request(web, api_key) -> None:
    assert submit(web, api_key[1])[0].status_code == 202
    servers.drop_connections()
    assert [submit(web, api_key[1])[0].status_code for _ in range(5)] == [202] * 5


def test_a_hung_redis_costs_a_submission_less_than_two_seconds(own_web, api_key) -> None:
    key, token = api_key
    key.application.rate_limit_per_minute = 6_000
    key.application.save()
    assert submit(own_web, token)[0].status_code == 202
    with stopped(servers.redis_process()):
        answers = [submit(own_web, token) for _ in range(4)]
    assert [response.status_code for response, _ in answers] == [202] * 4
    assert max(seconds for _, seconds in answers) < 2
    assert Check.objects.count() == 5


def test_without_a_rate_limit_too(own_web, api_key) -> None:
    assert submit(own_web, api_key[1])[0].status_code == 202
    with stopped(servers.redis_process()):
        assert max(submit(own_web, api_key[1])[1] for _ in range(3)) < 2.2


def test_a_chunked_body_is_read(web, api_key) -> None:
    with web.client(api_key[1]) as client:
        chunks = iter([b'{"answer": ', b'"In chunks."}'])
        headers = {**ASYNC, "Content-Type": "application/json"}
        assert client.post(CHECKS, content=chunks, headers=headers).status_code == 202
    assert Check.objects.get().answer == "In chunks."


def test_requests_in_progress_end_before_the_process_does(own_web, api_key) -> None:
    with own_web.client(api_key[1]) as client:
        request = client.build_request("POST", CHECKS, json=BODY, headers={"Prefer": "wait=2"})
        with connect(own_web) as raw:
            head = f"POST {CHECKS} HTTP/1.1\r\nHost: localhost\r\nPrefer: wait=2\r\n"
            head += f"Content-Type: application/json\r\nContent-Length: {len(request.content)}\r\n"
            raw.sendall(f"{head}X-API-Key: {api_key[1]}\r\n\r\n".encode() + request.content)
            time.sleep(1)
            os.kill(own_web.processes["web"].pid, signal.SIGTERM)
            raw.settimeout(20)
            assert raw.recv(200).startswith(b"HTTP/1.1 202")
