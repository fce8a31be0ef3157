"""For receivers of WATCHDOG's webhooks: is this message from WATCHDOG, and new?

Needs the standard library only. The scheme is that of https://www.standardwebhooks.com.
"""

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any

TOLERANCE_SECONDS = 300


class WebhookError(ValueError):
    """Not to be believed: answer 401 and do nothing."""


def verified(
    secret: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    tolerance_seconds: int = TOLERANCE_SECONDS,
    now: float | None = None,
) -> dict[str, Any]:
    """The document of a message, once its signature and its time are found good.

    `secret` is the one that WATCHDOG showed ("whsec_…"), `body` the bytes as they came. A message
    may come twice: keep the header `webhook-id` for longer than the tolerance, and drop one that
    you have seen. Raises WebhookError for a wrong signature and for what is older or newer than
    `tolerance_seconds`.
    """
    sent = {name.lower(): value for name, value in headers.items()}
    try:
        message_id, stamp = sent["webhook-id"], sent["webhook-timestamp"]
        signatures = sent["webhook-signature"].split()
        moment = int(stamp)
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (KeyError, ValueError, binascii.Error) as error:
        raise WebhookError("A header is missing, or the secret is not one.") from error
    if abs((time.time() if now is None else now) - moment) > tolerance_seconds:
        raise WebhookError("The message is too old, or a clock is wrong.")
    digest = hmac.new(key, f"{message_id}.{stamp}.".encode() + body, hashlib.sha256).digest()
    expected = f"v1,{base64.b64encode(digest).decode()}".encode()
    if not any(hmac.compare_digest(expected, one.encode()) for one in signatures):
        raise WebhookError("The signature is not of this message.")
    document: dict[str, Any] = json.loads(body)
    return document
