"""A receiver of traces: OTLP over HTTP on a real socket, as a collector has it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.sockets import Quiet, listening, wait_until


@dataclass(frozen=True)
class Span:
    """A span as it arrived; ids are hexadecimal, `parent` "" where it has none."""

    service: str
    name: str
    trace: str
    id: str
    parent: str
    attributes: dict[str, Any]
    error: str


@dataclass
class Collector:
    """The spans that arrived so far."""

    port: int = 0
    spans: list[Span] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def wait_for(self, is_there: Callable[[list[Span]], bool], *, seconds: float = 60) -> None:
        """Wait until the spans hold what is looked for."""
        names = lambda: [span.name for span in self.spans]  # noqa: E731
        wait_until(lambda: is_there(self.spans), names, seconds=seconds)


@contextmanager
def collector() -> Iterator[Collector]:
    """Start a collector on a free port."""
    receiver = Collector()

    class Handler(Quiet):
        def do_POST(self) -> None:
            request = ExportTraceServiceRequest()
            request.ParseFromString(self.rfile.read(int(self.headers["Content-Length"])))
            receiver.spans += _read(request)
            self.send_response(200 if self.path == "/v1/traces" else 404)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", "0")
            self.end_headers()

    with listening(Handler) as receiver.port:
        yield receiver


def _read(request: ExportTraceServiceRequest) -> Iterator[Span]:
    for resource in request.resource_spans:
        service = _attributes(resource.resource)["service.name"]
        for scope in resource.scope_spans:
            for span in scope.spans:
                yield Span(
                    service=service,
                    name=span.name,
                    trace=span.trace_id.hex(),
                    id=span.span_id.hex(),
                    parent=span.parent_span_id.hex(),
                    attributes=_attributes(span),
                    error=span.status.message,
                )


def _attributes(owner: Any) -> dict[str, Any]:
    return {
        attribute.key: getattr(attribute.value, attribute.value.WhichOneof("value"))
        for attribute in owner.attributes
    }
