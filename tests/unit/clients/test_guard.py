"""The guard shows what the policy lets a user read, and nothing unverified when it is closed."""

import asyncio
import json
import time
from datetime import date
from decimal import Decimal
from typing import Any

import httpx
import pytest

from fake_watchdog import FakeServer, checked, listening
from watchdog_client import (
    AsyncGuard,
    AsyncWatchdog,
    CircuitBreaker,
    ConfigurationError,
    Draft,
    Guard,
    GuardedAnswer,
    GuardSettings,
    WatchdogError,
)
from watchdog_client.guard import UNAVAILABLE

RAW = "The raw answer."
DOWN = httpx.ConnectError("down")


def refusal(field: str, code: str) -> httpx.Response:
    """Return a 400 of WATCHDOG about one field."""
    errors = [{"field": field, "detail": "wrong", "code": code}]
    return httpx.Response(400, json={"detail": "Wrong.", "errors": errors})


def guarded(server: FakeServer, **settings: Any) -> tuple[GuardedAnswer, GuardedAnswer]:
    """Return what the synchronous and the asynchronous guard make of the raw answer."""
    options = {"query": "q"}
    return sync_guard(server, options, **settings), async_guard(server, options, **settings)


def sync_guard(
    server: FakeServer, options: Any = None, answer: str = RAW, **settings: Any
) -> GuardedAnswer:
    return Guard(server.client(), GuardSettings(**settings)).check_answer(answer, **options or {})


def async_guard(
    server: FakeServer, options: Any = None, answer: str = RAW, **settings: Any
) -> GuardedAnswer:
    guard = AsyncGuard(server.async_client(), GuardSettings(**settings))
    return asyncio.run(guard.check_answer(answer, **options or {}))


def test_half_a_character_or_nul_is_no_way_round_the_check() -> None:
    damaged, clean = "14\0 days \ud83d", "14  days \ufffd"
    options = {"sources": [{"record": {damaged: ["\ud83d\ude00", damaged]}}]}
    for guard in (sync_guard, async_guard):
        server = FakeServer([checked("BLOCK")])
        assert guard(server, options, damaged, fail="open").text == "Final for BLOCK."
        sent = json.loads(server.requests[0].content)
        assert sent == {"answer": clean, "sources": [{"record": {clean: ["😀", clean]}}]}


@pytest.mark.parametrize(
    ("action", "text"), [("ALLOW", RAW), ("WARN", "Final for WARN."), ("BLOCK", "Final for BLOCK.")]
)
def test_the_action_decides_what_is_shown(action, text) -> None:
    for result in guarded(FakeServer([checked(action)])):
        assert (result.text, result.action) == (text, action)
        assert result.check is not None


@pytest.mark.parametrize(
    "reply",
    [
        DOWN,
        httpx.Response(503),
        refusal("answer", "max_length"),
        refusal("sources[1].text", "unfit_text"),
        httpx.Response(413, text="too large"),
        httpx.Response(502, html="<p>Bad gateway</p>"),
        httpx.Response(200, json=[]),
        checked(None, 202, state="failed"),
        checked("WARN", final_response=None),
    ],
    ids=[
        "down", "unavailable", "too long", "not Unicode", "too large", "gateway",
        "another document", "failed", "nothing to show",
    ],
)  # fmt: skip
def test_without_a_verdict_the_setting_decides(reply) -> None:
    for result in guarded(FakeServer([reply])):
        assert (result.text, result.action) == (UNAVAILABLE, None)
        assert result.error is not None
    for result in guarded(FakeServer([reply]), unavailable_text="Later."):
        assert result.text == "Later."
    for result in guarded(FakeServer([reply]), fail="open"):
        is_refused = isinstance(reply, httpx.Response) and reply.status_code in (202, 400, 413)
        assert (result.text, result.action) == (UNAVAILABLE if is_refused else RAW, None)


PAGE = httpx.Response(200, html="<p>Sign in</p>")


@pytest.mark.parametrize("fail", ["open", "closed"])
@pytest.mark.parametrize(
    "reply",
    [
        *map(httpx.Response, (301, 302, 401, 403, 404, 405, 415, 422)),
        httpx.Response(400, html="<h1>Bad Request (400)</h1>"),
        refusal("source", "unknown_field"),
        refusal("sources[0]", "wrong_type"),
        PAGE,
    ],
    ids=lambda reply: f"{reply.status_code} {reply.text[:60]}",
)
def test_a_mistake_in_the_configuration_raises_whatever_the_setting(reply, fail) -> None:
    for guard in (sync_guard, async_guard):
        with pytest.raises(WatchdogError) as raised:
            guard(FakeServer([reply]), fail=fail)
        assert raised.value.misconfigured
        assert "Sign in" not in str(raised.value)


@pytest.mark.parametrize("fail", ["open", "closed"])
@pytest.mark.parametrize(
    "options", [{"source": ["x"]}, {"metadata": {"n": float("nan")}}, {"metadata": {("a",): 1}}]
)
def test_options_that_cannot_be_sent_raise_before_anything_is(options, fail) -> None:
    server = FakeServer([checked()])
    for guard in (sync_guard, async_guard):
        with pytest.raises(ConfigurationError):
            guard(server, options, fail=fail)
    assert server.requests == []


def test_values_of_pythons_own_types_are_sent_as_json() -> None:
    server = FakeServer([checked()])
    record = {"price": Decimal("12.50"), "on": date(2026, 3, 1)}
    sync_guard(server, {"sources": [{"record": record}]})
    (source,) = json.loads(server.requests[0].content)["sources"]
    assert source["record"] == {"price": "12.50", "on": "2026-03-01"}


@pytest.mark.parametrize("settings", [{"fail": "opne"}, {"timeout": 0}])
def test_settings_that_are_none_raise(settings) -> None:
    with pytest.raises(ConfigurationError):
        GuardSettings(**settings)


def test_an_asynchronous_guard_works_in_one_event_loop_after_another() -> None:
    with listening(checked("BLOCK")) as url:
        guard = AsyncGuard(AsyncWatchdog(url, "key"))
        for _ in range(2):
            assert asyncio.run(guard.check_answer(RAW)).text == "Final for BLOCK."


def test_a_model_that_only_calls_tools_has_an_empty_answer() -> None:
    server = FakeServer([refusal("answer", "blank")])

    @Guard(server.client()).protect()
    def reply() -> str | None:
        return None

    assert reply().text == UNAVAILABLE
    assert json.loads(server.requests[0].content) == {"answer": ""}


def test_a_coroutine_function_needs_an_asynchronous_guard() -> None:
    async def reply() -> str:
        return RAW

    with pytest.raises(ConfigurationError):
        Guard(FakeServer([checked()]).client()).protect()(reply)


def test_an_asynchronous_guard_keeps_to_its_time_out() -> None:
    async def never(request: httpx.Request) -> httpx.Response:
        await asyncio.sleep(60)
        raise AssertionError

    async def run() -> GuardedAnswer:
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
    body = json.loads(server.requests[0].content)
    assert (body["collections"], body["query"]) == (["handbook"], "How long?")


def test_a_decorated_coroutine_function_returns_what_may_be_shown() -> None:
    server = FakeServer([checked("WARN")])

    @AsyncGuard(server.async_client()).protect()
    async def reply() -> str:
        return RAW

    async def run() -> GuardedAnswer:
        return await reply()

    assert asyncio.run(run()).text == "Final for WARN."


@pytest.mark.parametrize("action", ["ALLOW", "WARN", "BLOCK"])
def test_what_is_only_observed_goes_out_as_it_is_with_its_verdict(action) -> None:
    observed = FakeServer([checked(action, mitigation_actions=["observed"])])
    results = [*guarded(FakeServer([checked(action)]), mode="observe"), *guarded(observed)]
    for result in results:
        assert (result.text, result.action, result.observed) == (RAW, action, True)
    assert not sync_guard(FakeServer([checked(action)])).observed


def test_an_observer_shows_the_answer_without_a_verdict_too_but_no_mistake_passes() -> None:
    for result in guarded(FakeServer([DOWN]), mode="observe"):
        assert (result.text, result.action, result.observed) == (RAW, None, True)
    with pytest.raises(WatchdogError, match="401"):
        sync_guard(FakeServer([httpx.Response(401, json={})]), mode="observe")
    with pytest.raises(ConfigurationError, match="mode"):
        GuardSettings(mode="watch")


def test_a_server_that_is_down_is_not_asked_until_the_pause_is_over() -> None:
    server = FakeServer([DOWN] * 6 + [checked("ALLOW")])
    guard = Guard(server.client(), breaker=CircuitBreaker(failures=2, seconds=0.2))
    texts = [guard.check_answer(RAW).text for _ in range(4)]
    assert (texts, len(server.requests)) == ([UNAVAILABLE] * 4, 6)
    assert "not asked" in str(guard.check_answer(RAW).error)
    time.sleep(0.25)
    assert [guard.check_answer(RAW).text for _ in range(2)] == [RAW] * 2
    assert len(server.requests) == 8


def test_a_server_that_hangs_delays_few_answers() -> None:
    async def many(guard: AsyncGuard) -> list[str]:
        return [str((await guard.check_answer(RAW)).error) for _ in range(4)]

    with listening(checked("ALLOW"), seconds=1.0) as url:
        settings = GuardSettings(timeout=0.1)
        guard = AsyncGuard(AsyncWatchdog(url, "key"), settings, CircuitBreaker(failures=2))
        errors = asyncio.run(many(guard))
    assert ["not asked" in error for error in errors] == [False, False, True, True]


@pytest.mark.parametrize("reply", [httpx.Response(413), refusal("answer", "blank"), checked()])
def test_an_answer_of_the_server_ends_the_outage(reply) -> None:
    server = FakeServer([*[DOWN] * 3, reply, *[DOWN] * 9])
    guard = Guard(server.client(), breaker=CircuitBreaker(failures=2))
    for _ in range(3):
        guard.check_answer(RAW)
    assert len(server.requests) > 6
