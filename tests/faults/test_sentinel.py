"""Redis behind sentinels: the primary is killed while checks stream in."""

import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from accounts.models import ApiKey
from analysis.models import AnnotatedAnswer, Check, CheckState
from audit.models import Event, TrailEntry
from tests.sentinel import Watched
from tests.stack import Stack

BODY = {"answer": "The bridge has 3 arches.", "sources": ["The bridge has 3 arches."]}
_SECONDS = 240.0
_SOME = 10


@pytest.fixture(scope="module")
def watched() -> Iterator[Watched]:
    """Start a primary with sentinels, which take ten seconds to know each other."""
    servers = Watched.start()
    yield servers
    servers.stop()


@pytest.fixture
def stack(transactional_db: None, watched: Watched) -> Iterator[Stack]:
    started = Stack.start(REDIS_URL=watched.url)
    yield started
    started.stop()


class Submitting(threading.Thread):
    """Sends one check after the other, each again with its key until it is accepted."""

    def __init__(self, client: httpx.Client) -> None:
        super().__init__(daemon=True)
        self.client, self.over = client, threading.Event()
        self.ids: dict[str, str] = {}

    def run(self) -> None:
        number = 0
        while not self.over.is_set():
            number += 1
            self._accept(f"check-{number}")
            time.sleep(0.1)

    def _accept(self, key: str) -> None:
        headers = {"Idempotency-Key": key, "Prefer": "respond-async"}
        while key not in self.ids:
            answer = self.client.post("/api/v1/checks", json=BODY, headers=headers)
            if answer.status_code in (200, 202):  # a check may be done before it is shown
                self.ids[key] = answer.json()["id"]

    def wait_for_more(self) -> None:
        """Return once some more are accepted."""
        wanted, until = len(self.ids) + _SOME, time.monotonic() + _SECONDS
        while len(self.ids) < wanted:
            assert time.monotonic() < until, "nothing is accepted"
            time.sleep(0.1)


def verdict(client: httpx.Client) -> dict[str, Any]:
    """Submit a check and wait for its verdict."""
    answer = client.post("/api/v1/checks", json=BODY, headers={"Prefer": "wait=60"})
    body: dict[str, Any] = answer.json()
    return body


def test_the_rate_limit_is_counted_by_the_primary(
    stack: Stack, watched: Watched, api_key: tuple[ApiKey, str]
) -> None:
    key, token = api_key
    key.application.rate_limit_per_minute = 1_000
    key.application.save()
    with stack.client(token) as client:
        first = client.get("/api/v1/checks").headers["RateLimit-Remaining"]
        second = client.get("/api/v1/checks").headers["RateLimit-Remaining"]
    assert int(first) - int(second) == 1


def test_a_failover_loses_and_doubles_nothing(
    stack: Stack, watched: Watched, api_key: tuple[ApiKey, str]
) -> None:
    with stack.client(api_key[1]) as client:
        assert verdict(client)["state"] == "done"
        stream = Submitting(client)
        stream.start()
        stream.wait_for_more()
        watched.kill_primary()
        stream.wait_for_more()
        stream.over.set()
        stream.join(_SECONDS)
        assert not stream.is_alive()
        settle(stack)
        assert verdict(client)["state"] == "done"
        assert set(stream.ids.values()) <= {
            str(key) for key in Check.objects.values_list("pk", flat=True)
        }
        stack.wait_until("/readyz?all")
    done_count = Check.objects.filter(state=CheckState.DONE).count()
    assert done_count == len(stream.ids) + 2
    assert AnnotatedAnswer.objects.count() == done_count
    assert TrailEntry.objects.filter(event=Event.CHECK_DECIDED).count() == done_count
    assert stack.is_whole()


def settle(stack: Stack) -> None:
    until = time.monotonic() + _SECONDS
    while Check.objects.exclude(state=CheckState.DONE).exists():
        if time.monotonic() > until:
            raise TimeoutError(stack.logs())
        time.sleep(0.2)
