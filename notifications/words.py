"""Notifications in words, and as the body of a webhook. Pure functions over their data.

Neither contains a question or an answer: receivers may be outside the desk.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from notifications.models import EventKind

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class NotificationText:
    """The parts of a notification that are worded."""

    kind: EventKind
    data: Data
    created_at: datetime


def body(message: NotificationText, application: str) -> bytes:
    """Return the JSON of a webhook: the same bytes each time it is sent."""
    document = {
        "type": str(message.kind),
        "timestamp": message.created_at.isoformat(),
        "application": application,
        "data": message.data,
    }
    return json.dumps(document, separators=(",", ":"), sort_keys=True).encode()


def subject(many: Sequence[NotificationText], application: str) -> str:
    """Return the one-line subject of a mail about these notifications."""
    first = headline(many[0])
    more = f" and {len(many) - 1} more" if len(many) > 1 else ""
    return " ".join(f"[{application}] {first}{more}".split())


def text(many: Sequence[NotificationText], application: str) -> str:
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
        case EventKind.EVIDENCE_READY:
            return str(data["url"])
        case _:
            return ""
