"""The id of a request: taken from its X-Request-ID or created, and sent to both servers.

It is in the header of every response and error, and in every log line of the request.
"""

import logging
import re
import uuid
from contextvars import ContextVar
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = "X-Request-ID"
_ACCEPTED = re.compile(r"[\w.:/+=-]{1,200}", re.ASCII)
_request_id: ContextVar[str] = ContextVar("request_id", default="")


def onward() -> dict[str, str]:
    """Return the header of a call that this request causes."""
    request_id = _request_id.get()
    return {HEADER: request_id} if request_id else {}


class RequestIds:
    """ASGI middleware around the whole application, so that its own errors also get the header."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        stated = Headers(scope=scope).get(HEADER, "")
        request_id = stated if _ACCEPTED.fullmatch(stated) else str(uuid.uuid4())
        # Not reset: the server logs an exception after this, still in the task of the request.
        _request_id.set(request_id)

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[HEADER] = request_id
            await send(message)

        await self._app(scope, receive, answer)


class RequestIdFilter(logging.Filter):
    """Adds `request_id` to log records; "-" outside requests."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = _request_id.get() or "-"
        return True


LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"request_id": {"()": RequestIdFilter}},
    "formatters": {
        "line": {"format": "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s"}
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "filters": ["request_id"],
            "formatter": "line",
        }
    },
    "loggers": {"uvicorn": {"level": "INFO"}},
    "root": {"level": "WARNING", "handlers": ["stderr"]},
}
