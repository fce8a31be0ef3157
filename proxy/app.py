"""The ASGI application: `/v1/chat/completions`, `/v1/responses` and `/healthz`."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from lib.text.reader.json_text import begins_json
from lib.text.thinking import answer_alone
from proxy import completions, extension, model, probe_model, responses, verdicts
from proxy.errors import ProxyError, reading_the_model
from proxy.extension import NAME, Extension
from proxy.formats import Format, Text
from proxy.request_ids import RequestIds
from proxy.settings import Settings
from proxy.streaming import Check, VerifiedStream
from proxy.tracing import TracedRequests, TracedTransport
from watchdog_client import (
    ApiError,
    AsyncGuard,
    AsyncWatchdog,
    ConfigurationError,
    GuardedAnswer,
    WatchdogError,
    chat,
)
from watchdog_client.operations import CheckOptions

KEY_HEADER = "X-Watchdog-Key"


@dataclass(frozen=True, slots=True)
class Api:
    """One of the two APIs: its path, the member with its messages, and its formats."""

    path: str
    input: str
    messages: Callable[[dict[str, Any]], list[Any]]
    texts_of: Callable[[dict[str, Any]], list[str]]
    with_texts: Callable[[dict[str, Any], list[Text]], dict[str, Any]]
    asks_for_data: Callable[[dict[str, Any]], bool]
    stream: Callable[[], Format]
    ending: bytes


CHAT = Api(
    "chat/completions",
    "messages",
    lambda body: list(body["messages"]),
    completions.texts_of,
    completions.with_texts,
    completions.asks_for_data,
    completions.ChatStream,
    ending=b"data: [DONE]\n\n",
)
RESPONSES = Api(
    "responses",
    "input",
    chat.input_messages,
    responses.texts_of,
    responses.with_texts,
    responses.asks_for_data,
    responses.ResponseStream,
    ending=b"",
)


@dataclass(frozen=True, slots=True)
class Call:
    """One request, read: what goes to the model and what its answer is checked against."""

    body: dict[str, Any]
    headers: Mapping[str, str]
    extension: Extension
    options: CheckOptions
    watchdog_key: str


def create_app(settings: Settings, *, transport: httpx.AsyncBaseTransport | None = None) -> ASGIApp:
    """The proxy; `transport` leads to WATCHDOG and is for tests."""
    http = httpx.AsyncClient(base_url=settings.model_url, timeout=settings.model_seconds)
    probes = httpx.AsyncClient(base_url=settings.model_url, transport=probe_model.ProbeModel())
    proxy = Proxy(settings, http, probes, transport)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with http, probes:
            yield

    app = Starlette(
        routes=[
            Route("/v1/chat/completions", proxy.endpoint(CHAT), methods=["POST"]),
            Route("/v1/responses", proxy.endpoint(RESPONSES), methods=["POST"]),
            Route("/healthz", healthz),
        ],
        middleware=[Middleware(TracedRequests)],
        exception_handlers={Exception: _internal_error},
        lifespan=lifespan,
    )
    return RequestIds(app)


async def _internal_error(_: Request, error: Exception) -> Response:
    """The server logs the error; the client learns only that there was one."""
    return ProxyError(500, "The proxy failed.", code="internal_error").response()


async def healthz(_: Request) -> Response:
    return JSONResponse({"status": "ok"})


@dataclass(frozen=True, slots=True)
class Proxy:
    """Forwards requests and releases what comes back after its verdict."""

    settings: Settings
    http: httpx.AsyncClient
    probes: httpx.AsyncClient
    transport: httpx.AsyncBaseTransport | None

    def _model(self, call: Call) -> httpx.AsyncClient:
        return self.probes if call.body.get("model") == probe_model.NAME else self.http

    def endpoint(self, api: Api) -> Callable[[Request], Any]:

        async def view(request: Request) -> Response:
            try:
                call = await _read(request, api, self.settings)
                if call.body.get("stream"):
                    return await self._stream(api, call)
                return await self._complete(api, call)
            except ProxyError as error:
                return error.response()

        return view

    async def _complete(self, api: Api, call: Call) -> Response:
        async with (
            model.open_response(self._model(call), api.path, call.headers, call.body) as response,
            self._checker(call) as check,
        ):
            if not response.is_success:
                return await _passed_on(response)
            document = await model.document(response)
            with reading_the_model():
                texts = api.texts_of(document)
            results = await asyncio.gather(*map(check, texts))
        with reading_the_model():
            is_data = api.asks_for_data(call.body)
            pairs = zip(texts, results, strict=True)
            released = api.with_texts(document, [_release(*pair, is_data) for pair in pairs])
        headers = model.returned_headers(response) | verdicts.headers(results)
        return JSONResponse({**released, NAME: verdicts.summary(results)}, headers=headers)

    async def _stream(self, api: Api, call: Call) -> Response:
        async with AsyncExitStack() as stack:
            response = await stack.enter_async_context(
                model.open_response(self._model(call), api.path, call.headers, call.body)
            )
            if not response.is_success:
                return await _passed_on(response)
            check = await stack.enter_async_context(self._checker(call))
            resources = stack.pop_all()
        stream = VerifiedStream(
            api.stream(),
            check,
            call.extension.on_failure,
            self.settings,
            is_data=api.asks_for_data(call.body),
        )

        async def lines() -> AsyncIterator[bytes]:
            async with resources:
                try:
                    async for event in stream.events(model.events(response)):
                        yield _line(event)
                except ProxyError as error:
                    yield b"data: " + bytes(error.response().body) + b"\n\n"
            yield api.ending

        headers = model.returned_headers(response) | {verdicts.ACTION_HEADER: "STREAMED"}
        return StreamingResponse(lines(), media_type="text/event-stream", headers=headers)

    @asynccontextmanager
    async def _checker(self, call: Call) -> AsyncIterator[Check]:
        """Checks one text with the application's own key. Raises ProxyError where none can be."""
        url, key = self.settings.watchdog_url, call.watchdog_key
        transport = TracedTransport(call.headers, self.transport)
        try:
            client = AsyncWatchdog(url, key, transport=transport)
        except ConfigurationError as error:
            raise ProxyError(401, str(error), code="invalid_watchdog_key") from error
        async with client as watchdog:
            guard = AsyncGuard(watchdog, self.settings.guard)

            async def check(text: str) -> GuardedAnswer:
                try:
                    return await guard.check_answer(text, **call.options)
                except WatchdogError as error:
                    raise _refused(error) from error

            yield check


def _release(text: str, result: GuardedAnswer, is_data: bool) -> Text:
    """What the policy lets a user read, without what the model wrote for itself."""
    alone, release = answer_alone(text), answer_alone(result.text)
    return Text(release, refused=(is_data or begins_json(alone)) and release != alone)


async def _read(request: Request, api: Api, settings: Settings) -> Call:
    key = request.headers.get(KEY_HEADER)
    if not key:
        raise ProxyError(
            401, f"Send an API key of WATCHDOG in {KEY_HEADER}.", code="no_watchdog_key"
        )
    try:
        document = json.loads(await _body(request, settings), parse_constant=_no_number)
        json.dumps(document, ensure_ascii=False).encode()  # half a surrogate pair is no text
    except (ValueError, RecursionError) as error:
        raise ProxyError(400, "The body is not JSON.", code="invalid_json") from error
    if not isinstance(document, dict):
        raise ProxyError(400, "The body is not a JSON object.", code="invalid_json")
    body, call_extension = extension.split_extension(document, settings)
    if body.get("stream") and body.get("n", 1) != 1:
        raise ProxyError(400, "A stream has one choice.", code="invalid_n", param="n")
    _validate_input(body.get(api.input), api)
    name = str(body.get("model", ""))
    options = chat.check_options(
        api.messages(body), call_extension.options, name, settings.context_roles
    )
    return Call(body, request.headers, call_extension, options, key)


async def _body(request: Request, settings: Settings) -> bytes:
    """The body. Raises ProxyError as soon as it is too long."""
    body, most = bytearray(), settings.max_body_bytes
    async for part in request.stream():
        body += part
        if len(body) > most:
            message = f"The body has more than {most:,} bytes."
            raise ProxyError(413, message, code="body_too_large")
    return bytes(body)


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _refused(error: WatchdogError) -> ProxyError:
    """WATCHDOG's refusal of every check of this kind: of the key, or for an unknown collection.

    What no WATCHDOG says, such as a redirect or a page, is a fault of the proxy's settings.
    """
    if not isinstance(error, ApiError) or not 400 <= error.status < 500:
        return ProxyError(502, "PROXY_WATCHDOG_URL is not WATCHDOG's.", code="watchdog_unreadable")
    if error.status in (401, 403):
        return ProxyError(401, error.detail, code="invalid_watchdog_key")
    return ProxyError(error.status, error.detail, code=error.code or "watchdog_refused")


def _validate_input(messages: Any, api: Api) -> None:
    """Messages are a list of objects; those of the Responses API may be one text, or missing."""
    if api is RESPONSES and (messages is None or isinstance(messages, str)):
        return
    if not isinstance(messages, list) or not all(isinstance(one, dict) for one in messages):
        message = f"{api.input} must be a list of objects."
        raise ProxyError(400, message, code=f"invalid_{api.input}", param=api.input)


async def _passed_on(response: httpx.Response) -> Response:
    """An error of the model as it came."""
    headers = model.returned_headers(response)
    content_type = response.headers.get("content-type", "application/json")
    body = await response.aread()
    return Response(body, response.status_code, headers=headers, media_type=content_type)


def _line(event: dict[str, Any]) -> bytes:
    """A server-sent event; those of the Responses API are named by their type."""
    name = f"event: {event['type']}\n" if "type" in event else ""
    return f"{name}data: {json.dumps(event, ensure_ascii=False)}\n\n".encode()
