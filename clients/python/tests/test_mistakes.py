"""The table "What each door shows when it cannot check", door by door, with the real packages.

Each door gets a wrong answer while something is wrong with the server, which is a real one, and
what comes out is compared with docs/how-to/which-door.md.
"""

import asyncio
import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from fake_watchdog import ANSWERS, listening, table
from watchdog_client import AsyncGuard, AsyncWatchdog, Guard, GuardSettings, RetryPolicy, Watchdog
from watchdog_client.guard import UNAVAILABLE, Fail

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "which-door.md"
RAW = "Refunds take 30 days."
QUICK = RetryPolicy(attempts=2, first=0.0, longest=0.0)
TABLE = table(PAGE)


@contextmanager
def server(mistake: str) -> Iterator[str]:
    """Yield the address of a server with which this is wrong."""
    if mistake == "server down":
        yield "http://127.0.0.1:1"
        return
    with listening(*ANSWERS[mistake]) as url:
        yield url


Ask = Callable[[str, GuardSettings], Any]
"""Returns or raises what a door lets out of the wrong answer."""


def guard_of(url: str, settings: GuardSettings) -> Guard:
    return Guard(Watchdog(url, "key", retries=QUICK), settings)


def async_guard_of(url: str, settings: GuardSettings) -> AsyncGuard:
    return AsyncGuard(AsyncWatchdog(url, "key", retries=QUICK), settings)


def client(url: str, settings: GuardSettings) -> Any:
    return guard_of(url, settings).client.check(RAW, timeout=settings.timeout).final_response


def async_client(url: str, settings: GuardSettings) -> Any:
    checking = async_guard_of(url, settings).client.check(RAW, timeout=settings.timeout)
    return asyncio.run(checking).final_response


def guard(url: str, settings: GuardSettings) -> Any:
    return guard_of(url, settings).protect(sources=["14 days."])(lambda: RAW)()


def async_guard(url: str, settings: GuardSettings) -> Any:
    @async_guard_of(url, settings).protect(sources=["14 days."])
    async def answer() -> str:
        return RAW

    return asyncio.run(answer())


def litellm_call(call: str, loops: int = 1, **arguments: Any) -> Ask:
    def ask(url: str, settings: GuardSettings) -> Any:
        import litellm

        from watchdog_client.contrib.litellm import WatchdogCallback

        litellm.callbacks = [WatchdogCallback(async_guard_of(url, settings))]
        try:
            for _ in range(loops - 1):
                with suppress(Exception):
                    asyncio.run(getattr(litellm, call)(model="m", mock_response=RAW, **arguments))
            answer = getattr(litellm, call)(model="openai/m", mock_response=RAW, **arguments)
            answer = asyncio.run(answer) if asyncio.iscoroutine(answer) else answer
            return answer.model_dump_json() if hasattr(answer, "model_dump_json") else list(answer)
        finally:
            litellm.callbacks = []

    return ask


def langchain(way: str) -> Ask:
    def ask(url: str, settings: GuardSettings) -> Any:
        from langchain_core.runnables import RunnableLambda

        from watchdog_client.contrib.langchain import WatchdogGuard

        last = WatchdogGuard(guard_of(url, settings), async_guard_of(url, settings))
        chain = RunnableLambda(lambda question: {"answer": RAW, "query": question}) | last
        if way == "ainvoke":
            return asyncio.run(chain.ainvoke("How long?"))
        return list(chain.stream("How long?")) if way == "stream" else chain.invoke("How long?")

    return ask


def llamaindex(way: str, streaming: bool) -> Ask:
    def ask(url: str, settings: GuardSettings) -> Any:
        from llama_index.core import SummaryIndex
        from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata
        from llama_index.core.response_synthesizers import SimpleSummarize
        from llama_index.core.schema import TextNode

        from watchdog_client.contrib.llamaindex import WatchdogQueryEngine

        class Model(CustomLLM):
            @property
            def metadata(self) -> LLMMetadata:
                return LLMMetadata()

            def complete(self, *_: Any, **__: Any) -> CompletionResponse:
                return CompletionResponse(text=RAW)

            def stream_complete(self, *_: Any, **__: Any) -> Any:
                return iter([CompletionResponse(text=RAW, delta=RAW)])

        answering = SimpleSummarize(llm=Model(), streaming=streaming)
        index = SummaryIndex([TextNode(text="14 days.")])
        engine = WatchdogQueryEngine(
            index.as_query_engine(llm=Model(), response_synthesizer=answering),
            guard_of(url, settings),
            async_guard_of(url, settings),
        )
        return engine.query("?") if way == "query" else asyncio.run(engine.aquery("?"))

    return ask


def guardrails(url: str, settings: GuardSettings) -> Any:
    from guardrails import Guard as GuardrailsGuard

    from watchdog_client.contrib.guardrails import WatchdogVerified

    validator = WatchdogVerified(guard_of(url, settings).client, settings, on_fail="fix")
    return GuardrailsGuard().use(validator).validate(RAW).validated_output


def fastapi(url: str, settings: GuardSettings) -> Any:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import JSONResponse
    from starlette.routing import Route
    from starlette.testclient import TestClient

    from watchdog_client.contrib.asgi import GuardMiddleware

    async def view(_: Request) -> JSONResponse:
        return JSONResponse({"answer": RAW})

    app = Starlette(routes=[Route("/chat/{id}", view)])
    app.add_middleware(GuardMiddleware, guard=async_guard_of(url, settings), paths=["/chat"])
    return TestClient(app).get("/chat/1").text


def django(is_async: bool) -> Ask:
    def ask(url: str, settings: GuardSettings) -> Any:
        from django.conf import settings as django_settings
        from django.http import HttpRequest, JsonResponse
        from django.test import RequestFactory, override_settings

        from watchdog_client.contrib.django import guard_middleware

        if not django_settings.configured:
            django_settings.configure(ALLOWED_HOSTS=["*"])
        configuration = {
            "URL": url, "KEY": "key", "PATHS": ["/chat"],
            "FAIL": settings.fail, "TIMEOUT": settings.timeout,
        }  # fmt: skip
        request = RequestFactory().get("/chat")

        async def view(_: HttpRequest) -> JsonResponse:
            return JsonResponse({"answer": RAW})

        with override_settings(WATCHDOG=configuration):
            if is_async:
                return asyncio.run(guard_middleware(view)(request)).content.decode()
            answer = guard_middleware(lambda _: JsonResponse({"answer": RAW}))(request)
            return answer.content.decode()

    return ask


def mcp(url: str, settings: GuardSettings) -> Any:
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    script = Path(sys.executable).with_name("watchdog-mcp")
    environment = {"WATCHDOG_URL": url, "WATCHDOG_KEY": "key"}

    async def call() -> Any:
        parameters = StdioServerParameters(command=str(script), env=environment)
        async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
            await session.initialize()
            return await session.call_tool("check_answer", {"answer": RAW})

    result = asyncio.run(call())
    text = result.content[0].text
    if result.is_error:
        raise RuntimeError(text)
    return text


MESSAGES = {"messages": [{"role": "user", "content": "How long?"}]}
DOORS: dict[str, dict[str, Ask]] = {
    "Python client": {"sync": client, "async": async_client},
    "Python guard": {"sync": guard, "async": async_guard},
    "LiteLLM callback": {
        "chat": litellm_call("acompletion", **MESSAGES),
        "chat in a second event loop": litellm_call("acompletion", loops=2, **MESSAGES),
        "text": litellm_call("atext_completion", prompt="How long?"),
        "responses": litellm_call("aresponses", input="How long?"),
    },
    "LiteLLM callback, sync or streamed": {
        "sync": litellm_call("completion", **MESSAGES),
        "sync text": litellm_call("text_completion", prompt="How long?"),
        "sync responses": litellm_call("responses", input="How long?"),
        "sync stream": litellm_call("completion", stream=True, **MESSAGES),
        "stream": litellm_call("acompletion", stream=True, **MESSAGES),
        "stream of responses": litellm_call("aresponses", stream=True, input="How long?"),
    },
    "LangChain": {way: langchain(way) for way in ("invoke", "ainvoke", "stream")},
    "LlamaIndex": {
        f"{way}{' of a stream' if streaming else ''}": llamaindex(way, streaming)
        for way in ("query", "aquery")
        for streaming in (False, True)
    },
    "Guardrails": {"sync": guardrails},
    "FastAPI middleware": {"async": fastapi},
    "Django middleware": {"sync": django(False), "async": django(True)},
    "MCP": {"stdio": mcp},
}
ELSEWHERE = {
    "TypeScript guard", "TypeScript middleware", "TypeScript fetch handler",
    "Proxy", "Proxy, streamed", "LiteLLM without code",
}  # fmt: skip
"""Doors whose rows are tested with the product, or in TypeScript."""
CASES = [
    pytest.param(door, ask, mistake, id=f"{door}-{way}-{mistake}")
    for door, ways in DOORS.items()
    for way, ask in ways.items()
    for mistake in (*ANSWERS, "server down")
    if TABLE[door][mistake] != "-"
]


@pytest.mark.parametrize(("door", "ask", "mistake"), CASES)
def test_no_unchecked_answer_goes_out(door: str, ask: Ask, mistake: str) -> None:
    documented = TABLE[door][mistake]
    # A mistake shows nothing in open mode either; an outage does there, as it is meant.
    modes: tuple[Fail, ...] = ("closed", "open") if documented == "error" else ("closed",)
    for fail in modes:
        settings = GuardSettings(fail=fail, timeout=0.5 if mistake == "time-out" else 20)
        with server(mistake) as url:
            try:
                out = str(ask(url, settings))
            except Exception as error:  # noqa: BLE001 - an integration raises what it likes
                outcome, out = "error", str(error)
            else:
                outcome = "fixed text" if UNAVAILABLE in json_free(out) else out
        assert RAW not in out
        assert outcome == documented


def json_free(text: str) -> str:
    """Return a text with the escapes of JSON undone."""
    with suppress(ValueError):
        return json.dumps(json.loads(text), ensure_ascii=False)
    return text


def test_the_table_has_a_row_for_each_door() -> None:
    assert TABLE.keys() == DOORS.keys() | ELSEWHERE
    assert {*TABLE["Python guard"]} == {*ANSWERS, "server down"}
    assert all(
        re.fullmatch("error|fixed text|-", c) for row in TABLE.values() for c in row.values()
    )
