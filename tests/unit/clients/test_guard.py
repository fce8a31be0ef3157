"""The guard shows what the policy lets a user read, and nothing unverified when it is closed."""

import asyncio
from typing import Any

import httpx
import pytest

from fake_watchdog import FakeServer, checked
from watchdog_client import ApiError, AsyncGuard, Draft, Guard, GuardedAnswer, GuardSettings
from watchdog_client.guard import UNAVAILABLE

RAW = "The raw answer."
DOWN = httpx.ConnectError("down")


def guarded(server: FakeServer, **settings: Any) -> tuple[GuardedAnswer, GuardedAnswer]:
    """What the synchronous and the asynchronous guard make of the raw answer."""

    async def run() -> GuardedAnswer:
        guard = AsyncGuard(server.async_client(), GuardSettings(**settings))
        return await guard.check_answer(RAW, query="q")

    guard = Guard(server.client(), GuardSettings(**settings))
    return guard.check_answer(RAW, query="q"), asyncio.run(run())


@pytest.mark.parametrize(
    ("action", "text"),
    [("ALLOW", RAW), ("WARN", "Final for WARN."), ("BLOCK", "Final for BLOCK.")],
)
def test_the_action_decides_what_is_shown(action: str, text: str) -> None:
    for result in guarded(FakeServer([checked(action)])):
        assert (result.text, result.action) == (text, action)
        assert result.check is not None


@pytest.mark.parametrize(
    "reply",
    [
        DOWN,
        httpx.Response(503),
        httpx.Response(400, json={"detail": "too long"}),
        httpx.Response(200, text="<html>"),
        checked(None, 202, state="failed"),
        checked("WARN", final_response=None),
    ],
    ids=["down", "unavailable", "refused", "no JSON", "failed", "nothing to show"],
)
def test_without_a_verdict_the_setting_decides(reply: httpx.Response | Exception) -> None:
    for result in guarded(FakeServer([reply])):
        assert (result.text, result.action) == (UNAVAILABLE, None)
        assert result.error is not None
    for result in guarded(FakeServer([reply]), unavailable_text="Later."):
        assert result.text == "Later."
    for result in guarded(FakeServer([reply]), fail="open"):
        assert (result.text, result.action) == (RAW, None)


@pytest.mark.parametrize("fail", ["open", "closed"])
@pytest.mark.parametrize("status", [401, 403, 404, 415, 422])
def test_a_mistake_in_the_configuration_raises_whatever_the_setting(status: int, fail: str) -> None:
    with pytest.raises(ApiError):
        guarded(FakeServer([httpx.Response(status)]), fail=fail)


def test_an_asynchronous_guard_keeps_to_its_time_out() -> None:
    async def never(request: httpx.Request) -> httpx.Response:
        await asyncio.sleep(60)
        raise AssertionError

    async def run() -> GuardedAnswer:
        from watchdog_client import AsyncWatchdog

        client = AsyncWatchdog("http://w", "key", transport=httpx.MockTransport(never))
        return await AsyncGuard(client, GuardSettings(timeout=0.05)).check_answer(RAW)

    result = asyncio.run(run())
    assert result.text == UNAVAILABLE
    assert "0.05 seconds" in str(result.error)


def test_a_decorated_function_returns_what_may_be_shown() -> None:
    server = FakeServer([checked("BLOCK")])

    @Guard(server.client()).protect(collections=["handbook"])
    def reply(question: str) -> Draft:
        return Draft(RAW, {"query": question})

    assert reply("How long?").text == "Final for BLOCK."
    body = server.requests[0].read()
    assert b'"collections":["handbook"]' in body
    assert b'"query":"How long?"' in body


def test_a_decorated_coroutine_function_returns_what_may_be_shown() -> None:
    server = FakeServer([checked("WARN")])

    @AsyncGuard(server.async_client()).protect()
    async def reply() -> str:
        return RAW

    async def run() -> GuardedAnswer:
        return await reply()

    assert asyncio.run(run()).text == "Final for WARN."
