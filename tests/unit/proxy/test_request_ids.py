"""The id of a request is in every answer, error and log line, and reaches both servers."""

import os
import socket
import subprocess
import sys
import uuid
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from proxy.model import returned_headers
from proxy.tracing import HEADER, RequestIdFilter
from tests import fake_llm
from tests.sockets import wait_until
from tests.unit.proxy.serving import Running, proxying

ROOT = Path(__file__).parents[3]
CHAT: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "Why?"}]}
KEY = {"X-Watchdog-Key": "wd_key"}


def post(running: Running, body: object, request_id: str = "abc-1", **headers: str) -> str:
    """Return the id in the answer."""
    response = httpx.post(
        f"{running.url}/v1/chat/completions", json=body, headers={HEADER: request_id} | headers
    )
    return response.headers[HEADER]


@pytest.mark.parametrize("stream", [False, True])
def test_the_callers_id_reaches_model_and_watchdog(stream) -> None:
    with proxying() as running:
        assert post(running, CHAT | {"stream": stream}, **KEY) == "abc-1"
        assert running.model.request_ids == ["abc-1"]
        assert set(running.watchdog.request_ids) == {"abc-1"}


@pytest.mark.parametrize("stated", ["", "two words", "x" * 201])
def test_one_is_made_where_none_can_be_used(stated) -> None:
    with proxying() as running:
        made = post(running, CHAT, stated, **KEY)
        assert str(uuid.UUID(made)) == made
        assert post(running, CHAT, stated, **KEY) != made
        assert running.model.request_ids[0] == running.watchdog.request_ids[0] == made


def test_errors_have_it() -> None:
    with proxying(fake_llm.status(429)) as running:
        assert post(running, CHAT) == "abc-1"  # 401
        assert post(running, {"messages": 5}, **KEY) == "abc-1"  # 400
        assert post(running, CHAT, **KEY) == "abc-1"  # the model's 429
        response = httpx.get(f"{running.url}/nowhere", headers={HEADER: "abc-1"})
        assert (response.status_code, response.headers[HEADER]) == (404, "abc-1")


def test_an_error_of_the_proxys_own_has_it(monkeypatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("proxy.app._validate_input", fail)
    with proxying() as running:
        response = httpx.post(
            f"{running.url}/v1/chat/completions", json=CHAT, headers=KEY | {HEADER: "abc-1"}
        )
    assert (response.status_code, response.headers[HEADER]) == (500, "abc-1")
    assert response.json()["error"]["code"] == "internal_error"


def test_the_models_own_id_has_another_name() -> None:
    response = httpx.Response(200, headers={"x-request-id": "req_1", "retry-after": "3"})
    assert returned_headers(response) == {"X-Model-Request-ID": "req_1", "Retry-After": "3"}


def test_a_log_line_of_a_check_has_it(caplog) -> None:
    request_id_filter = RequestIdFilter()
    caplog.handler.addFilter(request_id_filter)
    with proxying() as running:
        running.watchdog.down = True
        post(running, CHAT, **KEY)
    caplog.handler.removeFilter(request_id_filter)
    (record,) = (r for r in caplog.records if r.name == "watchdog_client.guard")
    assert vars(record)["request_id"] == "abc-1"


def test_the_log_says_what_of_the_model_was_unreadable(caplog) -> None:
    with proxying(fake_llm.Reply(200, b"{}")) as running:
        post(running, CHAT, **KEY)
    (record,) = (r for r in caplog.records if r.name == "proxy.errors")
    assert "KeyError('choices')" in record.getMessage()


def test_the_process_writes_it_into_its_log() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = os.environ | {
        "PROXY_MODEL_URL": "http://127.0.0.1:1/v1",
        "PROXY_PORT": str(port),
        "PYTHONPATH": "clients/python/src",
    }
    with subprocess.Popen(
        [sys.executable, "-m", "proxy"],
        env=environment,
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            address = f"http://127.0.0.1:{port}/v1/chat/completions"
            send = partial(httpx.post, address, json=CHAT, headers=KEY | {HEADER: "abc-1"})
            response = wait_until(lambda: [send(timeout=30)], despite=(httpx.ConnectError,))[0]
        finally:
            process.terminate()
        log = process.communicate(timeout=20)[1]
    assert response.status_code == 502
    (line,) = (line for line in log.splitlines() if "POST /v1/chat/completions" in line)
    assert "[abc-1]" in line
    assert "[-]" in log.splitlines()[0]
