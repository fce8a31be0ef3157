"""The API on real processes: waiting, batches, retries, health."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import httpx
import pytest

from analysis.models import AnnotatedAnswer, Check, CheckState, Review
from analysis.services import lifecycle
from lib.workqueue.broker import redis_client
from tests.conftest import SSN_ANSWER, SSN_QUESTION
from tests.integration.analysis.test_lifecycle import make_overdue
from tests.sockets import wait_until
from tests.stack import PATIENT, Stack

CHECKS = "/api/v1/checks"
LONGEST_S = 240
WAIT_S = 110
"""Less than a client waits for an answer (`tests.stack`), and enough for a busy machine."""


def test_a_client_waits_for_its_verdict(stack, api_key) -> None:
    with stack.client(api_key[1]) as client:
        body = {"query": SSN_QUESTION, "answer": SSN_ANSWER}
        response = client.post(CHECKS, json=body, headers={"Prefer": "wait=60"})
        assert response.status_code == 200
        assert response.headers["Preference-Applied"] == "wait=60"
        result = response.json()
        assert (result["action"], result["risk_score"]) == ("WARN", 35)
        assert client.get(f"{CHECKS}/{result['id']}").json() == result

        again = client.post(CHECKS, json=body, headers={"Idempotency-Key": "a"})
        repeated = client.post(CHECKS, json=body, headers={"Idempotency-Key": "a"})
        assert repeated.json() == again.json()
        assert repeated.headers["Idempotent-Replayed"] == "true"

        blocked = client.post(
            CHECKS,
            json={
                "query": "How deep may a trench be without protection?",
                "answer": "A trench needs a protective system from 9 feet of depth.",
                "sources": ["A trench of 5 feet of depth or more needs a protective system."],
            },
        ).json()
        assert blocked["action"] == "BLOCK"
        claim = blocked["claims"][0]
        assert claim["status"] == "Contradictory"
        assert "5 feet" in claim["primary_evidence"]["text"]
    assert Review.objects.count() == 3
    assert "SSN College" not in stack.logs(), "logs never hold an answer's text"
    assert api_key[1] not in stack.logs()


def test_a_batch_gives_each_item_its_own_result_or_error(stack, api_key) -> None:
    items: list[object] = [{"answer": f"The bridge has {n} arches."} for n in range(40)]
    items[7] = {"answer": ""}
    items[11] = None
    with stack.client(api_key[1]) as client:
        response = client.post("/api/v1/batches", json={"items": items})
        assert response.status_code == 202
        address = response.headers["Location"]
        batch = _until_done(client, address)
    assert [item["index"] for item in batch["items"]] == list(range(40))
    assert [n for n, item in enumerate(batch["items"]) if "errors" in item] == [7, 11]
    assert batch["items"][7]["errors"][0]["field"] == "answer"
    assert batch["states"]["done"] == 38
    assert AnnotatedAnswer.objects.count() == 38


def test_the_same_request_at_the_same_time_makes_one_check(stack, api_key) -> None:
    def post(_: int) -> str:
        with stack.client(api_key[1]) as client:
            body = {"answer": SSN_ANSWER}
            response = client.post(CHECKS, json=body, headers={"Idempotency-Key": "one"})
            assert response.status_code == 200
            return str(response.json()["id"])

    with ThreadPoolExecutor(12) as pool:
        ids = set(pool.map(post, range(12)))
    assert len(ids) == 1
    assert Check.objects.count() == 1


@pytest.fixture
def web(transactional_db, empty_redis) -> Iterator[Stack]:
    """Start web alone: nothing is decided before the test starts a worker."""
    running = Stack.start("web", **PATIENT, MAX_WAIT_SECONDS=str(WAIT_S))
    yield running
    running.stop()


def test_a_client_who_waits_comes_before_a_batch(web, api_key) -> None:
    with web.client(api_key[1]) as client:
        items = [{"answer": SSN_ANSWER}] * 20
        address = client.post("/api/v1/batches", json={"items": items}).headers["Location"]
        redis_client().flushall()
        for check in Check.objects.all():
            make_overdue(check)
        assert lifecycle.sweep().enqueued == 20, "what was lost is put back behind those who wait"
        body = {"answer": SSN_ANSWER}
        waiting = client.post(CHECKS, json=body, headers={"Prefer": "respond-async"}).json()
        web.spawn("worker")
        _until_done(client, address)
    results = list(AnnotatedAnswer.objects.order_by("created_at").values_list("pk", flat=True))
    assert len(results) == 21
    assert results.index(UUID(waiting["id"])) < 10, "before most of the batch"


def test_healthz_answers_while_forty_clients_wait(web, api_key) -> None:
    def wait(_: int) -> int:
        with web.client(api_key[1]) as client:
            body = {"answer": SSN_ANSWER}
            return client.post(CHECKS, json=body, headers={"Prefer": f"wait={WAIT_S}"}).status_code

    with ThreadPoolExecutor(40) as pool:
        futures = [pool.submit(wait, n) for n in range(40)]
        wait_until(lambda: Check.objects.count() == 40, seconds=LONGEST_S)
        for _ in range(5):
            web.wait_until("/healthz")
        assert [future.result() for future in futures if future.done()] == [], "they still wait"
        assert set(Check.objects.values_list("state", flat=True)) == {CheckState.QUEUED}
        web.spawn("worker")
        assert {future.result() for future in futures} <= {200, 202}
        open_checks = Check.objects.exclude(state=CheckState.DONE)
        wait_until(lambda: not open_checks.exists(), seconds=LONGEST_S)


def _until_done(client: httpx.Client, address: str) -> dict[str, Any]:
    def done() -> dict[str, Any] | None:
        batch: dict[str, Any] = client.get(address).json()
        return None if batch["states"]["queued"] or batch["states"]["running"] else batch

    return wait_until(done, seconds=LONGEST_S)
