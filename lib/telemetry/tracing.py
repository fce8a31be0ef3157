"""Spans, sent to an OTLP endpoint by HTTP once a process has called `start`; none before that.

OpenTelemetry is imported by `start` alone: who does not trace does not load it. The variables
OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS, OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER and
their like are read by OpenTelemetry itself.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span, Tracer

Attributes = Mapping[str, Any]
TRACEPARENT = "traceparent"


@dataclass(slots=True)
class _State:
    """The tracer of this process, once `start` has made it. `content`: whether spans hold texts."""

    provider: "TracerProvider | None" = None
    tracer: "Tracer | None" = None
    content: bool = False


_state = _State()


def start(*, service: str, content: bool) -> None:
    """Send the spans of this process from now on. Call it after a fork, not before."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415
        OTLPSpanExporter,
    )
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

    stop()
    provider = TracerProvider(resource=Resource.create({"service.name": service}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    _state.provider, _state.content = provider, content
    _state.tracer = provider.get_tracer("watchdog")


def stop() -> None:
    """Send the spans that are left, and no more after them."""
    if _state.provider is not None:
        _state.provider.shutdown()
    _state.provider = _state.tracer = None


def is_on() -> bool:
    return _state.tracer is not None


def shows_content() -> bool:
    """Return whether questions, answers and sources may stand in spans."""
    return _state.content


class Current:
    """The open span, or none."""

    def __init__(self, span: "Span | None" = None) -> None:
        self._span = span

    def rename(self, name: str) -> None:
        """Give the span a name that becomes known only while it is open."""
        if self._span is not None:
            self._span.update_name(name)

    def set(self, attributes: Attributes) -> None:
        """Add attributes to the span; those that are None are left out."""
        if self._span is not None:
            self._span.set_attributes(_known_attributes(attributes))


_NONE = Current()


@contextmanager
def span(
    name: str, attributes: Attributes | None = None, *, kind: str = "INTERNAL"
) -> Iterator[Current]:
    """Open a span around the block; `kind` is OpenTelemetry's (SERVER, CLIENT, CONSUMER).

    An exception marks it as failed by its type; its message may quote a text and stays out.
    """
    if _state.tracer is None:
        yield _NONE
        return
    from opentelemetry.trace import SpanKind, Status, StatusCode  # noqa: PLC0415

    with _state.tracer.start_as_current_span(
        name,
        kind=SpanKind[kind],
        attributes=_known_attributes(attributes or {}),
        record_exception=False,
        set_status_on_exception=False,
    ) as otel_span:
        try:
            yield Current(otel_span)
        except BaseException as error:
            otel_span.set_status(Status(StatusCode.ERROR, type(error).__name__))
            otel_span.set_attribute("error.type", type(error).__name__)
            raise


def carrier() -> dict[str, str]:
    """Return the headers that let another process continue the open span.

    {} where there is none.
    """
    if _state.tracer is None:
        return {}
    from opentelemetry.trace.propagation.tracecontext import (  # noqa: PLC0415
        TraceContextTextMapPropagator,
    )

    headers: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(headers)
    return headers


@contextmanager
def continued(headers: Mapping[str, str]) -> Iterator[None]:
    """Run the block as part of the trace that these headers name, if they name one."""
    if _state.tracer is None or TRACEPARENT not in headers:
        yield
        return
    from opentelemetry import context  # noqa: PLC0415
    from opentelemetry.trace.propagation.tracecontext import (  # noqa: PLC0415
        TraceContextTextMapPropagator,
    )

    token = context.attach(TraceContextTextMapPropagator().extract(dict(headers)))
    try:
        yield
    finally:
        context.detach(token)


def ids() -> dict[str, str]:
    """Return `trace_id` and `span_id` of the open span, for a log line; {} where there is none."""
    if _state.tracer is None:
        return {}
    from opentelemetry import trace  # noqa: PLC0415

    span_context = trace.get_current_span().get_span_context()
    if not span_context.is_valid:
        return {}
    return {
        "trace_id": trace.format_trace_id(span_context.trace_id),
        "span_id": trace.format_span_id(span_context.span_id),
    }


def _known_attributes(attributes: Attributes) -> dict[str, Any]:
    return {name: value for name, value in attributes.items() if value is not None}
