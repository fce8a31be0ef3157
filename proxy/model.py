"""Calls the model's endpoint behind the proxy, and the proxy's own model for probes."""

import json
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx
from starlette.requests import Request

from lib.telemetry import attributes, tracing
from proxy.errors import ProxyError, is_anthropic, reading_the_model, unreadable
from proxy.formats import server_sent
from proxy.settings import Settings
from proxy.tracing import onward
from watchdog_client.transport import loads

OPENAI, AZURE = "/v1/", "/openai/"
"""Path prefixes of the two kinds of clients; the rest is the path below `PROXY_MODEL_URL`."""

PROBE = "watchdog-probe"
_PIECES = re.compile(r"\S*\s*")
_KEYS = frozenset({"authorization", "api-key", "x-api-key"})
_FORWARDED = _KEYS | {
    "openai-organization", "openai-project", "openai-beta", "anthropic-version", "anthropic-beta",
}  # fmt: skip
_QUERY = frozenset({"api-version"})
_RETURNED = {
    "x-request-id": "X-Model-Request-ID",
    "request-id": "X-Model-Request-ID",
    "retry-after": "Retry-After",
    "openai-processing-ms": "OpenAI-Processing-Ms",
}


@dataclass(frozen=True, slots=True)
class Call:
    """A request as it is passed on to the model, without its body; `path` is below the base URL."""

    method: str
    path: str
    headers: Mapping[str, str]
    query: Mapping[str, str]


def call_of(request: Request, settings: Settings) -> Call:
    """Return the request with the headers and parameters that the model gets.

    They have the proxy's own key of the model, if it holds one. Raises ProxyError.
    """
    names = _FORWARDED.union(settings.pass_headers)
    headers = {name: value for name, value in request.headers.items() if name in names}
    azure = request.url.path.startswith(AZURE)
    if settings.model_key is not None:
        key = settings.model_key.get_secret_value()
        own_header = {"api-key": key} if azure else {"authorization": f"Bearer {key}"}
        if is_anthropic(request):
            own_header = {"x-api-key": key}
        headers = {name: value for name, value in headers.items() if name not in _KEYS} | own_header
    parameters = _QUERY.union(settings.pass_query)
    query = {name: value for name, value in request.query_params.items() if name in parameters}
    path = request.url.path.removeprefix(AZURE if azure else OPENAI)
    if {".", ".."} & {*path.split("/")}:
        raise ProxyError(404, "A part of the path consists of dots.", code="not_served")
    return Call(request.method, quote(path, safe="/:"), headers, query)


@asynccontextmanager
async def open_response(
    http: httpx.AsyncClient,
    call: Call,
    body: dict[str, Any] | None,
    request_headers: Mapping[str, str],
) -> AsyncIterator[httpx.Response]:
    """Send the request; yield the response before its body is read. Raises ProxyError."""
    model = attributes.model(attributes.LLM, str((body or {}).get("model", "")))
    with tracing.span("generate", model, kind="CLIENT"):
        request = http.build_request(
            call.method,
            call.path,
            json=body,
            params=call.query or None,
            headers={**call.headers, **onward(request_headers)},
        )
        try:
            response = await http.send(request, stream=True)
        except httpx.TransportError as error:
            raise _unreachable(error) from error
    try:
        yield response
    finally:
        await response.aclose()


async def document(response: httpx.Response) -> dict[str, Any]:
    """Return the JSON object of a response. Raises ProxyError for anything else."""
    try:
        payload = loads(await response.aread())
    except httpx.TransportError as error:
        raise _unreachable(error) from error
    except ValueError as error:
        raise unreadable() from error
    if not isinstance(payload, dict):
        raise unreadable()
    return payload


async def events(
    response: httpx.Response, is_end: Callable[[dict[str, Any]], bool]
) -> AsyncIterator[dict[str, Any]]:
    """Yield the JSON objects of an event stream, up to `[DONE]`.

    Raises ProxyError, also for a stream that stops before `[DONE]` and before an event that
    `is_end`.
    """
    ended = False
    try:
        async for line in response.aiter_lines():
            if not line.startswith("data:"):
                continue
            data = line.removeprefix("data:").strip()
            if data == "[DONE]":
                return
            event = loads(data)
            with reading_the_model():
                ended = ended or "error" in event or is_end(event)
            yield event
    except httpx.TransportError as error:
        raise _unreachable(error) from error
    except ValueError as error:
        raise unreadable() from error
    if not ended:
        raise ProxyError(502, "The model's stream was cut off.", code="model_unreachable")


def returned_headers(response: httpx.Response) -> dict[str, str]:
    """Return the model's headers to pass on; its request id gets a name of its own."""
    return {
        ours: response.headers[theirs]
        for theirs, ours in _RETURNED.items()
        if theirs in response.headers
    }


def _unreachable(error: httpx.TransportError) -> ProxyError:
    return ProxyError(
        502, f"The model did not answer ({type(error).__name__}).", code="model_unreachable"
    )


class ProbeModel(httpx.AsyncBaseTransport):
    """The proxy's own model, `watchdog-probe`, without a network: it says the last message again.

    With it a probe goes the whole way of an answer, and no model server is asked. It gives nobody
    anything but their own words, and these only after their verdict.
    """

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Return a completion, or a stream of one word a chunk; 404 for other APIs than chat."""
        if not request.url.path.endswith("/chat/completions"):
            problem = {"message": f"{PROBE} answers chat completions only.", "code": "no_such_api"}
            return httpx.Response(404, json={"error": problem})
        body = json.loads(await request.aread())
        content = body["messages"][-1].get("content") if body["messages"] else None
        text = content if isinstance(content, str) else ""
        if body.get("stream"):
            headers = {"content-type": "text/event-stream"}
            return httpx.Response(200, headers=headers, content=b"".join(_probe_events(text)))
        message = {"role": "assistant", "content": text}
        return httpx.Response(200, json=_probe_document("message", message, "stop"))


def _probe_events(text: str) -> Iterator[bytes]:
    for piece in filter(None, _PIECES.findall(text)):
        yield server_sent(_probe_document("delta", {"content": piece}, None))
    yield server_sent(_probe_document("delta", {}, "stop"))
    yield b"data: [DONE]\n\n"


def _probe_document(
    member: str, content: dict[str, Any], finish_reason: str | None
) -> dict[str, Any]:
    kind = "chat.completion" if member == "message" else "chat.completion.chunk"
    choice = {"index": 0, member: content, "finish_reason": finish_reason}
    return {"id": PROBE, "object": kind, "created": 0, "model": PROBE, "choices": [choice]}
