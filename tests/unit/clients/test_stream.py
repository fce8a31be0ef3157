"""Reading a stream of events: put together, resumed, refused, given up."""

import asyncio
import json

import httpx
import pytest

from fake_watchdog import FakeServer, check
from watchdog_client import ApiError, CheckEvent, InvalidResponseError, PendingError
from watchdog_client import async_client as async_module
from watchdog_client import client as client_module
from watchdog_client.stream import EventReader

QUEUED = 'retry: 1000\n\nid: 1\nevent: status\ndata: {"state": "queued"}\n\n: still here\n\n'
RESULT = f"id: 9\nevent: result\ndata: {json.dumps(check('BLOCK'))}\n\n"


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch) -> None:
    for module in (client_module, async_module):
        monkeypatch.setattr(module, "PAUSE_SECONDS", 0.001)


def stream_of(text: str, status: int = 200, **headers: str) -> httpx.Response:
    return httpx.Response(status, content=text.encode(), headers=headers)


def seen(events: list[CheckEvent]) -> list[tuple[str, str, str | None]]:
    return [(event.id, event.type, event.state) for event in events]


def test_a_stream_that_was_cut_off_goes_on() -> None:
    replies = [stream_of(QUEUED), httpx.ReadError("cut"), stream_of(RESULT)]
    expected = [("1", "status", "queued"), ("9", "result", "done")]
    server = FakeServer(replies)
    events = list(server.client().stream("c1"))
    assert seen(events) == expected
    assert events[-1].check.action == "BLOCK"
    assert [request.headers.get("Last-Event-ID") for request in server.requests] == [None, "1", "1"]
    assert server.requests[0].headers["Accept"] == "text/event-stream"

    async def read() -> list[CheckEvent]:
        return [event async for event in FakeServer(replies).async_client().stream("c1")]

    assert seen(asyncio.run(read())) == expected


def test_a_server_whose_places_are_taken_is_asked_again(monkeypatch) -> None:
    paused: list[float] = []
    monkeypatch.setattr(client_module.time, "sleep", paused.append)
    server = FakeServer([stream_of("{}", 503, **{"Retry-After": "3"}), stream_of(RESULT)])
    assert len(list(server.client().stream("c1"))) == 1
    assert paused == [3.0]


def test_what_is_no_stream() -> None:
    with pytest.raises(ApiError) as refused:
        list(FakeServer([stream_of("{}", 404)]).client().stream("c1"))
    assert refused.value.status == 404
    with pytest.raises(InvalidResponseError):
        list(FakeServer([stream_of("event: result\ndata: {}\n\n")]).client().stream("c1"))


def test_no_result_in_time_names_the_check() -> None:
    with pytest.raises(PendingError) as raised:
        list(FakeServer([stream_of(QUEUED)]).client().stream("c1", timeout=0.02))
    assert raised.value.id == "c1"


def test_lines_are_put_together() -> None:
    reader = EventReader()
    lines = ["event:status", 'data: {"state":', "data: null}", "", "data: ", ""]
    assert [event for event in map(reader.read, lines) if event] == [CheckEvent("", "status")]
