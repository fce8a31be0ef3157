"""Calls the OpenAI-compatible endpoint behind the proxy."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx
from starlette.requests import Request

from lib.telemetry import attributes, tracing
from proxy.errors import ProxyError, unreadable
from proxy.settings import Settings
from proxy.tracing import onward

OPENAI, AZURE = "/v1/", "/openai/"
"""Where the two kinds of clients look; what follows is the path below `PROXY_MODEL_URL`."""

_KEYS = frozenset({"authorization", "api-key"})
_FORWARDED = _KEYS | {"openai-organization", "openai-project", "openai-beta"}
_QUERY = frozenset({"api-version"})
_RETURNED = {
    "x-request-id": "X-Model-Request-ID",
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
    """The headers and parameters that are passed on, with the key that the proxy holds."""
    names = _FORWARDED.union(settings.pass_headers)
    headers = {name: value for name, value in request.headers.items() if name in names}
    azure = request.url.path.startswith(AZURE)
    if settings.model_key is not None:
        key = settings.model_key.get_secret_value()
        own_header = {"api-key": key} if azure else {"authorization": f"Bearer {key}"}
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
        payload = json.loads(await response.aread())
    except httpx.TransportError as error:
        raise _unreachable(error) from error
    except ValueError as error:
        raise unreadable() from error
    if not isinstance(payload, dict):
        raise unreadable()
    return payload


async def events(response: httpx.Response) -> AsyncIterator[dict[str, Any]]:
    """Yield the JSON objects of an event stream, up to `[DONE]`. Raises ProxyError."""
    try:
        async for line in response.aiter_lines():
            if not line.startswith("data:"):
                continue
            data = line.removeprefix("data:").strip()
            if data == "[DONE]":
                return
            yield json.loads(data)
    except httpx.TransportError as error:
        raise _unreachable(error) from error
    except ValueError as error:
        raise unreadable() from error


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
