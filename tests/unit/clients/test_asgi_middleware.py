"""The ASGI middleware holds a response back until its answer is checked."""

import json
import threading

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from fake_watchdog import FakeServer, checked
from tests.sockets import wait_until
from watchdog_client import AsyncGuard, ConfigurationError
from watchdog_client.contrib.asgi import GuardMiddleware
from watchdog_client.contrib.json_answers import UnguardedResponseError


async def answer(request: Request) -> JSONResponse:
    return JSONResponse({"answer": "The raw answer.", "query": "q", "more": "é"})


async def text(request: Request) -> PlainTextResponse:
    return PlainTextResponse("The raw answer.")


def application(server: FakeServer) -> TestClient:
    routes = [
        Route("/chat", answer),
        Route("/chat/{id}", answer),
        Route("/free", answer),
        Route("/text", text),
    ]
    app = Starlette(routes=routes)
    guard = AsyncGuard(server.async_client())
    app.add_middleware(
        GuardMiddleware, guard=guard, paths=["/chat", "/text"], options={"source_model": "m"}
    )
    return TestClient(app)


def test_the_answer_is_replaced_with_its_length() -> None:
    server = FakeServer([checked("WARN")])
    response = application(server).get("/chat")
    assert response.json() == {"answer": "Final for WARN.", "query": "q", "more": "é"}
    assert response.headers["Content-Length"] == str(len(response.content))
    assert response.headers["X-Watchdog-Action"] == "WARN"
    payload = json.loads(server.requests[0].content)
    assert payload == {"answer": "The raw answer.", "query": "q", "source_model": "m"}


def test_what_lies_below_a_path_is_guarded() -> None:
    response = application(FakeServer([checked("BLOCK")])).get("/chat/17")
    assert response.json()["answer"] == "Final for BLOCK."


@pytest.mark.parametrize("root", ["", "/app"])
def test_a_root_path_opens_no_way_round(root) -> None:
    server = FakeServer([checked("BLOCK")])
    config = uvicorn.Config(application(server).app, port=0, root_path=root, log_level="warning")
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    wait_until(lambda: running.started, pause=0.01)
    port = running.servers[0].sockets[0].getsockname()[1]
    try:
        for path in ("/chat", "/chat/17"):
            response = httpx.get(f"http://127.0.0.1:{port}{path}")
            assert response.json()["answer"] == "Final for BLOCK."
        free = httpx.get(f"http://127.0.0.1:{port}/free")
        assert free.json()["answer"] == "The raw answer."
    finally:
        running.should_exit = True
        thread.join(10)


def test_a_websocket_is_not_guarded_and_raises() -> None:
    client = application(FakeServer([checked("BLOCK")]))
    with pytest.raises(UnguardedResponseError), client.websocket_connect("/chat/17"):
        pass


@pytest.mark.parametrize(("paths", "exempt"), [([], []), (["chat"], []), (["/chat"], ["chat/x"])])
def test_paths_that_guard_nothing_are_refused_at_the_start(paths, exempt) -> None:
    guard = AsyncGuard(FakeServer([checked()]).async_client())
    with pytest.raises(ConfigurationError):
        GuardMiddleware(Starlette(), guard=guard, paths=paths, exempt=exempt)


def test_other_paths_and_errors_pass() -> None:
    server = FakeServer([checked("BLOCK")])
    client = application(server)
    assert client.get("/free").json()["answer"] == "The raw answer."
    assert client.post("/chat").status_code == 405
    assert server.requests == []


def test_a_guarded_path_without_an_answer_is_an_error() -> None:
    with pytest.raises(UnguardedResponseError):
        application(FakeServer([checked()])).get("/text")
