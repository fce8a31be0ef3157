"""Notifications in words, and as the body of a webhook. Pure functions over their data.

Neither holds a question or an answer: who is told may be outside the desk.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from notifications.models import Kind

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Told:
    """One notification, as far as it is worded."""

    kind: Kind
    data: Data
    created_at: datetime


def body(told: Told, application: str) -> bytes:
    """The JSON of a webhook: the same bytes each time it is sent."""
    document = {
        "type": str(told.kind),
        "timestamp": told.created_at.isoformat(),
        "application": application,
        "data": told.data,
    }
    return json.dumps(document, separators=(",", ":"), sort_keys=True).encode()


def subject(many: Sequence[Told], application: str) -> str:
    """The subject of a mail that tells of these, in one line."""
    first = headline(many[0])
    more = f" and {len(many) - 1} more" if len(many) > 1 else ""
    return " ".join(f"[{application}] {first}{more}".split())


def text(many: Sequence[Told], application: str) -> str:
    """The mail: a paragraph for each."""
    parts = [f"{headline(one)}.\n{_more(one)}".strip() for one in many]
    ends = f"Sent by WATCHDOG for {application}. A lead of it can switch this off: Subscriptions."
    return "\n\n".join([*parts, "--\n" + ends]) + "\n"


def headline(told: Told) -> str:
    """What happened, in one sentence without its full stop."""
    data = told.data
    match told.kind:
        case Kind.REVIEW_OVERDUE:
            count = data["count"]
            return f"{count:,} reviews are overdue" if count > 1 else "A review is overdue"
        case Kind.REVIEW_ESCALATED if data["why"] == "escalated":
            return "A reviewer escalated: a lead must settle it"
        case Kind.REVIEW_ESCALATED:
            return "Two reviewers differ: a lead must settle it"
        case Kind.REJECTIONS_UNUSUAL:
            way = "rose" if data["recent"]["share"] > data["before"]["share"] else "fell"
            return f"The rejection rate {way} to {data['recent']['share']:.1%}"
        case Kind.TEST:
            return "A test: this address is told of events"
        case kind:
            return kind.label.capitalize()


def _more(told: Told) -> str:
    data = told.data
    match told.kind:
        case Kind.REVIEW_OVERDUE:
            lines = [
                f"- {one['reason']}, risk {one['risk']}: {one['url']}" for one in data["reviews"]
            ]
            left = data["count"] - len(data["reviews"])
            return "\n".join([*lines, *([f"and {left:,} more: {data['url']}"] if left else [])])
        case Kind.REVIEW_ESCALATED:
            return f"Check {data['check_id']}, risk {data['risk']}: {data['url']}"
        case Kind.REJECTIONS_UNUSUAL:
            recent, before = data["recent"], data["before"]
            return (
                f"In the {recent['hours']} hours up to {recent['until']}: "
                f"{recent['rejected']:,} of {recent['of']:,} checks. "
                f"In the {before['hours']} hours before: {before['rejected']:,} of "
                f"{before['of']:,} ({before['share']:.1%}).\n"
                f"{data['url']}"
            )
        case _:
            return ""
