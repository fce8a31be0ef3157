"""Request headers about waiting and idempotency."""

import hashlib
import json
import re

from django.conf import settings
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from accounts.idempotency import key_of, replayed
from analysis.services.idempotency import Accepted, Idempotency

PREFER = OpenApiParameter(
    "Prefer",
    str,
    OpenApiParameter.HEADER,
    description="`wait=N`: wait up to N seconds; `respond-async`: do not wait.",
)
_WORD = r"[!#$%&'*+.^_`|~\w-]+"
_QUOTED = r'"(?:[^"\\]|\\.)*"'
# A preference, its value, and its parameters, which we know none of; up to the next comma.
_PREFERENCE = re.compile(
    rf"({_WORD})(?:\s*=\s*({_WORD}|{_QUOTED}))?(?:[^,\"]|{_QUOTED})*", re.ASCII
)


def wait_seconds(request: Request) -> int:
    """Return the seconds to wait by `Prefer: wait=N` or `respond-async`, within the limit."""
    name, value = _preference(request)
    if name == "respond-async":
        return 0
    if name == "wait":
        return min(int(value), int(settings.MAX_WAIT_SECONDS))
    return int(settings.DEFAULT_WAIT_SECONDS)


def _preference(request: Request) -> tuple[str, str]:
    """Return the first preference that we honour, with its value, or two empty strings (RFC 7240).

    Unknown ones are ignored, as that RFC demands; the first of a repeated name counts.
    """
    names: set[str] = set()
    for preference in _PREFERENCE.findall(request.headers.get("Prefer", "")):
        name, value = preference[0].lower(), preference[1].strip('"')
        if name not in names and (
            name == "respond-async" or (name == "wait" and value.isdecimal())
        ):
            return name, value[:9]
        names.add(name)
    return "", ""


def idempotency(request: Request) -> Idempotency | None:
    """Return the `Idempotency-Key` with the request's digest.

    Raises ValidationError if malformed.
    """
    key = key_of(request)
    if key is None:
        return None
    text = json.dumps([request.path, request.data], sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
    return Idempotency(key, digest)


def wait_headers(
    request: Request, accepted: Accepted, *, ended: bool, where: str
) -> dict[str, str]:
    """Return the response's headers about waiting: how long, where to look, whether replayed."""
    headers = {}
    name, _ = _preference(request)
    if name:
        applied = name if name == "respond-async" else f"wait={wait_seconds(request)}"
        headers["Preference-Applied"] = applied
    if not ended:
        headers |= {"Location": where, "Retry-After": "1"}
    return headers | replayed(accepted.replayed)
