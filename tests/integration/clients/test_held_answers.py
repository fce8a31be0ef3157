"""A held answer's way through real processes: guard, proxy, desk, webhook, polling, expiry."""

import json
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import httpx
import pytest
from django.utils import timezone

from accounts.models import Role, Scope
from accounts.services import create_api_key
from analysis.models import HeldAnswer
from tests import fake_llm
from tests.integration.notifications.receivers import Hooks, hooks
from tests.integration.people import person
from tests.stack import PATIENT, Stack
from tests.unit.proxy.serving import guarded_model
from watchdog_client import Guard, GuardSettings, Watchdog, verify

pytestmark = [pytest.mark.timeout(500), pytest.mark.usefixtures("empty_redis")]
ANSWER = "The usual dosage is 5 mg a day."
WAITING = "A person is reviewing this answer. It will follow."
REFUSAL = "I don't know based on the available sources."
SLOW = GuardSettings(timeout=120.0)


@pytest.fixture
def running(transactional_db) -> Iterator[Stack]:
    stack = Stack.start(**PATIENT, WEBHOOK_ALLOWED_HOSTS="127.0.0.1")
    yield stack
    stack.stop()


@pytest.fixture
def token(application, running) -> str:
    """A key of an application whose policy holds answers about dosages, and a reviewer of it."""
    person("anna", Role.REVIEWER, application)
    _, token = create_api_key(application=application, name="k", by="test", scopes=tuple(Scope))
    policy = {"rules": {"hold": {"words": ["dosage"]}}, "based_on": "active", "activate": True}
    with running.client(token) as client:
        reply = client.post("/api/v1/policies", json={**policy, "note": "Doses are approved."})
    assert reply.status_code == 201, reply.text
    return token


@pytest.fixture
def released(running, token) -> Iterator[Callable[[str], dict[str, Any]]]:
    """Return what a receiver of webhooks is told about a check, as its client verifies it."""
    with hooks() as receiver:
        with running.client(token) as client:
            body = {"url": receiver.url, "events": ["check.released"]}
            secret = client.post("/api/v1/webhooks", json=body).json()["secret"]
        yield lambda check_id: _event(receiver, secret, check_id)


def _event(receiver: Hooks, secret: str, check_id: str) -> dict[str, Any]:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        events = [verify(secret, *request).data for request in list(receiver.requests)]
        if found := [dict(data) for data in events if data["check_id"] == check_id]:
            return found[-1]
        time.sleep(0.2)
    raise TimeoutError(f"nothing about {check_id}")


def decide(client: httpx.Client, decision: str, **words: str) -> None:
    """Decide what waits longest, as Anna."""
    queue = {"reviewer": "anna", "reason": "held"}
    review = client.post("/api/v1/reviews/next", json=queue)
    body = {"reviewer": "anna", "decision": decision, **words}
    path = f"/api/v1/reviews/{review.json()['id']}/decide"
    reply = client.post(path, json=body, headers={"If-Match": review.headers["ETag"]})
    assert reply.status_code == 200, reply.text


def test_approved_by_a_person_it_comes_by_webhook_and_polling(running, token, released) -> None:
    with Watchdog(running.url, token, timeout=120) as watchdog, running.client(token) as client:
        first = Guard(watchdog, SLOW).check_answer(ANSWER, sources=[ANSWER])
        assert (first.text, first.action, first.awaiting_review) == (WAITING, "WARN", True)
        assert first.check.hold.due_at is not None
        decide(client, "approved", corrected_text="5 mg a day; ask your doctor.")
        check = watchdog.wait_for_release(first.check.id, timeout=60)
        assert (check.hold and check.hold.state) == "edited"
        assert check.final_response == "5 mg a day; ask your doctor."
    event = released(first.check.id)
    assert event["final_response"] == "5 mg a day; ask your doctor."
    assert event["hold"]["state"] == "edited"


def test_the_proxy_says_that_it_waits_and_the_worker_refuses_what_is_late(
    running, token, released
) -> None:
    messages: Any = [
        {"role": "system", "content": f"<context>{ANSWER}</context>"},
        {"role": "user", "content": "How much?"},
    ]
    with guarded_model(fake_llm.text(ANSWER), running.url, token) as client:
        raw = client.chat.completions.with_raw_response.create(model="m", messages=messages)
    assert raw.headers["X-Watchdog-Hold"] == "awaiting"
    completion: Any = raw.parse()
    assert completion.choices[0].message.content == WAITING
    (verdict,) = completion.watchdog["checks"]
    assert json.loads(raw.text)["watchdog"]["checks"][0]["hold"]["state"] == "awaiting"
    HeldAnswer.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    event = released(verdict["check_id"])
    assert (event["hold"]["state"], event["final_response"]) == ("expired", REFUSAL)
