"""Bounds for the worst body: the work grows with its length, and the answer is short.

`WORST_BODIES=measure pytest -s …` prints the processor time and the memory that bodies of 1, 4 and
16 MB take, the proxy's too, and fails above a second or 200 MB.
"""

import asyncio
import gc
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from rest_framework.test import APIClient

from accounts.models import Scope
from accounts.services import create_api_key
from proxy.app import create_app
from proxy.settings import Settings

pytestmark = pytest.mark.django_db
LITELLM = "/beta/litellm_basic_guardrail_api"
PATHS = (
    "/api/v1/checks", "/api/v1/batches", "/api/analyze", "/api/v1/webhooks", "/api/v1/policies",
    LITELLM,
)  # fmt: skip
"""Those that take the most, and two of the many that share the small limit."""
SIZES = (1_000_000, 4_000_000, 16_000_000)
measuring = pytest.mark.skipif(
    os.environ.get("WORST_BODIES") != "measure", reason="times and memory of an idle machine"
)
MOST_SECONDS, MOST_BYTES = 1.0, 200_000_000


def repeated(piece: Callable[[int], str], size: int) -> str:
    """Return pieces, each made from its number, of this length together."""
    pieces, length, at = [], 0, 0
    while length < size:
        pieces.append(piece(at))
        length += len(pieces[-1]) + 1
        at += 1
    return ",".join(pieces)


def item_of(size: int) -> str:
    """Return a batch whose items are each wrong in many ways."""
    wrong = json.dumps({"answer": 1, "sources": [1] * 50} | {f"x{n}": 1 for n in range(50)})
    return '{"items": [' + repeated(lambda _: wrong, size) + "]}"


BODIES: dict[str, Callable[[int], str]] = {
    "unknown fields": lambda size: "{" + repeated(lambda n: f'"x{n}": 1', size) + "}",
    "few unknown fields": lambda size: "{" + repeated(lambda n: f'"x{n:0>9999}": 1', size) + "}",
    "a long name": lambda size: '{"' + "x" * size + '": 1}',
    "a member twice": lambda size: (
        "{" + repeated(lambda n: f'"x{n:0>60}": 1', size) + f', "x{0:0>60}": 1' + "}"
    ),
    "a long list": lambda size: '{"sources": [' + repeated(lambda _: "1", size) + "]}",
    "objects": lambda size: '{"answer": [' + repeated(lambda _: "{}", size) + "]}",
    "wrong sources": lambda size: (
        '{"answer": "A.", "sources": [' + repeated(lambda _: '{"x": {}}', size) + "]}"
    ),
    "one source": lambda size: (
        '{"answer": "A.", "sources": [{' + repeated(lambda n: f'"x{n:0>60}": 1', size) + "}]}"
    ),
    "wrong items": item_of,
    "depth": lambda size: '{"a": ' + "[" * size,
    "commas in strings": lambda size: '{"a": ["' + '","' * (size // 3),
    "quotes": lambda size: '{"a": "' + '\\"' * size,
    "numbers": lambda size: '{"a": ' + "9" * size + "}",
    "tags": lambda size: json.dumps(
        {
            "input_type": "request",
            "litellm_call_id": "c",
            "model": "m",
            "structured_messages": [{"role": "user", "content": "<context>" * (size // 9)}],
            "messages": [{"role": "user", "content": "<context x" * (size // 10)}],
        }
    ),
    "tool calls": lambda size: json.dumps(
        {
            "input_type": "response",
            "litellm_call_id": "c",
            "additional_provider_specific_params": {"collections": ["none"]},
            "tool_calls": [{"function": {"name": "f", "arguments": "12 A-1 " * 10_000}}]
            * (size // 70_050),
            "messages": [
                {
                    "role": "assistant",
                    "content": "",
                    "tool_calls": [{"function": {"name": "f", "arguments": "12 A-1 " * 60_000}}]
                    * (size // 420_050),
                }
            ],
        }
    ),
    "sources": lambda size: (
        '{"answer": "A.", "sources": [' + repeated(lambda _: '{"text": "B."}', size) + "]}"
    ),
    "answers": lambda size: '{"items": [' + repeated(lambda _: '{"answer": "A."}', size) + "]}",
    "texts": lambda size: json.dumps(
        dict.fromkeys(("answer", "query", "name", "message", "url", "prompt"), "x" * (size // 6))
    ),
}


OF_EACH_PATH = ("unknown fields", "few unknown fields", "texts")
"""Refused by the fields of each path itself; the others by the parser that all of them share."""
PATHS_OF = dict.fromkeys(OF_EACH_PATH, PATHS) | {
    "wrong items": ("/api/v1/batches",),
    "answers": ("/api/v1/batches",),
    "tags": ("/api/v1/checks", LITELLM),
    "tool calls": ("/api/v1/checks", LITELLM),
}
CASES = [(kind, path) for kind in BODIES for path in PATHS_OF.get(kind, ("/api/v1/checks",))]


@pytest.fixture
def client(application, settings, empty_redis) -> APIClient:
    settings.DEFAULT_WAIT_SECONDS = settings.MAX_WAIT_SECONDS = 0
    _, key = create_api_key(application=application, name="w", scopes=tuple(Scope), by="test")
    client = APIClient(raise_request_exception=True)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {key}")
    return client


@contextmanager
def counted() -> Iterator[list[int]]:
    """Count the calls of functions."""
    calls = [0]

    def count(_: Any, event: str, __: Any) -> None:
        if event in ("call", "c_call"):
            calls[0] += 1

    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def calls_of(client: APIClient, path: str, body: str) -> int:
    """Return the number of calls that the refusal of a body takes."""
    with counted() as calls:
        refuse(client, path, body)
    return calls[0]


def refuse(client: APIClient, path: str, body: str) -> None:
    response = client.post(path, body, content_type="application/json")
    assert response.status_code in (200, 202, 400, 413, 422), response.content[:200]
    items = 1_000 if response.status_code == 202 else 50
    assert len(response.content) < items * 2_000


@pytest.mark.parametrize(("kind", "path"), CASES)
def test_the_work_grows_with_the_body_and_the_refusal_is_short(client, kind, path) -> None:
    client.post(path, "{}", content_type="application/json")  # What is made once.
    small, large = (calls_of(client, path, BODIES[kind](size)) for size in (250_000, 1_000_000))
    assert large < 5 * small + 20_000
    refuse(client, path, BODIES[kind](4_000_000))


@contextmanager
def measured(what: str) -> Iterator[None]:
    """Print the processor time and the most memory that the block takes. Fails above the limits."""
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # The peak begins again at what is held now.
    held, began = memory("VmRSS"), time.process_time()
    yield
    seconds, peak = time.process_time() - began, max(0, memory("VmHWM") - held)
    print(f"{what:<60} {seconds:6.2f} s {peak / 1e6:6.0f} MB")
    assert seconds <= MOST_SECONDS
    assert peak <= MOST_BYTES


def memory(name: str) -> int:
    (line,) = re.findall(rf"^{name}:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.M)
    return int(line) * 1_000


@measuring
@pytest.mark.parametrize("kind", BODIES)
def test_no_body_costs_more_than_a_second_and_200_mb(client, kind) -> None:
    for path in PATHS:
        client.post(path, "{}", content_type="application/json")
        for size in SIZES:
            body = BODIES[kind](size).encode()
            with measured(f"{path} {kind} {size // 1_000_000} MB"):
                response = client.post(path, body, content_type="application/json")
            assert response.status_code in (200, 202, 400, 413, 422), response.content[:200]


@measuring
@pytest.mark.parametrize("kind", BODIES)
@pytest.mark.parametrize("path", ["chat/completions", "responses", "messages", "embeddings"])
def test_nor_does_the_proxy(path, kind) -> None:
    transport = httpx.ASGITransport(create_app(Settings(model_url="http://127.0.0.1:1")))

    async def post(body: bytes) -> int:
        headers = {"X-Watchdog-Key": "wd_key"}
        async with httpx.AsyncClient(transport=transport, base_url="http://proxy") as proxy:
            return (await proxy.post(f"/v1/{path}", content=body, headers=headers)).status_code

    asyncio.run(post(b"{}"))
    for size in SIZES:
        body = BODIES[kind](size).encode()
        with measured(f"proxy {path} {kind} {size // 1_000_000} MB"):
            status = asyncio.run(post(body))
        assert status in (400, 413, 502)
