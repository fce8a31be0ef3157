"""The id of a request, and its spans in the trace that its `traceparent` names.

Both continue to the model and to WATCHDOG. The id is taken from X-Request-ID or created; it is in
the header of every response and error, and in every log line of the request. If the proxy itself
sends no spans, the caller's headers are passed on unchanged.
"""

import logging
import os
import re
import uuid
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

import httpx
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lib.telemetry import tracing

HEADER = "X-Request-ID"
_ACCEPTED = re.compile(r"[\w.:/+=-]{1,200}", re.ASCII)
_request_id: ContextVar[str] = ContextVar("request_id", default="")
TRACE_HEADERS = ("traceparent", "tracestate")
ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")


def start(environment: Mapping[str, str] = os.environ) -> None:
    """Start sending this process's spans, if an endpoint is set; never with texts."""
    if any(environment.get(name) for name in ENDPOINTS):
        service = environment.get("OTEL_SERVICE_NAME") or "watchdog-proxy"
        tracing.start(service=service, content=False)


def onward(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the trace headers and request id of a call that this request causes."""
    request_id = _request_id.get()
    own = {HEADER: request_id} if request_id else {}
    return _trace_headers(headers) | tracing.carrier() | own


def _trace_headers(headers: Mapping[str, str]) -> dict[str, str]:
    return {name: headers[name] for name in TRACE_HEADERS if name in headers}


class TracedRequests:
    """ASGI middleware: a span for each request, until its last byte is sent."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not tracing.is_on():
            await self._app(scope, receive, send)
            return
        headers, method, path = Headers(scope=scope), scope["method"], scope["path"]
        with (
            tracing.continued(_trace_headers(headers)),
            tracing.span(
                f"{method} {path}", {"http.request.method": method}, kind="SERVER"
            ) as span,
        ):

            async def answer(message: Message) -> None:
                if message["type"] == "http.response.start":
                    span.set({"http.response.status_code": message["status"]})
                await send(message)

            await self._app(scope, receive, answer)


class TracedTransport(httpx.AsyncBaseTransport):
    """Sends each request to WATCHDOG with trace and id of the request that caused it."""

    def __init__(
        self, headers: Mapping[str, str], transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self._headers = headers
        self._transport = transport or httpx.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        with tracing.span("verify", kind="CLIENT"):
            request.headers.update(onward(self._headers))
            return await self._transport.handle_async_request(request)

    async def aclose(self) -> None:
        await self._transport.aclose()


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
