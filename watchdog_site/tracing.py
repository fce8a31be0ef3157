"""Begins and continues traces: requests, messages to workers, and log lines."""

import os
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import structlog
from celery.signals import (
    before_task_publish,
    task_postrun,
    task_prerun,
    worker_process_init,
    worker_process_shutdown,
)
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from lib.telemetry import tracing
from lib.telemetry.tracing import TRACEPARENT

_TRACE_HEADERS = (TRACEPARENT, "tracestate")
_OPEN = "_watchdog_trace"


def start_process(part: str) -> None:
    """Send the spans of this process, where OTEL_EXPORTER_OTLP_ENDPOINT is set."""
    if settings.OTEL_ENDPOINT:
        service = os.environ.get("OTEL_SERVICE_NAME") or f"watchdog-{part}"
        tracing.start(service=service, content=settings.TRACE_CONTENT)


class TraceMiddleware:
    """Opens a span for each request, in the trace that its `traceparent` names."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Serve the request; the path stands in the span by its pattern, without ids."""
        if not tracing.is_on():
            return self.get_response(request)
        headers = {
            name: request.headers[name] for name in _TRACE_HEADERS if name in request.headers
        }
        method = str(request.method)
        with (
            tracing.continued(headers),
            tracing.span(method, {"http.request.method": method}, kind="SERVER") as span,
        ):
            response = self.get_response(request)
            match = request.resolver_match
            span.rename(f"{method} /{match.route}" if match else method)
            span.set(
                {
                    "http.route": match.route if match else None,
                    "http.response.status_code": response.status_code,
                    "watchdog.request_id": structlog.contextvars.get_contextvars().get(
                        "request_id"
                    ),
                }
            )
            return response


@before_task_publish.connect
def _pass_on(headers: dict[str, Any], **_: Any) -> None:
    """Put the trace of the request into the message that it sends."""
    headers.update(tracing.carrier())


@task_prerun.connect
def _take_up(task: Any, **_: Any) -> None:
    headers = {name: getattr(task.request, name, None) for name in _TRACE_HEADERS}
    stack = ExitStack()
    stack.enter_context(tracing.continued({k: v for k, v in headers.items() if v}))
    setattr(task.request, _OPEN, stack)


@task_postrun.connect
def _put_down(task: Any, **_: Any) -> None:
    stack = getattr(task.request, _OPEN, None)
    if stack is not None:
        stack.close()


@worker_process_init.connect
def _start_worker(**_: Any) -> None:
    start_process("worker")


@worker_process_shutdown.connect
def _stop_worker(**_: Any) -> None:
    tracing.stop()
