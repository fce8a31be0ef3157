"""One trace from the caller through the proxy to the model and to WATCHDOG."""

from collections.abc import Iterator

import pytest

from lib.telemetry import tracing
from proxy import tracing as proxy_tracing
from tests import fake_llm
from tests.otlp import Collector, Span, collector
from tests.unit.proxy.serving import Running, proxying

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
CALLER = {"traceparent": f"00-{TRACE}-{PARENT}-01"}
SPANS = {"POST /v1/chat/completions", "generate", "verify"}


@pytest.fixture
def receiver() -> Iterator[Collector]:
    with collector() as spans_received:
        yield spans_received
    tracing.stop()


def complete(running: Running, *, stream: bool = False) -> None:
    answer = running.client().chat.completions.create(
        model="m", messages=[{"role": "user", "content": "Why?"}], stream=stream,
        extra_headers=CALLER,
    )  # fmt: skip
    if stream:
        list(answer)


def named(receiver: Collector, name: str) -> list[Span]:
    return [span for span in receiver.spans if span.name == name]


def header(span: Span) -> str:
    return f"00-{span.trace}-{span.id}-01"


@pytest.mark.parametrize("stream", [False, True])
def test_the_proxys_spans_belong_to_the_callers_trace(receiver, monkeypatch, stream) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url)
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "100")
    proxy_tracing.start()
    with proxying(fake_llm.text("Refunds take 14 days.")) as running:
        complete(running, stream=stream)
        receiver.wait_for(lambda spans: {span.name for span in spans} >= SPANS)
        assert {span.trace for span in receiver.spans} == {TRACE}
        request, model = (named(receiver, n)[0] for n in ("POST /v1/chat/completions", "generate"))
        checks = named(receiver, "verify")
        assert (request.parent, request.service) == (PARENT, "watchdog-proxy")
        assert request.attributes["http.response.status_code"] == 200
        assert {span.parent for span in (model, *checks)} == {request.id}
        assert model.attributes["llm.model_name"] == "m"
        assert running.model.traces == [header(model)]
        assert sorted(running.watchdog.traces) == sorted(map(header, checks))


def test_without_an_endpoint_the_callers_headers_are_handed_on() -> None:
    proxy_tracing.start({})
    assert not tracing.is_on()
    with proxying(fake_llm.text("Fine.")) as running:
        complete(running)
        assert running.model.traces == [CALLER["traceparent"]]
        assert running.watchdog.traces == [CALLER["traceparent"]]
