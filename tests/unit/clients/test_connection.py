"""Address and key are refused at start where no request with them can succeed, and never shown."""

import asyncio
import logging

import httpx
import pytest

from fake_watchdog import NO_PAUSE, FakeServer, checked
from watchdog_client import ApiError, AsyncWatchdog, ConfigurationError, Watchdog, WatchdogError

SECRET = "wd_0123456789_secret"
CLIENTS: list[type[Watchdog] | type[AsyncWatchdog]] = [Watchdog, AsyncWatchdog]


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize(
    "key", ["", " \n", None, f"{SECRET} x", f"{SECRET}\r\nX-Other: 1", f"{SECRET}é"]
)
def test_a_key_that_cannot_be_one_raises(client, key) -> None:
    with pytest.raises(ConfigurationError) as raised:
        client("http://w", key)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize(
    "url",
    [
        "", None, "watchdog:8000", "w.example", "ftp://w", "http://", "http://w:port", "/api",
        "https://me:secret@w", "https://secret@w", "https://w?key=secret", "https://w/#secret",
    ],
)  # fmt: skip
def test_an_address_that_cannot_be_one_raises(client, url) -> None:
    with pytest.raises(ConfigurationError) as raised:
        client(url, SECRET)
    assert "secret" not in str(raised.value)


def test_white_space_around_both_is_not_part_of_them() -> None:
    server = FakeServer([checked()])
    transport = httpx.MockTransport(server.answer)
    Watchdog(" https://w/base/\n", f"{SECRET}\n", transport=transport).check("a")
    (request,) = server.requests
    assert str(request.url) == "https://w/base/api/v1/checks"
    assert request.headers["Authorization"] == f"Bearer {SECRET}"


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_is_made_of_the_environment(client, monkeypatch) -> None:
    monkeypatch.setenv("WATCHDOG_URL", "http://w")
    monkeypatch.setenv("WATCHDOG_KEY", SECRET)
    assert isinstance(client.from_env(timeout=5), client)
    monkeypatch.delenv("WATCHDOG_KEY")
    with pytest.raises(ConfigurationError, match="WATCHDOG_KEY"):
        client.from_env()


def test_a_ping_tells_at_start_whether_address_and_key_are_right() -> None:
    key = httpx.Response(200, json={"prefix": "p", "name": "n", "scopes": ["checks:write"]})
    assert FakeServer([key]).client().ping().scopes == ["checks:write"]
    server = FakeServer([httpx.Response(401, json={"detail": "No such key."})])
    with pytest.raises(ApiError, match="No such key"):
        asyncio.run(server.async_client().ping())
    assert server.requests[0].url.path == "/api/v1/keys/current"


@pytest.mark.parametrize(
    "reply",
    [
        httpx.ConnectError("refused"),
        httpx.ReadTimeout("slow"),
        *(httpx.Response(status, text="x") for status in (200, 302, 401, 503)),
    ],
    ids=repr,
)
def test_no_message_and_no_log_has_the_key(reply, caplog) -> None:
    caplog.set_level(logging.DEBUG)
    transport = httpx.MockTransport(FakeServer([reply]).answer)
    client = Watchdog("http://w", SECRET, retries=NO_PAUSE, transport=transport)
    with pytest.raises(WatchdogError) as raised:
        client.check("a")
    shown = f"{raised.value!r} {raised.value.__cause__!r} {client!r} {vars(raised.value)}"
    assert "secret" not in shown + caplog.text


def test_an_id_is_one_segment_of_the_address() -> None:
    server = FakeServer([httpx.Response(204)])
    server.client().delete_check("../collections/handbook")
    (request,) = server.requests
    assert request.url.raw_path == b"/api/v1/checks/..%2Fcollections%2Fhandbook"


@pytest.mark.parametrize(
    "call",
    [
        lambda client: client.delete_check(".."),
        lambda client: client.get_check(""),
        lambda client: client.delete_collection("."),
    ],
)
def test_an_id_of_dots_is_refused(call) -> None:
    server = FakeServer([httpx.Response(204)])
    with pytest.raises(ConfigurationError):
        call(server.client())
    assert server.requests == []
