"""Redis behind sentinels: the primary is killed while checks stream in."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from analysis.models import AnnotatedAnswer, Check, CheckState
from audit.models import Event, TrailEntry
from tests.faults import campaign
from tests.faults.stream import Accepted, Client
from tests.sentinel import Watched
from tests.sockets import wait_until
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
def stack(transactional_db, watched) -> Iterator[Stack]:
    started = Stack.start(REDIS_URL=watched.url)
    yield started
    started.stop()


def wait_for_more(accepted: Accepted) -> None:
    """Return once some more are accepted."""
    wanted = len(accepted.ids) + _SOME
    wait_until(lambda: len(accepted.ids) >= wanted, seconds=_SECONDS)


def verdict(client: httpx.Client) -> dict[str, Any]:
    """Submit a check and wait for its verdict."""
    answer = client.post("/api/v1/checks", json=BODY, headers={"Prefer": "wait=60"})
    return answer.json()


def test_the_rate_limit_is_counted_by_the_primary(stack, api_key) -> None:
    key, token = api_key
    key.application.rate_limit_per_minute = 1_000
    key.application.save()
    with stack.client(token) as client:
        first = client.get("/api/v1/checks").headers["RateLimit-Remaining"]
        second = client.get("/api/v1/checks").headers["RateLimit-Remaining"]
    assert int(first) - int(second) == 1


def test_a_failover_loses_and_doubles_nothing(stack, watched, api_key) -> None:
    accepted = Accepted()
    with stack.client(api_key[1]) as client:
        assert verdict(client)["state"] == "done"
        with campaign.streaming([Client([stack.url], api_key[1], accepted, 0, 7, kinds=["check"])]):
            wait_for_more(accepted)
            watched.kill_primary()
            wait_for_more(accepted)
        campaign.settle(stack)
        assert verdict(client)["state"] == "done"
        stack.wait_until("/readyz?all")
    outcome = campaign.outcome(accepted)
    assert (outcome.lost, outcome.doubled, accepted.unanswered) == ([], [], [])
    done_count = Check.objects.filter(state=CheckState.DONE).count()
    assert done_count == outcome.done + 2 == len(accepted.ids) + 2
    assert AnnotatedAnswer.objects.count() == done_count
    assert TrailEntry.objects.filter(event=Event.CHECK_DECIDED).count() == done_count
    assert stack.is_whole()
