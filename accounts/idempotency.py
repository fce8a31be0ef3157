"""`Idempotency-Key`: the client's name for a request, so that repeating it creates nothing new."""

from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.request import Request

MAX_KEY = 255
KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="Makes a request safe to repeat: with the same key and body, nothing is created "
    "twice, and the response is the original one (`Idempotent-Replayed: true`).",
)


class IdempotencyKeyReused(APIException):
    """409: the client used a key again for a different request."""

    status_code = 409
    default_code = "idempotency_key_reused"
    default_detail = (
        "This Idempotency-Key was already used for another request. Use a new key for a new "
        "request; to repeat a request, send the same body with the same key."
    )


def key_of(request: Request) -> str | None:
    """Return the request's key, or None. Raises ValidationError if it is malformed."""
    key: str | None = request.headers.get("Idempotency-Key")
    if key is not None and not (0 < len(key) <= MAX_KEY and key.isprintable()):
        raise ValidationError(
            {"Idempotency-Key": [f"Expected 1 to {MAX_KEY} printable characters."]}
        )
    return key


def replayed(earlier: bool) -> dict[str, str]:
    """Return the header that marks a replayed response."""
    return {"Idempotent-Replayed": "true"} if earlier else {}
