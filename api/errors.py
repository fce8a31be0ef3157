"""What is wrong with an input, field by field."""

import re
from collections.abc import Iterator
from typing import Any

from rest_framework.exceptions import APIException

_PART = re.compile(r"[^.\[\]]+")


class NotReady(APIException):
    """503: accepted and kept, but no worker has finished it in time."""

    status_code = 503
    default_code = "not_ready"
    default_detail = "The answer was accepted and stored, but no worker has checked it yet."


class NoVerdict(APIException):
    """409: the check has no verdict, or none yet."""

    status_code = 409
    default_code = "no_verdict"


class LegallyHeld(APIException):
    """409: a legal hold forbids to erase it."""

    status_code = 409
    default_code = "legal_hold"


class CheckNotEnded(APIException):
    """409: the check is still worked on."""

    status_code = 409
    default_code = "check_not_ended"


class TooManyReplays(APIException):
    """409: some long replays of the application have not ended yet."""

    status_code = 409
    default_code = "too_many_replays"


class BatchAboveRateLimit(APIException):
    """429 that waiting does not cure."""

    status_code = 429
    default_code = "batch_above_rate_limit"


def field_errors(detail: Any, path: str = "") -> Iterator[dict[str, str]]:
    """Flatten DRF's nested details into `{"field": "sources[2].text", "detail", "code"}`."""
    if isinstance(detail, dict):
        for key, value in detail.items():
            yield from field_errors(value, _join(path, key))
    elif isinstance(detail, list):
        for number, value in enumerate(detail):
            inner = path if isinstance(value, str) else f"{path}[{number}]"
            yield from field_errors(value, inner)
    else:
        yield {"field": path, "detail": str(detail), "code": getattr(detail, "code", "invalid")}


def nested(path: str, reason: str) -> Any:
    """DRF's details for one error at a path: `a[2].b` leads to {"a": {2: {"b": [reason]}}}."""
    details: Any = [reason]
    for part in reversed(_PART.findall(path)):
        details = {int(part) if part.isdigit() else part: details}
    return details


def _join(path: str, key: Any) -> str:
    if key == "non_field_errors":
        return path
    if isinstance(key, int):
        return f"{path}[{key}]"
    return f"{path}.{key}" if path else str(key)
