"""Delivers what waits in the outbox."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Greatest, Now
from django.utils import timezone

from lib.workqueue.broker import only_one
from lib.workqueue.models import MAX_ERROR
from lib.workqueue.queue import LeaseLost, WorkQueue
from notifications import signing
from notifications.channels import Undelivered, mail, webhook
from notifications.models import (
    Attempt,
    Channel,
    EventKind,
    Notification,
    NotificationState,
    Subscription,
)
from notifications.services import secrets_of

# Notifications in words, and as the body of a webhook. Pure functions over their data.
#
# Neither contains a question or an answer: receivers may be outside the desk.

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class NotificationText:
    """The parts of a notification from which its texts are made."""

    kind: EventKind
    data: Data
    created_at: datetime


def request_body(message: NotificationText, application: str) -> bytes:
    """Return the JSON of a webhook: the same bytes each time it is sent."""
    document = {
        "type": str(message.kind),
        "timestamp": message.created_at.isoformat(),
        "application": application,
        "data": message.data,
    }
    return json.dumps(document, separators=(",", ":"), sort_keys=True).encode()


def mail_subject(many: Sequence[NotificationText], application: str) -> str:
    """Return the one-line subject of a mail about these notifications."""
    first = headline(many[0])
    more = f" and {len(many) - 1} more" if len(many) > 1 else ""
    return " ".join(f"[{application}] {first}{more}".split())


def mail_text(many: Sequence[NotificationText], application: str) -> str:
    """Return the mail: a paragraph for each notification."""
    parts = [f"{headline(item)}.\n{_more(item)}".strip() for item in many]
    ends = f"Sent by WATCHDOG for {application}. A lead of it can switch this off: Subscriptions."
    return "\n\n".join([*parts, "--\n" + ends]) + "\n"


def headline(message: NotificationText) -> str:
    """Return the event in one sentence without its full stop."""
    data = message.data
    match message.kind:
        case EventKind.REVIEW_OVERDUE:
            count = data["count"]
            return f"{count:,} reviews are overdue" if count > 1 else "A review is overdue"
        case EventKind.REVIEW_ESCALATED if data["why"] == "escalated":
            return "A reviewer escalated: a lead must settle it"
        case EventKind.REVIEW_ESCALATED:
            return "Two reviewers differ: a lead must settle it"
        case EventKind.REJECTIONS_UNUSUAL:
            way = "rose" if data["recent"]["share"] > data["before"]["share"] else "fell"
            return f"The rejection rate {way} to {data['recent']['share']:.1%}"
        case EventKind.PROBE_FAILED:
            count = len(data["probes"])
            return "A probe did not pass" if count == 1 else f"{count} probes did not pass"
        case EventKind.DRIFT_NOTICED:
            count = len(data["drifts"])
            return "One thing has drifted" if count == 1 else f"{count} things have drifted"
        case EventKind.CASES_FAILED:
            return f"{data['failed']} of {data['cases']} regression cases do not pass"
        case EventKind.EVIDENCE_READY:
            return f"The evidence pack of {data['first']} to {data['last']} can be downloaded"
        case EventKind.TEST:
            return "A test: this address is told of events"
        case kind:
            return str(kind.label).capitalize()


def _more(message: NotificationText) -> str:
    data = message.data
    match message.kind:
        case EventKind.REVIEW_OVERDUE:
            lines = [
                f"- {item['reason']}, risk {item['risk']}: {item['url']}"
                for item in data["reviews"]
            ]
            remaining = data["count"] - len(data["reviews"])
            return "\n".join(
                [*lines, *([f"and {remaining:,} more: {data['url']}"] if remaining else [])]
            )
        case EventKind.REVIEW_ESCALATED:
            return f"Check {data['check_id']}, risk {data['risk']}: {data['url']}"
        case EventKind.REJECTIONS_UNUSUAL:
            recent, before = data["recent"], data["before"]
            return (
                f"In the {recent['hours']} hours up to {recent['until']}: "
                f"{recent['rejected']:,} of {recent['of']:,} checks. "
                f"In the {before['hours']} hours before: {before['rejected']:,} of "
                f"{before['of']:,} ({before['share']:.1%}).\n"
                f"{data['url']}"
            )
        case EventKind.PROBE_FAILED:
            lines = [
                f"- {item['probe']} by {item['judge'] or item['way']}: {item['outcome']}"
                + (f" ({item['detail']})" if item["detail"] else "")
                for item in data["probes"]
            ]
            return "\n".join([*lines, data["url"]])
        case EventKind.DRIFT_NOTICED:
            return "\n".join([*map(_drift, data["drifts"]), data["url"]])
        case EventKind.CASES_FAILED:
            return f"Engine {data['engine']}, {data['judge']}: {data['url']}"
        case EventKind.EVIDENCE_READY:
            return str(data["url"])
        case _:
            return ""


def _drift(item: Data) -> str:
    segment = f" of {item['dimension']} {item['value'] or '(none)'}" * (item["dimension"] != "all")
    moves = ", ".join(
        f"{change['key'] or '(none)'} {change['before']:.1%} to {change['recent']:.1%}"
        for change in item["changes"]
    )
    return f"- {item['what']}{segment}: {moves}"


log = structlog.get_logger(__name__)
LEASE = timedelta(seconds=90)
"""Longer than the time limit of the task, so that two never send the same at the same time."""
MAX_ATTEMPTS = 14
MOST_IN_A_MAIL = 50
SIDE_BY_SIDE = 8
"""Messages sent to one webhook in parallel, once it has answered one."""
_LOCK_SECONDS = 40.0
_SECONDS = 10.0
"""Seconds after which others take over from a killed process; longer than any call takes."""
_FIRST, _LONGEST = timedelta(seconds=30), timedelta(hours=6)


def delay(attempts: int) -> timedelta:
    """Return the delay after `attempts`: half a minute, doubled each time, up to 6 hours."""
    return min(_FIRST * (1 << (attempts - 1)), _LONGEST)


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """The result of one attempt; `error` is empty if it arrived."""

    status: int | None
    error: str
    milliseconds: int


@dataclass(frozen=True, slots=True)
class WebhookMessage:
    url: str
    body: bytes
    headers: Mapping[str, str]


NOTIFICATIONS = WorkQueue(
    model=Notification, lease=lambda: LEASE, max_attempts=lambda: MAX_ATTEMPTS, backoff=delay
)


def deliver_waiting() -> int:
    """Send what is due, for some ten seconds; return how many notifications arrived.

    One process delivers at a time, so that slow receivers never hold all workers. Still safe to run
    twice or simultaneously: each row is leased to one.
    """
    with only_one("delivery", seconds=_LOCK_SECONDS) as alone:
        return _deliver_due(time.monotonic() + _SECONDS) if alone else 0


def _deliver_due(deadline: float) -> int:
    NOTIFICATIONS.sweep()
    arrived_count = 0
    while time.monotonic() < deadline:
        batch = _claim()
        if not batch:
            break
        outcome = _attempt(partial(_send, batch))
        arrived = _record(batch, [outcome] * len(batch))
        arrived_count += arrived
        if arrived and batch[0].subscription.channel == Channel.WEBHOOK:
            arrived_count += _deliver_more(batch[0].subscription, deadline)
    return arrived_count


def _claim() -> list[Notification]:
    """Claim the longest-waiting notification; for e-mail also others to the same address."""
    batch = NOTIFICATIONS.claim_due()
    if not batch:
        return []
    subscription = Subscription.objects.select_related("application").get(
        pk=batch[0].subscription_id
    )
    if subscription.channel == Channel.EMAIL:
        batch += NOTIFICATIONS.claim_due(limit=MOST_IN_A_MAIL - 1, subscription=subscription.pk)
    for notification in batch:
        notification.subscription = subscription
    return batch


def _deliver_more(subscription: Subscription, deadline: float) -> int:
    """Send what else waits for a responsive webhook, several messages in parallel."""
    arrived_count = 0
    with ThreadPoolExecutor(SIDE_BY_SIDE) as threads:
        while time.monotonic() < deadline:
            batch = NOTIFICATIONS.claim_due(limit=4 * SIDE_BY_SIDE, subscription=subscription.pk)
            messages = [_message(subscription, notification) for notification in batch]
            outcomes = list(
                threads.map(lambda message: _attempt(partial(_post, message)), messages)
            )
            arrived_count += _record(batch, outcomes)
            if not batch or any(outcome.error for outcome in outcomes):
                break
    return arrived_count


def _attempt(send: Callable[[], int | None]) -> AttemptResult:
    start = time.monotonic()
    status, why = None, ""
    try:
        status = send()
    except Undelivered as error:
        status, why = error.status, str(error)
    return AttemptResult(status, why[:MAX_ERROR], int(1_000 * (time.monotonic() - start)))


@transaction.atomic
def _record(batch: Sequence[Notification], outcomes: Sequence[AttemptResult]) -> int:
    """Record each attempt and its consequence; return how many arrived."""
    pairs = list(zip(batch, outcomes, strict=True))
    Attempt.objects.bulk_create(
        Attempt(notification=item, **asdict(outcome)) for item, outcome in pairs
    )
    failures = [(item, outcome.error) for item, outcome in pairs if outcome.error]
    if failures:
        _retry([item for item, _ in failures], failures[0][1])
    return sum(_finish(item) for item, outcome in pairs if not outcome.error)


def _finish(notification: Notification) -> bool:
    """Mark a notification as sent; return False if it was withdrawn meanwhile."""
    try:
        NOTIFICATIONS.finish(notification, NotificationState.SENT, sent_at=Now(), last_error="")
    except LeaseLost:
        log.warning("lease_lost", notification=str(notification.pk))
        return False
    return True


def _send(batch: Sequence[Notification]) -> int | None:
    """Send a batch as one message; return the status, None for e-mail. Raises Undelivered."""
    subscription = batch[0].subscription
    if subscription.channel == Channel.WEBHOOK:
        return _post(_message(subscription, batch[0]))
    texts = [_text_of(item) for item in batch]
    mail.send(
        to=subscription.target,
        subject=mail_subject(texts, subscription.application.name),
        body=mail_text(texts, subscription.application.name),
        message_id=str(batch[0].pk),
    )
    return None


def _message(subscription: Subscription, notification: Notification) -> WebhookMessage:
    body = request_body(_text_of(notification), subscription.application.slug)
    now = int(timezone.now().timestamp())
    headers = signing.headers(secrets_of(subscription), str(notification.pk), now, body)
    return WebhookMessage(subscription.target, body, headers)


def _text_of(notification: Notification) -> NotificationText:
    return NotificationText(
        EventKind(notification.kind), notification.data, notification.created_at
    )


def _post(message: WebhookMessage) -> int:
    """Post a message; called in threads, so it must not use the database."""
    return webhook.post(
        message.url,
        message.body,
        message.headers,
        allowed_hosts=settings.WEBHOOK_ALLOWED_HOSTS,
        seconds=settings.WEBHOOK_SECONDS,
    )


@transaction.atomic
def _retry(batch: Sequence[Notification], reason: str) -> None:
    """Schedule a retry, or give up; other messages to this address wait as long."""
    for notification in batch:
        NOTIFICATIONS.retry(notification, error=reason)
    queued = Notification.objects.filter(
        subscription=batch[0].subscription_id, state=NotificationState.QUEUED
    )
    later = Now() + delay(min(notification.attempts for notification in batch))
    queued.update(due_at=Greatest(F("due_at"), later))
