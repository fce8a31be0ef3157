"""Errors in the form that OpenAI's clients read."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from starlette.responses import JSONResponse

log = logging.getLogger(__name__)


class ProxyError(Exception):
    """An error of the proxy itself, not of the model."""

    def __init__(self, status: int, message: str, *, code: str, param: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.code = code
        self.param = param

    def response(self) -> JSONResponse:
        """Return the error in the format of OpenAI's API."""
        kind = "invalid_request_error" if self.status < 500 else "api_error"
        error = {"message": self.message, "type": kind, "param": self.param, "code": self.code}
        return JSONResponse({"error": error}, status_code=self.status)


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
