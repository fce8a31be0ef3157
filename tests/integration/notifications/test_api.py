"""`/api/v1/webhooks`: from creating one to sending a delivery again, over a real socket."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from pytest_django.asserts import assertNumQueries
from rest_framework.test import APIClient

from audit.models import Event, TrailEntry
from notifications import services
from notifications.delivery import MAX_ATTEMPTS, deliver_waiting
from notifications.models import Notification, NotificationState, Subscription
from tests.integration.notifications.receivers import Hooks, hooks
from tests.shapes import problem
from watchdog_client import WebhookError, verify

WEBHOOKS = "/api/v1/webhooks"
URL = "https://93.184.216.34/hook"


@pytest.fixture
def receiver(settings) -> Iterator[Hooks]:
    settings.WEBHOOK_ALLOWED_HOSTS = ["127.0.0.1"]
    settings.WEBHOOK_SECONDS = 30.0
    with hooks() as hooks_server:
        yield hooks_server


def create(api: APIClient, url: str = URL, *events: str) -> Any:
    body = {"url": url, "events": list(events) or ["check.done"]}
    return api.post(WEBHOOKS, body, format="json")


def test_made_listed_and_deleted(api) -> None:
    response = create(api, URL, "check.done", "batch.done", "check.done")
    assert response.status_code == 201
    webhook = response.json()
    assert (webhook["url"], webhook["events"]) == (URL, ["batch.done", "check.done"])
    secret = webhook.pop("secret")
    assert secret.startswith("whsec_")
    assert api.get(response["Location"]).json() == webhook
    assert api.get(WEBHOOKS).json() == {"results": [webhook]}
    assert create(api).json()["type"].endswith(":address_taken")
    Notification.objects.create(
        subscription_id=webhook["id"], kind="test", key="k", data={}, due_at=Now()
    )
    assert api.delete(response["Location"]).status_code == 204
    assert api.get(response["Location"]).status_code == 404
    assert Notification.objects.get().state == NotificationState.WITHDRAWN
    again = create(api).json()
    assert (again["id"], again["events"]) == (webhook["id"], ["check.done"])
    assert again["secret"] != secret
    changes = TrailEntry.objects.filter(event=Event.SUBSCRIPTION_CHANGED)
    assert changes.count() == 3
    assert secret not in str(list(changes.values_list("data", flat=True)))


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"url": "http://example.com/", "events": ["check.done"]}, "url"),
        ({"url": "https://127.0.0.1/", "events": ["check.done"]}, "url"),
        ({"url": "https://[::ffff:169.254.169.254]/", "events": ["check.done"]}, "url"),
        ({"url": "https://hooks.invalid/", "events": ["check.done"]}, "url"),
        ({"url": URL, "events": []}, "events"),
        ({"url": URL, "events": ["test"]}, "events[0]"),
        ({"url": URL, "events": ["check.done"], "secret": "mine"}, "secret"),
    ],
)
def test_refused(api, body, field) -> None:
    response = api.post(WEBHOOKS, body, format="json")
    assert (response.status_code, response.json()["errors"][0]["field"]) == (400, field)


def test_an_application_has_only_so_many(api, monkeypatch) -> None:
    monkeypatch.setattr(services, "MOST_WEBHOOKS", 1)
    assert create(api).status_code == 201
    assert problem(create(api, f"{URL}/2")) == (409, "too_many_webhooks")


def test_the_secret_before_is_good_for_the_overlap(api, receiver) -> None:
    webhook = create(api, receiver.url).json()
    address = f"{WEBHOOKS}/{webhook['id']}"
    renewed = api.post(f"{address}/secret", {"overlap_seconds": 60}, format="json").json()
    assert renewed["secret"] != webhook["secret"]
    assert renewed["previous_secret_until"]

    def sent() -> tuple[dict[str, str], bytes]:
        api.post(f"{address}/test")
        assert deliver_waiting() == 1
        return receiver.requests[-1]

    both = sent()
    for secret in (webhook["secret"], renewed["secret"]):
        assert verify(secret, *both).type == "test"
    Subscription.objects.update(previous_until=Now() - timedelta(seconds=1))
    with pytest.raises(WebhookError):
        verify(webhook["secret"], *sent())
    last = api.post(f"{address}/secret", {"overlap_seconds": 0}, format="json").json()
    assert last["previous_secret_until"] is None
    message = sent()
    assert verify(last["secret"], *message)
    with pytest.raises(WebhookError):
        verify(renewed["secret"], *message)


def test_the_log_of_a_delivery_and_its_replay(api, receiver) -> None:
    webhook = create(api, receiver.url).json()
    response = api.post(f"{WEBHOOKS}/{webhook['id']}/test")
    where = response["Location"]
    assert (response.status_code, response.json()["state"], response.json()["attempts"]) == (
        202,
        "queued",
        [],
    )
    assert api.post(f"{where}/replay").status_code == 409  # it waits anyway
    receiver.codes[:] = [503, 204]
    assert deliver_waiting() == 0
    Notification.objects.update(due_at=Now())
    assert deliver_waiting() == 1
    assert api.post(f"{where}/replay").json()["state"] == "queued"
    receiver.codes[:] = [500]
    Notification.objects.update(attempts=MAX_ATTEMPTS - 1)
    assert deliver_waiting() == 0

    delivery = api.get(where).json()
    assert (delivery["state"], delivery["next_attempt_at"]) == ("failed", None)
    assert [item["status"] for item in delivery["attempts"]] == [503, 204, 500]
    assert delivery["attempts"][0]["error"] == "answered 503"
    deliveries = api.get(f"{WEBHOOKS}/{webhook['id']}/deliveries?state=failed").json()
    assert deliveries["results"] == [delivery]
    receiver.codes[:] = [200]
    assert api.post(f"{where}/replay").status_code == 202
    assert deliver_waiting() == 1
    assert {headers["webhook-id"] for headers, _ in receiver.requests} == {delivery["id"]}
    assert len({body for _, body in receiver.requests}) == 1


def test_a_list_costs_the_same_for_many(api) -> None:
    webhook = create(api).json()
    subscription = Subscription.objects.get()
    for _ in range(20):
        services.send_test(subscription=subscription, by="test")
    # The key, the webhook, the page, its attempts.
    with assertNumQueries(4):
        body = api.get(f"{WEBHOOKS}/{webhook['id']}/deliveries?page_size=20").json()
    assert len(body["results"]) == 20


def test_what_arrived_long_ago_is_forgotten(api) -> None:
    create(api)
    sent, failed = (
        services.send_test(subscription=Subscription.objects.get(), by="t") for _ in "ab"
    )
    Notification.objects.update(created_at=Now() - timedelta(days=31))
    Notification.objects.filter(pk=sent.pk).update(
        state=NotificationState.SENT, due_at=None, sent_at=Now()
    )
    Notification.objects.filter(pk=failed.pk).update(state=NotificationState.FAILED, due_at=None)
    assert services.forget_delivered(days=30) == 1
    assert Notification.objects.get() == failed
