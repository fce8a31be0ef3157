"""The ASGI application: what returns a model's text is guarded, what has none is handed through.

All is served below `/v1/`, where OpenAI's clients look, and `/openai/`, where Azure's do.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from lib.text.reader.json_text import begins_json, has_more_values
from lib.text.thinking import answer_alone
from proxy import completions, messages, model, responses
from proxy.errors import ProxyError, reading_the_model
from proxy.formats import Format, Text, server_sent
from proxy.settings import FAILURES, KEY_HEADER, OnFailure, Settings
from proxy.streaming import Check, CheckCall, VerifiedStream
from proxy.tool_calls import CallCheck, ToolCall, verdicts_of
from proxy.tracing import RequestIds, TracedRequests, TracedTransport
from watchdog_client import (
    ApiError,
    AsyncGuard,
    AsyncWatchdog,
    CircuitBreaker,
    ConfigurationError,
    GuardedAnswer,
    WatchdogError,
    chat,
    verdicts,
)
from watchdog_client.operations import CheckOptions
from watchdog_client.transport import loads

NAME = "watchdog"
"""The member of a request that says what its answer is checked against, and of an answer."""
_OPTIONS = frozenset({"query", "sources", "collections", "scope", "metadata"})
REACH_SECONDS = 3.0
MOST_VALUES = 500_000
"""The most values of a body: each costs some hundred bytes of memory."""
_PREFIXES = ("/v1/", "/openai/", "/openai/v1/", "/openai/deployments/{deployment}/")
_HANDED_THROUGH = (
    ("GET", "models"),
    ("GET", "models/{model:path}"),
    ("POST", "embeddings"),
    ("POST", "moderations"),
    ("POST", "responses/input_tokens"),
    ("POST", "messages/count_tokens"),
)


@dataclass(frozen=True, slots=True)
class Api:
    """One of the guarded APIs: its path, the member with its messages, and its formats.

    `stream` is None where streams are refused.
    """

    path: str
    input: str
    messages: Callable[[dict[str, Any]], list[Any]]
    texts_of: Callable[[dict[str, Any]], list[str]]
    with_texts: Callable[[dict[str, Any], list[Text]], dict[str, Any]]
    calls_of: Callable[[dict[str, Any]], list[ToolCall]]
    without_calls: Callable[[dict[str, Any]], dict[str, Any]]
    asks_for_data: Callable[[dict[str, Any]], bool]
    stream: Callable[[], Format] | None
    ending: bytes = b""


CHAT = Api(
    "chat/completions",
    "messages",
    lambda body: list(body["messages"]),
    completions.texts_of,
    completions.with_texts,
    completions.calls_of,
    completions.without_calls,
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
    responses.calls_of,
    responses.without_calls,
    responses.asks_for_data,
    responses.ResponseStream,
)
COMPLETIONS = Api(
    "completions",
    "prompt",
    completions.prompt_messages,
    completions.prompt_texts_of,
    completions.with_prompt_texts,
    lambda completion: [],
    lambda completion: completion,
    lambda body: False,
    None,
)
MESSAGES = Api(
    "messages",
    "messages",
    messages.messages_of,
    messages.texts_of,
    messages.with_texts,
    messages.calls_of,
    messages.without_calls,
    messages.asks_for_data,
    messages.MessageStream,
)
APIS = (CHAT, RESPONSES, COMPLETIONS, MESSAGES)


@dataclass(frozen=True, slots=True)
class Call:
    """One parsed request: the model's input and the options of the check."""

    body: dict[str, Any]
    messages: list[Any]
    headers: Mapping[str, str]
    model: model.Call
    on_failure: OnFailure
    options: CheckOptions
    watchdog_key: str


def create_app(settings: Settings, *, transport: httpx.AsyncBaseTransport | None = None) -> ASGIApp:
    """Return the proxy; `transport` leads to WATCHDOG and is for tests."""
    http = httpx.AsyncClient(base_url=settings.model_url, timeout=settings.model_seconds)
    probes = httpx.AsyncClient(base_url=settings.model_url, transport=model.ProbeModel())
    proxy = Proxy(settings, http, probes, transport)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with http, probes:
            yield

    app = Starlette(
        routes=[
            *(
                Route(f"{prefix}{api.path}", proxy.endpoint(api), methods=["POST"])
                for prefix in _PREFIXES
                for api in APIS
            ),
            *(
                Route(f"{prefix}{path}", proxy.hand_through, methods=[method])
                for prefix in _PREFIXES
                for method, path in _HANDED_THROUGH
            ),
            Route("/healthz", healthz),
            Route("/readyz", proxy.readyz),
            Route("/metrics", proxy.show_metrics),
            Route("/{path:path}", unserved, methods=["GET", "POST", "PUT", "PATCH", "DELETE"]),
        ],
        middleware=[Middleware(TracedRequests)],
        exception_handlers={Exception: _internal_error},
        lifespan=lifespan,
    )
    return RequestIds(app)


async def _internal_error(request: Request, error: Exception) -> Response:
    """Return an error without details; only the server's log has them."""
    return ProxyError(500, "The proxy failed.", code="internal_error").response(request)


async def healthz(_: Request) -> Response:
    return JSONResponse({"status": "ok"})


async def unserved(request: Request) -> Response:
    """Refuse a path that is not served: it could return text that nobody checked."""
    message = f"The proxy does not serve {request.method} {request.url.path}."
    return ProxyError(404, message, code="not_served").response(request)


class Metrics:
    """The metrics of one process for Prometheus: outcomes of checks, waiting times of answers."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.checks = Counter(
            "watchdog_proxy_checks", "Texts by verdict.", ["action"], registry=self._registry
        )
        self.seconds = Histogram(
            "watchdog_proxy_check_seconds", "Waiting for a verdict.", registry=self._registry
        )

    def response(self) -> Response:
        """Return all of it as Prometheus reads it."""
        return Response(generate_latest(self._registry), media_type=CONTENT_TYPE_LATEST)


@dataclass(frozen=True, slots=True)
class Proxy:
    """Forwards requests and releases the responses after their verdict."""

    settings: Settings
    http: httpx.AsyncClient
    probes: httpx.AsyncClient
    transport: httpx.AsyncBaseTransport | None
    breaker: CircuitBreaker = field(default_factory=CircuitBreaker)
    metrics: Metrics = field(default_factory=Metrics)

    def _model(self, call: Call) -> httpx.AsyncClient:
        return self.probes if call.body.get("model") == model.PROBE else self.http

    def endpoint(self, api: Api) -> Callable[[Request], Any]:

        async def view(request: Request) -> Response:
            try:
                call = await _read(request, api, self.settings)
                await self._admit(call.watchdog_key, request.headers)
                if call.body.get("stream"):
                    return await self._stream(api, call, request)
                return await self._complete(api, call)
            except ProxyError as error:
                return error.response(request)

        return view

    async def hand_through(self, request: Request) -> Response:
        """Hand a request that asks for no text to the model, and its answer back."""
        try:
            await self._admit(_watchdog_key(request, self.settings), request.headers)
            body = None
            if request.method == "POST":
                body, _, _ = _split(await _document(request, self.settings), self.settings)
            call = model.call_of(request, self.settings)
            async with model.open_response(self.http, call, body, request.headers) as response:
                return await _passed_on(response)
        except ProxyError as error:
            return error.response(request)

    async def _admit(self, key: str, headers: Mapping[str, str]) -> None:
        """Raise ProxyError for a key that WATCHDOG rejects, before the proxy's own key is used."""
        model_key, own = self.settings.model_key, self.settings.watchdog_key
        if model_key is None or (own is not None and key == own.get_secret_value()):
            return
        async with self._watchdog(key, headers) as watchdog:
            try:
                await watchdog.ping()
            except WatchdogError as error:
                raise _refused(error) from error

    async def show_metrics(self, _: Request) -> Response:
        return self.metrics.response()

    async def readyz(self, _: Request) -> Response:
        """Return 503 with the reason where the model or WATCHDOG does not answer."""
        parts = {
            "watchdog": await _reach(self.settings.watchdog_url, self.transport),
            "model": await _reach(self.settings.model_url, None),
        }
        ready = all(part == "ok" for part in parts.values())
        status = {"status": "ok" if ready else "not ready", **parts}
        return JSONResponse(status, 200 if ready else 503)

    async def _complete(self, api: Api, call: Call) -> Response:
        async with (
            model.open_response(self._model(call), call.model, call.body, call.headers) as response,
            self._checker(call) as (check, check_call),
        ):
            if not response.is_success:
                return await _passed_on(response)
            document = await model.document(response)
            with reading_the_model():
                texts = api.texts_of(document)
                calls = api.calls_of(document) if check_call else []
            results, checked_calls = await asyncio.gather(
                asyncio.gather(*map(check, texts)),
                asyncio.gather(*(check_call(one) for one in calls if check_call)),
            )
        with reading_the_model():
            is_data = api.asks_for_data(call.body)
            pairs = zip(texts, results, strict=True)
            released = api.with_texts(document, [_release(*pair, is_data) for pair in pairs])
            if any(one.is_refused(self.settings) for one in checked_calls):
                released = api.without_calls(released)
        verdict = verdicts.summary(results) | verdicts_of(checked_calls)
        headers = model.returned_headers(response) | verdicts.headers(results)
        return JSONResponse({**released, NAME: verdict}, headers=headers)

    async def _stream(self, api: Api, call: Call, request: Request) -> Response:
        if api.stream is None:
            message = "The proxy does not stream this API; use chat completions."
            raise ProxyError(400, message, code="stream_not_served", param="stream")
        async with AsyncExitStack() as stack:
            response = await stack.enter_async_context(
                model.open_response(self._model(call), call.model, call.body, call.headers)
            )
            if not response.is_success:
                return await _passed_on(response)
            check, check_call = await stack.enter_async_context(self._checker(call))
            resources = stack.pop_all()
        stream_format = api.stream()
        stream = VerifiedStream(
            stream_format,
            check,
            call.on_failure,
            self.settings,
            is_data=api.asks_for_data(call.body),
            check_call=check_call,
        )

        async def lines() -> AsyncIterator[bytes]:
            async with resources:
                try:
                    events = model.events(response, stream_format.is_end)
                    async for event in stream.events(events):
                        yield server_sent(event)
                except ProxyError as error:
                    yield server_sent(error.document(request))
                    return
            yield api.ending

        headers = model.returned_headers(response) | {verdicts.ACTION_HEADER: "STREAMED"}
        return StreamingResponse(lines(), media_type="text/event-stream", headers=headers)

    @asynccontextmanager
    async def _checker(self, call: Call) -> AsyncIterator[tuple[Check, CheckCall | None]]:
        """Yield what checks a text, and what checks a tool call. Both raise ProxyError."""
        async with self._watchdog(call.watchdog_key, call.headers) as watchdog:
            guard = AsyncGuard(watchdog, self.settings.guard, self.breaker)

            async def check(text: str, options: CheckOptions | None = None) -> GuardedAnswer:
                try:
                    with self.metrics.seconds.time():
                        result = await guard.check_answer(text, **(options or call.options))
                except WatchdogError as error:
                    raise _refused(error) from error
                self.metrics.checks.labels(result.action or verdicts.NOT_CHECKED).inc()
                return result

            pattern = self.settings.context_pattern
            check_call = CallCheck(call.body, call.messages, call.options, pattern, check)
            yield check, None if self.settings.tool_calls == "pass" else check_call

    def _watchdog(self, key: str, headers: Mapping[str, str]) -> AsyncWatchdog:
        """Return a client with this key, in the trace of the request. Raises ProxyError."""
        transport = TracedTransport(headers, self.transport)
        try:
            return AsyncWatchdog(self.settings.watchdog_url, key, transport=transport)
        except ConfigurationError as error:
            raise ProxyError(401, str(error), code="invalid_watchdog_key") from error


def _release(text: str, result: GuardedAnswer, is_data: bool) -> Text:
    """Return the text that the policy lets a user read, without the model's reasoning."""
    alone, release = answer_alone(text), answer_alone(result.text)
    return Text(release, refused=(is_data or begins_json(alone)) and release != alone)


async def _read(request: Request, api: Api, settings: Settings) -> Call:
    key = _watchdog_key(request, settings)
    body, on_failure, stated = _split(await _document(request, settings), settings)
    if body.get("stream") and body.get("n", 1) != 1:
        raise ProxyError(400, "A stream has one choice.", code="invalid_n", param="n")
    _validate_input(body.get(api.input), api)
    name = str(body.get("model") or request.path_params.get("deployment", ""))
    messages = api.messages(body)
    options = chat.check_options(
        messages,
        stated,
        name,
        settings.context_roles,
        settings.context_pattern,
    )
    onward = model.call_of(request, settings)
    return Call(body, messages, request.headers, onward, on_failure, options, key)


def _split(
    document: dict[str, Any], settings: Settings
) -> tuple[dict[str, Any], OnFailure, CheckOptions]:
    """Return the body for the model, without the extension, and what that says.

    Raises ProxyError.
    """
    members = document.get(NAME, {})
    if not isinstance(members, dict):
        raise _invalid("watchdog must be an object.", NAME)
    if unknown := sorted(set(members) - _OPTIONS - {"on_failure"}):
        raise _invalid(f"Unknown member: {unknown[0]}.", f"{NAME}.{unknown[0]}")
    on_failure = members.get("on_failure", settings.on_failure)
    if on_failure not in FAILURES:
        raise _invalid(f"Must be one of {', '.join(FAILURES)}.", f"{NAME}.on_failure")
    options: Any = {name: value for name, value in members.items() if name in _OPTIONS}
    body = {name: value for name, value in document.items() if name != NAME}
    return body, on_failure, options


def _invalid(message: str, param: str) -> ProxyError:
    return ProxyError(400, message, code="invalid_watchdog_extension", param=param)


def _watchdog_key(request: Request, settings: Settings) -> str:
    """Return the key of the request or the proxy's own.

    Where the proxy holds the model's key, an application that cannot send headers sends its key of
    WATCHDOG in that one's place.
    """
    if key := request.headers.get(KEY_HEADER):
        return key
    keys = (request.headers.get(name) for name in ("api-key", "x-api-key", "authorization"))
    bearer = next(filter(None, keys), "").removeprefix("Bearer ").strip()
    if settings.model_key is not None and bearer.startswith("wd_"):
        return bearer
    if settings.watchdog_key is not None:
        return settings.watchdog_key.get_secret_value()
    message = f"Send an API key of WATCHDOG in {KEY_HEADER}."
    raise ProxyError(401, message, code="no_watchdog_key")


async def _document(request: Request, settings: Settings) -> dict[str, Any]:
    body = await _body(request, settings)
    if has_more_values(body, MOST_VALUES):
        message = f"The body has more than {MOST_VALUES:,} JSON values."
        raise ProxyError(413, message, code="too_many_values")
    try:
        document = loads(body, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise ProxyError(400, "The body is not JSON.", code="invalid_json") from error
    if not isinstance(document, dict):
        raise ProxyError(400, "The body is not a JSON object.", code="invalid_json")
    return document


async def _reach(url: str, transport: httpx.AsyncBaseTransport | None) -> str:
    """Return "ok" where a server answers, whatever it says, else the kind of error."""
    try:
        async with httpx.AsyncClient(timeout=REACH_SECONDS, transport=transport) as http:
            await http.get(url)
    except httpx.TransportError as error:
        return type(error).__name__
    return "ok"


async def _body(request: Request, settings: Settings) -> bytes:
    """Return the body. Raises ProxyError as soon as it is too long."""
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
    """Return the error for a WATCHDOG refusal that affects every check, such as of the key.

    A response that no WATCHDOG sends, such as a redirect or a page, is blamed on the proxy's
    settings.
    """
    if error.outage:
        return ProxyError(503, "WATCHDOG does not answer.", code="watchdog_unreachable")
    if not isinstance(error, ApiError) or not 400 <= error.status < 500:
        return ProxyError(502, "PROXY_WATCHDOG_URL is not WATCHDOG's.", code="watchdog_unreadable")
    if error.status in (401, 403):
        return ProxyError(401, error.detail, code="invalid_watchdog_key")
    return ProxyError(error.status, error.detail, code=error.code or "watchdog_refused")


def _validate_input(messages: Any, api: Api) -> None:
    """Require a list of objects; for the Responses API also one text, or nothing."""
    if api is COMPLETIONS or (api is RESPONSES and (messages is None or isinstance(messages, str))):
        return
    if not isinstance(messages, list) or not all(isinstance(one, dict) for one in messages):
        message = f"{api.input} must be a list of objects."
        raise ProxyError(400, message, code=f"invalid_{api.input}", param=api.input)


async def _passed_on(response: httpx.Response) -> Response:
    """Return an error of the model unchanged."""
    headers = model.returned_headers(response)
    content_type = response.headers.get("content-type", "application/json")
    body = await response.aread()
    return Response(body, response.status_code, headers=headers, media_type=content_type)
