"""Subscriptions and the outbox in the admin × every role."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from audit.models import Event, TrailEntry
from notifications.models import EventKind, Notification, NotificationState, Subscription
from notifications.services import secret_of
from tests.integration.people import ROLES, subscribed

SUBSCRIPTIONS, OUTBOX = "/admin/notifications/subscription/", "/admin/notifications/notification/"
BOTH = "lead there, auditor here"
LEADING, SEEING = ("superuser", "lead"), ("superuser", "lead", "auditor", BOTH)
HOOK = "https://93.184.216.34/hook?key=abc"


@pytest.fixture
def subscription(application) -> Subscription:
    subscription = subscribed(application, HOOK)
    Notification.objects.create(
        subscription=subscription, kind=EventKind.TEST, key="k", data={},
        state=NotificationState.FAILED,
        due_at=None, last_error="answered 500", attempts=14,
    )  # fmt: skip
    return subscription


@pytest.mark.parametrize("role", [*ROLES, BOTH])
def test_each_role(role, application, subscription, browser) -> None:
    client = browser(role)
    many = client.get(SUBSCRIPTIONS)
    response = client.get(OUTBOX)
    assert (HOOK in many.content.decode()) == (role in SEEING)
    assert ("answered 500" in response.content.decode()) == (role in SEEING)
    detail_page = client.get(f"{SUBSCRIPTIONS}{subscription.pk}/change/", follow=True)
    assert (HOOK in detail_page.content.decode()) == (role in SEEING)
    assert ('name="_save"' in detail_page.content.decode()) == (role in LEADING)
    new = {
        "application": application.pk, "channel": "email", "target": "new@example.com",
        "kinds": ["review.overdue"], "is_active": "on",
    }  # fmt: skip
    client.post(f"{SUBSCRIPTIONS}add/", new)
    assert Subscription.objects.filter(target="new@example.com").exists() == (role in LEADING)
    again = {"action": "again", "_selected_action": [Notification.objects.get().pk]}
    client.post(OUTBOX, again)
    assert (Notification.objects.get().state == NotificationState.QUEUED) == (role in LEADING)
    test = {"action": "test", "_selected_action": [subscription.pk]}
    client.post(SUBSCRIPTIONS, test)
    assert (Notification.objects.count() == 2) == (role in LEADING)
    salt = subscription.salt
    client.post(SUBSCRIPTIONS, test | {"action": "new_secret"})
    subscription.refresh_from_db()
    assert (subscription.salt != salt) == (role in LEADING)
    client.post(f"{SUBSCRIPTIONS}{subscription.pk}/delete/", {"post": "yes"})
    assert Subscription.objects.filter(pk=subscription.pk).exists()


def test_the_secret_is_shown_once_and_nowhere_else(desk, application) -> None:
    form = {
        "application": application.pk, "channel": "webhook", "target": HOOK,
        "kinds": ["review.overdue", "rejections.unusual"], "is_active": "on",
    }  # fmt: skip
    created_page = desk.post(f"{SUBSCRIPTIONS}add/", form, follow=True).content.decode()
    subscription = Subscription.objects.get()
    assert subscription.created_by == "root"
    in_words, on_button = re.findall(r"whsec_[\w+/=]+", created_page)
    assert in_words == on_button == secret_of(subscription)
    page = desk.get(f"{SUBSCRIPTIONS}{subscription.pk}/change/").content.decode()
    assert "whsec_" not in page
    entry = TrailEntry.objects.get(event=Event.SUBSCRIPTION_CHANGED)
    assert "93.184" not in str(entry.data)
    assert subscription.salt not in str(entry.data)


@pytest.mark.parametrize(
    ("channel", "target", "why"),
    [
        ("webhook", "http://example.com/", "Only https"),
        ("webhook", "https://169.254.169.254/latest/", "No public address"),
        ("webhook", "https://hooks.invalid/", "No public address"),
        ("webhook", "lead@example.com", "https://"),
        ("email", "https://example.com/", "valid email"),
        ("email", "a@example.com\r\nBcc: b@example.com", "valid email"),
    ],
)
def test_an_address_that_is_none(desk, application, channel, target, why) -> None:
    form = {
        "application": application.pk, "channel": channel, "target": target,
        "kinds": ["review.overdue"], "is_active": "on",
    }  # fmt: skip
    answer = desk.post(f"{SUBSCRIPTIONS}add/", form)
    assert why in answer.content.decode()
    assert not Subscription.objects.exists()


def test_the_outbox_costs_as_much_with_many(desk, subscription) -> None:
    counts = []
    for many in (1, 40):
        Notification.objects.bulk_create(
            Notification(subscription=subscription, kind=EventKind.TEST, key=f"{many}-{n}", data={})
            for n in range(many)
        )
        with CaptureQueriesContext(connection) as queries:
            assert desk.get(OUTBOX).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 12
