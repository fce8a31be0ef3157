"""Bounds for the worst body: the work grows with its length, and the answer is short."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from pytest_django.fixtures import Settings
from rest_framework.test import APIClient

from accounts.models import Application, Scope
from accounts.services import create_api_key

pytestmark = pytest.mark.django_db
PATHS = ("v1/checks", "v1/batches", "analyze", "v1/webhooks", "v1/policies")
"""Those that take the most, and two of the many that share the small limit."""


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
    "quotes": lambda size: '{"a": "' + '\\"' * size,
    "numbers": lambda size: '{"a": ' + "9" * size + "}",
    "texts": lambda size: json.dumps(
        dict.fromkeys(("answer", "query", "name", "message", "url", "prompt"), "x" * size)
    ),
}


@pytest.fixture
def client(application: Application, settings: Settings, empty_redis: None) -> APIClient:
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
    response = client.post(f"/api/{path}", body, content_type="application/json")
    assert response.status_code in (202, 400, 413), response.content[:200]
    items = 1_000 if response.status_code == 202 else 50
    assert len(response.content) < items * 2_000


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("kind", BODIES)
def test_the_work_grows_with_the_body_and_the_refusal_is_short(
    client: APIClient, path: str, kind: str
) -> None:
    client.post(f"/api/{path}", "{}", content_type="application/json")  # What is made once.
    small, large = (calls_of(client, path, BODIES[kind](size)) for size in (250_000, 1_000_000))
    assert large < 5 * small + 20_000
    refuse(client, path, BODIES[kind](4_000_000))
