"""Calls the OpenAI-compatible endpoint behind the proxy."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx

from lib.telemetry import attributes, tracing
from proxy.errors import ProxyError, unreadable
from proxy.tracing import onward

_FORWARDED = frozenset(
    {
        "authorization",
        "openai-organization",
        "openai-project",
    }
)
_RETURNED = {
    "x-request-id": "X-Model-Request-ID",
    "retry-after": "Retry-After",
    "openai-processing-ms": "OpenAI-Processing-Ms",
}


@asynccontextmanager
async def open_response(
    http: httpx.AsyncClient, path: str, headers: Mapping[str, str], body: dict[str, Any]
) -> AsyncIterator[httpx.Response]:
    """Send the request; the response's body is not read yet, nor in the span. Raises ProxyError."""
    forwarded = {name: value for name, value in headers.items() if name.lower() in _FORWARDED}
    model = attributes.model(attributes.LLM, str(body.get("model", "")))
    with tracing.span("generate", model, kind="CLIENT"):
        forwarded |= onward(headers)
        request = http.build_request("POST", path, json=body, headers=forwarded)
        try:
            response = await http.send(request, stream=True)
        except httpx.TransportError as error:
            raise _unreachable(error) from error
    try:
        yield response
    finally:
        await response.aclose()


async def document(response: httpx.Response) -> dict[str, Any]:
    """The JSON object of a response. Raises ProxyError for anything else."""
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
    """The JSON objects of a stream of server-sent events, up to `[DONE]`. Raises ProxyError."""
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
    """The model's headers that are passed on; its request id has a name of its own."""
    return {
        ours: response.headers[theirs]
        for theirs, ours in _RETURNED.items()
        if theirs in response.headers
    }


def _unreachable(error: httpx.TransportError) -> ProxyError:
    return ProxyError(
        502, f"The model did not answer ({type(error).__name__}).", code="model_unreachable"
    )
