"""The Django middleware replaces answers on guarded paths, under WSGI and under ASGI."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.test import RequestFactory

from fake_watchdog import FakeServer, checked
from watchdog_client import ConfigurationError
from watchdog_client.contrib import django
from watchdog_client.contrib.json_answers import UnguardedResponseError

SETTINGS: dict[str, Any] = {"URL": "http://w", "KEY": "key", "PATHS": ["/chat", "/api/"]}
ANSWER = {"answer": "The raw answer.", "query": "How long?", "sources": ["s"], "other": 1}


@pytest.fixture(params=["sync", "async"])
def serve(request, settings, monkeypatch) -> Callable[..., HttpResponse]:
    """Serve a view's response through the middleware, with a server that gives one reply."""

    def call(
        response: HttpResponseBase, reply: Any, path: str = "/chat", **changes: Any
    ) -> HttpResponse:
        settings.WATCHDOG = SETTINGS | changes
        server = FakeServer([reply])
        call.requests = server.requests
        monkeypatch.setattr(django, "Watchdog", lambda url, key: server.client())
        monkeypatch.setattr(django, "AsyncWatchdog", lambda url, key: server.async_client())
        http_request = RequestFactory().get(path)
        if request.param == "sync":
            result = django.guard_middleware(lambda _: response)(http_request)
        else:

            async def view(_: HttpRequest) -> HttpResponseBase:
                return response

            result = asyncio.run(django.guard_middleware(view)(http_request))
        assert isinstance(result, HttpResponse)
        return result

    return call


def test_a_blocked_answer_is_replaced_and_the_rest_stays(serve) -> None:
    response = serve(JsonResponse(ANSWER), checked("BLOCK"))
    assert json.loads(response.content) == ANSWER | {"answer": "Final for BLOCK."}
    assert response["X-Watchdog-Action"] == "BLOCK"
    assert response["X-Watchdog-Check"] == "c1"
    payload = json.loads(serve.requests[0].content)
    assert payload == {"answer": "The raw answer.", "query": "How long?", "sources": ["s"]}


def test_options_and_names_of_members_are_settings(serve) -> None:
    serve(
        JsonResponse({"text": "x"}), checked(), "/api/ask",
        OPTIONS={"collections": ["handbook"]}, FIELDS={"answer": "text"},
    )  # fmt: skip
    assert json.loads(serve.requests[0].content) == {"answer": "x", "collections": ["handbook"]}


@pytest.mark.parametrize(("fail", "text"), [("open", "The raw answer."), ("closed", "Later.")])
def test_without_a_verdict_the_setting_decides(serve, fail, text) -> None:
    down = httpx.ConnectError("down")
    response = serve(JsonResponse(ANSWER), down, FAIL=fail, UNAVAILABLE_TEXT="Later.")
    assert json.loads(response.content)["answer"] == text
    assert response["X-Watchdog-Action"] == "NOT_CHECKED"


@pytest.mark.parametrize(
    ("response", "path"),
    [
        (JsonResponse(ANSWER), "/chatter"),
        (JsonResponse(ANSWER), "/chat/history/1"),
        (JsonResponse(ANSWER, status=500), "/chat"),
    ],
    ids=["another path", "an exempt path", "an error"],
)
def test_other_responses_pass(serve, response, path) -> None:
    reply = serve(response, checked("BLOCK"), path, EXEMPT=["/chat/history"])
    assert json.loads(reply.content) == ANSWER
    assert serve.requests == []


def test_what_lies_below_a_path_is_guarded(serve) -> None:
    response = serve(JsonResponse(ANSWER), checked("BLOCK"), "/chat/17")
    assert json.loads(response.content)["answer"] == "Final for BLOCK."


@pytest.mark.parametrize("changes", [{"API_KEY": "key"}, {"FAIL": "opne"}, {"TIMEOUT": 0}], ids=str)
def test_a_wrong_setting_raises_at_start(serve, changes) -> None:
    with pytest.raises(ConfigurationError):
        serve(JsonResponse(ANSWER), checked(), **changes)


@pytest.mark.parametrize(
    "response",
    [HttpResponse("<p>"), JsonResponse({"reply": "x"}), StreamingHttpResponse(["x"])],
    ids=["no JSON", "no answer", "a stream"],
)
def test_a_guarded_path_without_a_checkable_answer_is_an_error(serve, response) -> None:
    with pytest.raises(UnguardedResponseError):
        serve(response, checked())
