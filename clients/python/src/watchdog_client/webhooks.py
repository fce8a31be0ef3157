"""Verifies received webhooks: that a message comes from WATCHDOG and is recent.

The scheme is that of https://www.standardwebhooks.com.
"""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from watchdog_client.errors import WatchdogError

TOLERANCE_SECONDS = 300


class WebhookError(WatchdogError):
    """Raised for an untrusted message: answer 401 and do nothing."""


@dataclass(frozen=True, slots=True)
class WebhookEvent:
    """A verified message. The same `id` may arrive twice: handle it once."""

    id: str
    type: str
    timestamp: str
    application: str
    data: Mapping[str, Any]


def verify(
    secret: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    tolerance_seconds: int = TOLERANCE_SECONDS,
    now: float | None = None,
) -> WebhookEvent:
    """Return the event after checking its signature and its age.

    `secret` is the one that WATCHDOG showed ("whsec_…"), `body` the bytes as received. Raises
    WebhookError for a wrong signature, and for a message that is older or newer than
    `tolerance_seconds`.
    """
    message_id = check_signature(
        secret, headers, body, tolerance_seconds=tolerance_seconds, now=now
    )
    try:
        document = json.loads(body)
        return WebhookEvent(
            message_id,
            document["type"],
            document["timestamp"],
            document["application"],
            document["data"],
        )
    except (ValueError, KeyError, TypeError) as error:
        raise WebhookError("The body is not an event.") from error


def check_signature(
    secret: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    tolerance_seconds: int = TOLERANCE_SECONDS,
    now: float | None = None,
) -> str:
    """Return the id of a message of any content, after verifying its signature and age."""
    fields = {name.lower(): value for name, value in headers.items()}
    try:
        message_id, stamp = fields["webhook-id"], fields["webhook-timestamp"]
        signatures = fields["webhook-signature"].split()
        sent_at = int(stamp)
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (KeyError, ValueError) as error:
        raise WebhookError("A header is missing or malformed, or the secret is not one.") from error
    if abs((time.time() if now is None else now) - sent_at) > tolerance_seconds:
        raise WebhookError("The message is too old, or a clock is wrong.")
    digest = hmac.new(key, f"{message_id}.{stamp}.".encode() + body, hashlib.sha256).digest()
    expected = f"v1,{base64.b64encode(digest).decode()}".encode()
    if not any(hmac.compare_digest(expected, value.encode()) for value in signatures):
        raise WebhookError("The signature does not match the message.")
    return message_id
