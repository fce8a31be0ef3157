"""The API on real processes: waiting, batches, retries, health."""

import time
from concurrent.futures import ThreadPoolExecutor

from accounts.models import ApiKey
from analysis.models import AnnotatedAnswer, Check, CheckState, Review
from tests.conftest import SSN_ANSWER, SSN_QUESTION
from tests.stack import Stack

CHECKS = "/api/v1/checks"


def test_a_client_waits_for_its_verdict(stack: Stack, api_key: tuple[ApiKey, str]) -> None:
    with stack.client(api_key[1]) as client:
        body = {"query": SSN_QUESTION, "answer": SSN_ANSWER}
        response = client.post(CHECKS, json=body, headers={"Prefer": "wait=20"})
        assert response.status_code == 200
        assert response.headers["Preference-Applied"] == "wait=20"
        found = response.json()
        assert (found["action"], found["risk_score"]) == ("WARN", 35)
        assert client.get(f"{CHECKS}/{found['id']}").json() == found

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


def test_a_batch_gives_each_item_its_own_result_or_error(
    stack: Stack, api_key: tuple[ApiKey, str]
) -> None:
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


def test_a_client_who_waits_comes_before_a_batch(
    own_stack: Stack, api_key: tuple[ApiKey, str]
) -> None:
    long = " ".join(f"Bridge {n} has {n} arches and opened in {1000 + n}." for n in range(300))
    with own_stack.client(api_key[1]) as client:
        items = [{"answer": long}] * 150
        address = client.post("/api/v1/batches", json={"items": items}).headers["Location"]
        # Long enough for the sweeper to ring again for what still waits.
        time.sleep(5)
        body = {"answer": SSN_ANSWER}
        assert client.post(CHECKS, json=body, headers={"Prefer": "wait=60"}).status_code == 200
        assert client.get(address).json()["states"]["queued"] > 0, "the batch was still waiting"


def test_the_same_request_at_the_same_time_makes_one_check(
    stack: Stack, api_key: tuple[ApiKey, str]
) -> None:
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


def test_healthz_answers_while_forty_clients_wait(
    own_stack: Stack, api_key: tuple[ApiKey, str]
) -> None:
    own_stack.kill("worker")

    def wait(_: int) -> int:
        with own_stack.client(api_key[1]) as client:
            body = {"answer": SSN_ANSWER}
            return client.post(CHECKS, json=body, headers={"Prefer": "wait=60"}).status_code

    with ThreadPoolExecutor(40) as pool:
        waiting = [pool.submit(wait, n) for n in range(40)]
        while Check.objects.count() < 40:
            time.sleep(0.05)
        for _ in range(5):
            own_stack.wait_until("/healthz", seconds=2)
        assert not any(future.done() for future in waiting), "they still wait"
        assert set(Check.objects.values_list("state", flat=True)) == {CheckState.QUEUED}
        own_stack.spawn("worker-2")
        assert {future.result() for future in waiting} == {200}


def _until_done(client, address: str) -> dict:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        batch = client.get(address).json()
        if not batch["states"]["queued"] and not batch["states"]["running"]:
            return batch
        time.sleep(0.2)
    raise TimeoutError(batch["states"])
