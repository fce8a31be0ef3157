"""Errors in the form that the clients of OpenAI and Anthropic read."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse

log = logging.getLogger(__name__)
_ANTHROPIC_KINDS = {
    401: "authentication_error", 403: "permission_error", 404: "not_found_error",
    413: "request_too_large", 429: "rate_limit_error",
}  # fmt: skip


def is_anthropic(request: Request) -> bool:
    """Return True for a request of Anthropic's protocol."""
    return "anthropic-version" in request.headers


class ProxyError(Exception):
    """An error of the proxy itself, not of the model."""

    def __init__(self, status: int, message: str, *, code: str, param: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.code = code
        self.param = param

    def document(self, request: Request) -> dict[str, Any]:
        """Return the error in the form of the API that was asked."""
        kind = "invalid_request_error" if self.status < 500 else "api_error"
        error = {"message": self.message, "type": kind, "param": self.param, "code": self.code}
        if is_anthropic(request):
            kind = _ANTHROPIC_KINDS.get(self.status, kind)
            return {"type": "error", "error": {**error, "type": kind}}
        return {"error": error}

    def response(self, request: Request) -> JSONResponse:
        return JSONResponse(self.document(request), status_code=self.status)


def unreadable() -> ProxyError:
    """Return the error for an invalid response of the model."""
    return ProxyError(502, "The model sent something unreadable.", code="model_unreadable")


@contextmanager
def reading_the_model() -> Iterator[None]:
    """Raise a 502 for missing or mistyped members in the model's response.

    The log names the member; the error contains no text of the model.
    """
    try:
        yield
    except (AttributeError, KeyError, TypeError) as error:
        log.warning("the model sent something unreadable: %r", error)
        raise unreadable() from error
