"""Django middleware, sync and async: answers in JSON responses are checked before they leave.

    MIDDLEWARE = [..., "watchdog_client.contrib.django.guard_middleware"]
    WATCHDOG = {"URL": "http://watchdog:8000", "KEY": "wd_…", "PATHS": ["/api/chat"]}

A path stands for itself and all that lies below it. Further members of WATCHDOG: `EXEMPT` (paths
below those that are not guarded), `FAIL` ("closed" or "open"), `MODE` ("enforce" or "observe"),
`TIMEOUT` (seconds), `UNAVAILABLE_TEXT`, `FIELDS` (`answer`, `query`, `sources`) and `OPTIONS`,
which are sent with each answer (`{"collections": ["handbook"]}`).
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from watchdog_client.async_client import AsyncWatchdog
from watchdog_client.client import Watchdog
from watchdog_client.contrib.json_answers import (
    Fields,
    Paths,
    UnguardedResponseError,
    draft_of,
    replace_text,
)
from watchdog_client.errors import ConfigurationError
from watchdog_client.guard import AsyncGuard, Guard, GuardedAnswer, GuardSettings
from watchdog_client.operations import CheckOptions
from watchdog_client.verdicts import headers

SETTING = "WATCHDOG"


@dataclass(frozen=True, slots=True)
class Configuration:
    """`settings.WATCHDOG`, read once."""

    url: str
    key: str
    paths: Paths
    fields: Fields
    options: CheckOptions
    guard: GuardSettings

    @classmethod
    def read(cls, members: dict[str, Any]) -> "Configuration":
        """Read the settings. Raises ConfigurationError for a missing or unknown member."""
        names = {field.name.upper(): field.name for field in fields(GuardSettings)}
        required = {"URL", "KEY", "PATHS"}
        known = {*required, "EXEMPT", "FIELDS", "OPTIONS", *names}
        if wrong := sorted((required - members.keys()) | (members.keys() - known)):
            raise ConfigurationError(f"{SETTING}: {wrong[0]} is missing or unknown.")
        return cls(
            url=members["URL"],
            key=members["KEY"],
            paths=Paths(tuple(members["PATHS"]), tuple(members.get("EXEMPT", ()))),
            fields=Fields(**members.get("FIELDS", {})),
            options=members.get("OPTIONS", {}),
            guard=GuardSettings(
                **{names[name]: members[name] for name in names if name in members}
            ),
        )


@sync_and_async_middleware
def guard_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Replace the answer of successful responses under `PATHS` by the releasable text."""
    configuration = Configuration.read(getattr(settings, SETTING))
    if iscoroutinefunction(get_response):
        return _asynchronous(get_response, configuration)
    return _synchronous(get_response, configuration)


def _synchronous(
    get_response: Callable[[HttpRequest], Any], configuration: Configuration
) -> Callable[[HttpRequest], HttpResponseBase]:
    guard = Guard(Watchdog(configuration.url, configuration.key), configuration.guard)

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = get_response(request)
        if not _holds_answer(request, response, configuration):
            return response
        guarded = _buffered(response)
        draft = draft_of(guarded.content, configuration.fields, configuration.options)
        result = guard.check_answer(draft.text, **draft.options)
        return _with_result(guarded, configuration.fields, result)

    return middleware


def _asynchronous(
    get_response: Callable[[HttpRequest], Any], configuration: Configuration
) -> Callable[[HttpRequest], Any]:
    client = AsyncWatchdog(configuration.url, configuration.key)
    guard = AsyncGuard(client, configuration.guard)

    async def middleware(request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = await get_response(request)
        if not _holds_answer(request, response, configuration):
            return response
        guarded = _buffered(response)
        draft = draft_of(guarded.content, configuration.fields, configuration.options)
        result = await guard.check_answer(draft.text, **draft.options)
        return _with_result(guarded, configuration.fields, result)

    return middleware


def _holds_answer(
    request: HttpRequest, response: HttpResponseBase, configuration: Configuration
) -> bool:
    return (
        configuration.paths.hold(request.path, request.path_info)
        and 200 <= response.status_code < 300
    )


def _buffered(response: HttpResponseBase) -> HttpResponse:
    if not isinstance(response, HttpResponse):
        raise UnguardedResponseError("A streamed response cannot be guarded.")
    return response


def _with_result(response: HttpResponse, fields: Fields, result: GuardedAnswer) -> HttpResponse:
    response.content = replace_text(response.content, fields, result)
    if response.has_header("Content-Length"):
        response["Content-Length"] = str(len(response.content))
    for name, value in headers([result]).items():
        response[name] = value
    return response
