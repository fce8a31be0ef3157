"""Traces from the request over the queue to the worker and its model, at a real collector."""

import json
import re
from collections.abc import Iterator

import pytest

from inference.llm import Endpoint, draw
from lib.telemetry import tracing
from lib.telemetry.attributes import documents, text
from tests.conftest import SSN_ANSWER, SSN_QUESTION
from tests.fake_llm import serving
from tests.fake_llm import text as reply_text
from tests.otlp import Collector, Span, collector
from tests.stack import PATIENT, Stack

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
SOURCE = "SSN College closed in 2031 and nobody knows why."


@pytest.fixture
def receiver() -> Iterator[Collector]:
    with collector() as spans_received:
        yield spans_received


@pytest.fixture
def traced(transactional_db, empty_redis, receiver) -> Iterator[Stack]:
    running = Stack.start(
        **PATIENT,
        NLI_MODEL="small",
        OTEL_EXPORTER_OTLP_ENDPOINT=receiver.url,
        OTEL_BSP_SCHEDULE_DELAY="200",
    )
    yield running
    running.stop()


@pytest.fixture
def here(receiver, monkeypatch) -> Iterator[Collector]:
    """Send the spans of this process, with content."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url)
    tracing.start(service="test", content=True)
    yield receiver
    tracing.stop()


def named(spans: list[Span], name: str) -> Span:
    return next(span for span in spans if span.name == name)


def of_the_trace(spans: list[Span]) -> list[Span]:
    return [span for span in spans if span.trace == TRACE]


@pytest.mark.timeout(400)
def test_one_trace_from_the_request_to_the_model(traced, receiver, api_key) -> None:
    with traced.client(api_key[1]) as client:
        response = client.post(
            "/api/v1/checks",
            json={"query": SSN_QUESTION, "answer": SSN_ANSWER, "sources": [SOURCE]},
            headers={"traceparent": f"00-{TRACE}-{PARENT}-01", "Prefer": "wait=60"},
        )
    check = response.json()
    expected = {"POST /api/v1/checks", "check", "retrieve", "judge"}
    receiver.wait_for(lambda spans: expected <= {span.name for span in of_the_trace(spans)})
    mine = of_the_trace(receiver.spans)
    request, work, sources = (named(mine, n) for n in ("POST /api/v1/checks", "check", "retrieve"))
    assert (request.parent, request.service) == (PARENT, "watchdog-web")
    assert request.attributes["http.response.status_code"] == 200
    assert request.attributes["watchdog.request_id"] == response.headers["X-Request-ID"]
    assert (work.parent, work.service) == (request.id, "watchdog-worker")
    assert work.attributes["openinference.span.kind"] == "GUARDRAIL"
    assert json.loads(work.attributes["metadata"])["check_id"] == check["id"]
    assert work.attributes["watchdog.action"] == check["action"]
    assert work.attributes["watchdog.risk_score"] == check["risk_score"]
    assert sources.parent == work.id
    assert sources.attributes["retrieval.documents.0.document.id"] == "source_1"
    model = named(mine, "judge")
    assert model.parent == work.id
    assert model.attributes["llm.model_name"]
    everything = repr(receiver.spans)
    for content in ("SSN College", "When did", "nobody knows"):
        assert content not in everything, "no text unless it is switched on"


def test_a_log_line_names_the_trace(here) -> None:
    from watchdog_site.logs import with_trace

    with tracing.span("check"):
        line = with_trace(None, "info", {"event": "x"})
        assert line == {"event": "x", **tracing.ids()}
    assert set(line) == {"event", "trace_id", "span_id"}
    assert with_trace(None, "info", {"event": "x"}) == {"event": "x"}


def test_content_where_it_is_switched_on(here) -> None:
    with tracing.span("check", text("input", "Why?")) as check_span:
        check_span.set(documents([("a", "A text.", 0.5), ("b", "Another.", None)]))
    tracing.stop()
    (span,) = here.spans
    assert span.attributes["input.value"] == "Why?"
    assert span.attributes["retrieval.documents.0.document.content"] == "A text."
    assert span.attributes["retrieval.documents.0.document.score"] == 0.5
    assert "retrieval.documents.1.document.score" not in span.attributes


def test_a_failure_is_marked_without_its_message(here) -> None:
    with pytest.raises(ValueError, match="secret"), tracing.span("check"):
        raise ValueError("secret")
    tracing.stop()
    assert (here.spans[0].error, "secret" in repr(here.spans)) == ("ValueError", False)


def test_a_trace_is_passed_on_and_taken_up(here) -> None:
    with tracing.span("first"):
        headers = tracing.carrier()
        assert re.fullmatch(r"00-[0-9a-f]{32}-[0-9a-f]{16}-0[13]", headers["traceparent"])
        assert headers["traceparent"].split("-")[1] == tracing.ids()["trace_id"]
    with tracing.continued(headers), tracing.span("second"):
        pass
    assert tracing.ids() == {}
    tracing.stop()
    first, second = (named(here.spans, name) for name in ("first", "second"))
    assert (second.trace, second.parent) == (first.trace, first.id)


def test_without_an_endpoint_there_is_nothing() -> None:
    assert not tracing.is_on()
    with tracing.span("check", {"a": 1}) as span:
        span.set({"b": 2})
        assert (tracing.carrier(), tracing.ids()) == ({}, {})


def test_samples_of_a_language_model_are_part_of_the_trace(here) -> None:
    messages = [{"role": "user", "content": "Why?"}]
    with serving([reply_text("one"), reply_text("two")]) as fake, tracing.span("check"):
        draw(Endpoint(fake.url, "m", "k", 77), messages, 2, deadline_s=20.0)
        trace = tracing.ids()["trace_id"]
    assert [sent.split("-")[1] for sent in fake.traces] == [trace, trace]
