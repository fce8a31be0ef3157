"""Tracing spans of the proxy, in the trace that a request's `traceparent` names.

The same trace continues to the model and to WATCHDOG; if the proxy itself sends no spans, the
caller's headers are passed on unchanged.
"""

import os
from collections.abc import Mapping

import httpx
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lib.telemetry import tracing
from proxy import request_ids

TRACE_HEADERS = ("traceparent", "tracestate")
ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")


def start(environment: Mapping[str, str] = os.environ) -> None:
    """Start sending this process's spans, if an endpoint is set; never with texts."""
    if any(environment.get(name) for name in ENDPOINTS):
        service = environment.get("OTEL_SERVICE_NAME") or "watchdog-proxy"
        tracing.start(service=service, content=False)


def onward(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the trace headers and request id of a call that this request causes."""
    return _trace_headers(headers) | tracing.carrier() | request_ids.onward()


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
            tracing.continued({name: headers[name] for name in TRACE_HEADERS if name in headers}),
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


def _trace_headers(headers: Mapping[str, str]) -> dict[str, str]:
    return {name: headers[name] for name in TRACE_HEADERS if name in headers}
